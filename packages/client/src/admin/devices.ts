// The devices and programs that may use a hub, and notifications of this device.
import type {
  CallInput,
  CreatedToken,
  LoginCode,
  LoginCodeState,
  ReachState,
  Token,
} from '@quayside/protocol'
import type { PushSubscriptionBody } from '@quayside/protocol/schemas'
import type { AgentChatClient } from '../client.js'
import type { Abortable, Http } from '../connection/http.js'

export class Devices {
  readonly #http: Http

  constructor({ http }: AgentChatClient) {
    this.#http = http
  }

  /** Tokens, and browsers that are signed in. The caller's own is `id` of `client.me()`. */
  async list(abortable?: Abortable): Promise<readonly Token[]> {
    return (await this.#http.call('GET /api/tokens', {}, abortable)).tokens
  }

  /** The answer has the secret, which is shown this once. */
  createToken(token: CallInput<'token/create'>): Promise<CreatedToken> {
    return this.#http.call('POST /api/tokens', token)
  }

  /** Closes its sockets and streams at once. */
  async revoke(tokenId: string): Promise<void> {
    await this.#http.call('DELETE /api/tokens/{tokenId}', { tokenId })
  }

  /** A code that signs another device in, once, within ten minutes or `ttlMs`. */
  createLoginCode(options: CallInput<'login-code/create'> = {}): Promise<LoginCode> {
    return this.#http.call('POST /api/login-codes', options)
  }

  /** Throws `login_code_not_found` when it has expired. */
  loginCode(loginCodeId: string, abortable?: Abortable): Promise<LoginCodeState> {
    return this.#http.call('GET /api/login-codes/{loginCodeId}', { loginCodeId }, abortable)
  }

  async withdrawLoginCode(loginCodeId: string): Promise<void> {
    await this.#http.call('DELETE /api/login-codes/{loginCodeId}', { loginCodeId })
  }

  /** The ways by which other devices reach the hub; one with a `url` works. */
  reach(abortable?: Abortable): Promise<ReachState> {
    return this.#http.call('GET /api/reach', {}, abortable)
  }

  /** Accepts requests to a name that a tunnel or proxy serves with TLS; not kept: until the hub stops. */
  async addHost(hostname: string, options: { readonly isKept?: boolean } = {}): Promise<void> {
    await this.#http.call('PUT /api/hosts/{hostname}', { hostname, ...options })
  }

  async removeHost(hostname: string): Promise<void> {
    await this.#http.call('DELETE /api/hosts/{hostname}', { hostname })
  }

  /** The key that a browser subscribes to Web Push with. */
  async pushKey(): Promise<string> {
    return (await this.#http.call('GET /api/push', {})).publicKey
  }

  /** Notifies this device while no page of it is visible. Replaces an earlier subscription. */
  async subscribe(subscription: PushSubscriptionBody): Promise<void> {
    await this.#http.call('PUT /api/push/subscription', subscription)
  }

  async unsubscribe(): Promise<void> {
    await this.#http.call('DELETE /api/push/subscription', {})
  }

  /** Sends a notification to this device now. */
  async testPush(): Promise<void> {
    await this.#http.call('POST /api/push/test', {})
  }
}
