// Sends an encrypted message to a browser's push service (RFC 8030). It follows no redirects and has a short timeout.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AlertKind } from '@quayside/protocol'
import type { PushSubscriptionBody } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import { encryptPush } from './encrypt-push.js'
import { lookupPublic, findRefusal } from './public-address.js'
import type { VapidKeys } from './vapid-keys.js'

/** The content of a notification. Apart from the session's title it contains no text of an agent. */
export type PushMessage =
  | { readonly kind: AlertKind; readonly sessionId: string; readonly title: string }
  | { readonly kind: 'test' }

const TIMEOUT_MS = 10_000
/** The push service drops an undelivered notification after this time. */
const TTL_S = 4 * 60 * 60
const MAX_TITLE = 200
/** The limit of notifications that are sent at the same time. */
const MAX_CONCURRENT = 32

export class PushSender {
  readonly #keys: VapidKeys
  readonly #ownOrigins: readonly string[]
  #sending = 0

  /** `ownOrigins`: push services that the hub's settings allow at any address. */
  constructor(keys: VapidKeys, ownOrigins: readonly string[]) {
    this.#keys = keys
    this.#ownOrigins = ownOrigins
  }

  /** Throws `push_not_possible` for an address that must not be used. */
  requirePossible(endpoint: string): void {
    const reason = findRefusal(new URL(endpoint), this.#ownOrigins)
    if (reason !== undefined) throw new HubError('push_not_possible', { message: reason })
  }

  /** Resolves with `gone` when the subscription no longer exists. Throws `push_failed` when the message was not accepted. */
  async send(
    subscription: PushSubscriptionBody,
    message: PushMessage,
  ): Promise<'accepted' | 'gone'> {
    this.requirePossible(subscription.endpoint)
    if (this.#sending >= MAX_CONCURRENT)
      throw new HubError('push_failed', { message: 'Too many notifications are being sent.' })
    this.#sending += 1
    try {
      const status = await this.#post(subscription, message)
      if (status === 404 || status === 410) return 'gone'
      if (status >= 200 && status < 300) return 'accepted'
      throw new HubError('push_failed', {
        message: `The push service answered with status ${status}.`,
        status,
      })
    } catch (cause) {
      if (cause instanceof HubError) throw cause
      throw new HubError('push_failed', {}, { cause })
    } finally {
      this.#sending -= 1
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
          // The body is not needed.
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
      // A newer message of a session replaces an undelivered one; a topic has at most 32 characters.
      ...(message.kind !== 'test' && { topic: message.sessionId.replaceAll('-', '').slice(0, 32) }),
    }
  }
}

function shortened(message: PushMessage): PushMessage {
  return message.kind === 'test'
    ? message
    : { ...message, title: message.title.slice(0, MAX_TITLE) }
}
