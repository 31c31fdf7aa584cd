// Declares the commands for Web Push: notifications for devices without a visible page.
import { z } from 'zod'
import { ALERT_KINDS } from '../../events/alerts.js'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described } from '../fields.js'

const ENDPOINT = 'endpoint is the address that the browser gave, https and at most 2048 characters.'
const P256DH = 'keys.p256dh is the public key that the browser gave.'
const AUTH = 'keys.auth is the secret that the browser gave.'

export const pushKeySchema = z.object({
  publicKey: z.string().describe('The `applicationServerKey` of a browser’s subscription.'),
})
export const pushSubscriptionSchema = z.strictObject({
  endpoint: z.url(ENDPOINT).max(2048, ENDPOINT),
  keys: z.strictObject({
    // An uncompressed point of P-256 and 16 bytes, as RFC 8291 says.
    p256dh: z.string(P256DH).regex(/^B[\w-]{86}=?$/, P256DH),
    auth: z.string(AUTH).regex(/^[\w-]{22}(==)?$/, AUTH),
  }),
  kinds: described(
    z
      .array(z.enum(ALERT_KINDS, `kinds are among ${ALERT_KINDS.join(', ')}.`))
      .max(ALERT_KINDS.length),
    'The kinds of notifications to send.',
  ),
})
export type PushSubscriptionBody = Shape<typeof pushSubscriptionSchema>

export const pushCommands = {
  'push/key': {
    rest: 'GET /api/push',
    operationId: 'getPushKey',
    scope: 'read',
    summary: 'The hub’s public key for Web Push',
    response: 'The key.',
    output: pushKeySchema,
  },
  'push/subscribe': {
    rest: 'PUT /api/push/subscription',
    operationId: 'subscribeToPush',
    scope: 'read',
    summary: 'Subscribe this device to Web Push',
    description:
      'It is notified while no page of it is visible. Each sign-in or token has one subscription; a new one replaces it. It is removed when the sign-in is revoked, or when the push service reports it as gone.',
    body: pushSubscriptionSchema,
    response: 'Subscribed.',
    errors: ['push_not_possible', 'storage_failed'],
  },
  'push/unsubscribe': {
    rest: 'DELETE /api/push/subscription',
    operationId: 'unsubscribeFromPush',
    scope: 'read',
    summary: 'Unsubscribe this device from Web Push',
    response: 'Unsubscribed.',
    errors: ['storage_failed'],
  },
  'push/test': {
    rest: 'POST /api/push/test',
    scope: 'read',
    summary: 'Send a test notification to this device',
    response: 'The push service accepted the notification.',
    errors: ['push_not_subscribed', 'push_failed'],
  },
} satisfies Commands
