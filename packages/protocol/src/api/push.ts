// Declares the commands for Web Push: notifications for devices without a visible page.
import { z } from 'zod'
import { ALERT_KINDS } from '../events/alerts.js'
import type { Shape } from '../shape.js'
import type { Commands } from './command.js'

const ENDPOINT = 'endpoint is the address that the browser gave, https and at most 2048 characters.'
const P256DH = 'keys.p256dh is the public key that the browser gave.'
const AUTH = 'keys.auth is the secret that the browser gave.'

export const pushKeySchema = z.object({
  publicKey: z.string().describe('What a browser subscribes with as `applicationServerKey`.'),
})
export const pushSubscriptionSchema = z.strictObject({
  endpoint: z.url(ENDPOINT).max(2048, ENDPOINT),
  keys: z.strictObject({
    // An uncompressed point of P-256 and 16 bytes, as RFC 8291 says.
    p256dh: z.string(P256DH).regex(/^B[\w-]{86}=?$/, P256DH),
    auth: z.string(AUTH).regex(/^[\w-]{22}(==)?$/, AUTH),
  }),
  kinds: z
    .array(z.enum(ALERT_KINDS, `kinds are among ${ALERT_KINDS.join(', ')}.`))
    .max(ALERT_KINDS.length)
    .describe('Of what to tell.'),
})
export type PushSubscriptionBody = Shape<typeof pushSubscriptionSchema>

export const pushCommands = {
  'push/key': {
    rest: 'GET /api/push',
    operationId: 'getPushKey',
    scope: 'read',
    tag: 'Notifications',
    summary: 'The hub’s public key for Web Push',
    response: 'The key.',
    output: pushKeySchema,
  },
  'push/subscribe': {
    rest: 'PUT /api/push/subscription',
    operationId: 'subscribeToPush',
    scope: 'read',
    tag: 'Notifications',
    summary: 'Tell this device of news while no page of it is visible',
    description:
      'One subscription for each sign-in or token; a later one takes its place. It goes when its sign-in is revoked, or when the push service says that it is gone.',
    body: pushSubscriptionSchema,
    response: 'Subscribed.',
    errors: ['push_not_possible', 'storage_failed'],
  },
  'push/unsubscribe': {
    rest: 'DELETE /api/push/subscription',
    operationId: 'unsubscribeFromPush',
    scope: 'read',
    tag: 'Notifications',
    summary: 'Tell this device nothing more',
    response: 'There is no subscription any more.',
    errors: ['storage_failed'],
  },
  'push/test': {
    rest: 'POST /api/push/test',
    operationId: 'testPush',
    scope: 'read',
    tag: 'Notifications',
    summary: 'Send a notification to this device now',
    response: 'The push service took it.',
    errors: ['push_not_subscribed', 'push_failed'],
  },
} satisfies Commands
