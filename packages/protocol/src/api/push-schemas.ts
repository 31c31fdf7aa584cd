// Schemas of Web Push: how a device asks to be told of news while nobody looks at its page.
import { z } from 'zod'
import { ALERT_KINDS } from '../events/alerts.js'

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
export type PushSubscriptionBody = z.output<typeof pushSubscriptionSchema>
