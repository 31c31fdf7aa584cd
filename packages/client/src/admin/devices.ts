// Who may use a hub, devices and programs alike, and how this device is told of news.
import type { CreatedToken, LoginCode, LoginCodeState, Scope, Token } from '@quayside/protocol'
import type { PushSubscriptionBody } from '@quayside/protocol/schemas'
import type { Abortable, AgentChatClient } from '../client.js'
import type { Http } from '../http.js'

type Named = { readonly name: string; readonly scope: Scope }

export class Devices {
  readonly #http: Http

  constructor({ http }: AgentChatClient) {
    this.#http = http
  }

  /** Tokens, and browsers that are signed in. Which of them asks is `id` of `client.me()`. */
  async list({ signal }: Abortable = {}): Promise<readonly Token[]> {
    return (await this.#http.get<{ tokens: Token[] }>('/api/tokens', signal)).tokens
  }

  /** The only time its secret is told. */
  createToken(wish: Named): Promise<CreatedToken> {
    return this.#http.post('/api/tokens', wish)
  }

  /** What it has open is closed at once. */
  async revoke(id: string): Promise<void> {
    await this.#http.send(`/api/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' })
  }

  /** A code that signs another device in, once, within ten minutes. */
  createLoginCode(wish: Partial<Named> = {}): Promise<LoginCode> {
    return this.#http.post('/api/login-codes', wish)
  }

  /** Throws `login_code_not_found` when it has expired. */
  loginCode(id: string, { signal }: Abortable = {}): Promise<LoginCodeState> {
    return this.#http.get(`/api/login-codes/${encodeURIComponent(id)}`, signal)
  }

  async withdrawLoginCode(id: string): Promise<void> {
    await this.#http.send(`/api/login-codes/${encodeURIComponent(id)}`, { method: 'DELETE' })
  }

  /** What a browser subscribes to Web Push with. */
  async pushKey(): Promise<string> {
    return (await this.#http.get<{ publicKey: string }>('/api/push')).publicKey
  }

  /** Tells this device of news while no page of it is visible. A later subscription takes the place of this one. */
  async subscribe(subscription: PushSubscriptionBody): Promise<void> {
    await this.#http.send('/api/push/subscription', { method: 'PUT', body: subscription })
  }

  async unsubscribe(): Promise<void> {
    await this.#http.send('/api/push/subscription', { method: 'DELETE' })
  }

  /** Sends a notification to this device now. */
  async testPush(): Promise<void> {
    await this.#http.post('/api/push/test')
  }
}
