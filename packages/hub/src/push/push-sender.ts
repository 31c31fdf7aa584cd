// Sends one encrypted message to one browser's push service (RFC 8030). It follows no redirects and never waits long.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AlertKind } from '@quayside/protocol'
import type { PushSubscriptionBody } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import { encryptPush } from './encrypt-push.js'
import { lookupPublic, whyRefused } from './public-address.js'
import type { VapidKeys } from './vapid-keys.js'

/** What a device is told: never anything that an agent wrote, except the session's title. */
export type PushMessage =
  | { readonly kind: AlertKind; readonly sessionId: string; readonly title: string }
  | { readonly kind: 'test' }

const TIMEOUT_MS = 10_000
/** News that are older than this are of no use. */
const TTL_S = 4 * 60 * 60
const MAX_TITLE = 200
/** More than this at once are not sent: nobody reads that many notifications. */
const MAX_AT_ONCE = 32

export class PushSender {
  readonly #keys: VapidKeys
  readonly #ownOrigins: readonly string[]
  #underWay = 0

  /** `ownOrigins` are push services that the owner of this hub vouches for, wherever they are. */
  constructor(keys: VapidKeys, ownOrigins: readonly string[]) {
    this.#keys = keys
    this.#ownOrigins = ownOrigins
  }

  /** Throws `push_not_possible` for an address to which nothing is ever sent. */
  requirePossible(endpoint: string): void {
    const reason = whyRefused(new URL(endpoint), this.#ownOrigins)
    if (reason !== undefined) throw new HubError('push_not_possible', { message: reason })
  }

  /** Says whether the subscription still exists. Throws `push_failed` when the message was not taken. */
  async send(subscription: PushSubscriptionBody, message: PushMessage): Promise<'taken' | 'gone'> {
    this.requirePossible(subscription.endpoint)
    if (this.#underWay >= MAX_AT_ONCE)
      throw new HubError('push_failed', { message: 'Too many notifications are under way.' })
    this.#underWay += 1
    try {
      const status = await this.#post(subscription, message)
      if (status === 404 || status === 410) return 'gone'
      if (status >= 200 && status < 300) return 'taken'
      throw new HubError('push_failed', {
        message: `The push service answered with ${status}.`,
        status,
      })
    } catch (cause) {
      if (cause instanceof HubError) throw cause
      throw new HubError('push_failed', {}, { cause })
    } finally {
      this.#underWay -= 1
    }
  }

  #post({ endpoint, keys }: PushSubscriptionBody, message: PushMessage): Promise<number> {
    const url = new URL(endpoint)
    const isOwn = this.#ownOrigins.includes(url.origin)
    const body = encryptPush(JSON.stringify(shortened(message)), keys)
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        {
          method: 'POST',
          headers: { ...this.#headers(url, message), 'content-length': body.length },
          signal: AbortSignal.timeout(TIMEOUT_MS),
          ...(!isOwn && { lookup: lookupPublic }),
        },
        (response) => {
          resolve(response.statusCode ?? 0)
          // What else it says is of no interest.
          response.destroy()
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  #headers({ origin }: URL, message: PushMessage): Record<string, string> {
    return {
      authorization: this.#keys.authorization(origin),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(TTL_S),
      urgency: message.kind === 'needsYou' ? 'high' : 'normal',
      // A newer message of a session takes the place of one that was not delivered; 32 characters at most.
      ...(message.kind !== 'test' && { topic: message.sessionId.replaceAll('-', '').slice(0, 32) }),
    }
  }
}

function shortened(message: PushMessage): PushMessage {
  return message.kind === 'test'
    ? message
    : { ...message, title: message.title.slice(0, MAX_TITLE) }
}
