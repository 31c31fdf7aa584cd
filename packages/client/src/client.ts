// The entry of the SDK: one hub, its repositories and sessions. Commands go by HTTP, events come by the feed.
import type {
  Extension,
  Repo,
  SessionDetail,
  SessionList,
  SessionStatus,
  SessionSummary,
} from '@quayside/protocol'
import { AgentSession } from './agent-session.js'
import { Feed } from './feed.js'
import type { ConnectionState, ReconnectDelays } from './feed.js'
import { HubError } from './hub-error.js'
import { Http } from './http.js'
import type { OpenWebSocket } from './rpc-socket.js'

export type AgentChatClientOptions = {
  /** The hub's address, such as `http://127.0.0.1:4444`. */
  readonly url: string
  /** A bearer token for programs; browsers sign in with a cookie instead. */
  readonly token?: string
  readonly fetch?: typeof globalThis.fetch
  /** Needed where there is no global WebSocket (Node 20) or a token is used. */
  readonly WebSocket?: OpenWebSocket
  readonly reconnect?: Partial<ReconnectDelays>
}

export type NewSession = {
  /** A repository's id, name or path. */
  readonly repo: string
  /** An extension's id; the hub's default when left out. */
  readonly agent?: string
  readonly title?: string
}

export type SessionFilter = {
  readonly repoId?: string
  readonly status?: readonly SessionStatus[]
  readonly q?: string
  readonly limit?: number
  readonly offset?: number
}

export class AgentChatClient {
  readonly #http: Http
  readonly #feed: Feed

  constructor(options: AgentChatClientOptions | string) {
    const { url, token, fetch, WebSocket, reconnect } =
      typeof options === 'string' ? { url: options } : options
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const openWebSocket = WebSocket ?? openGlobalWebSocket
    this.#http = new Http({ url, headers, fetch: fetch ?? globalThis.fetch.bind(globalThis) })
    this.#feed = new Feed({
      openSocket: () => openWebSocket(webSocketUrl(url), headers),
      checkAccess: () => this.me(),
      delays: { minDelayMs: 250, maxDelayMs: 16_000, ...reconnect },
    })
  }

  readonly repos = {
    list: async () => (await this.#http.get<{ repos: Repo[] }>('/api/repos')).repos,
    /** Looks for repositories again and returns all of them. */
    scan: async () => (await this.#http.post<{ repos: Repo[] }>('/api/repos/scan')).repos,
  }

  readonly extensions = {
    list: async () =>
      (await this.#http.get<{ extensions: Extension[] }>('/api/extensions')).extensions,
  }

  readonly sessions = {
    list: (filter: SessionFilter = {}) =>
      this.#http.get<SessionList>(`/api/sessions${queryOf(filter)}`),
    get: (id: string) => this.#http.get<SessionDetail>(`/api/sessions/${encodeURIComponent(id)}`),
    /** Ends the session and its agent; what was said stays. */
    end: (id: string) =>
      this.#http.delete<SessionSummary>(`/api/sessions/${encodeURIComponent(id)}`),
  }

  get connection(): ConnectionState {
    return this.#feed.state
  }

  /** Calls back whenever the connection's state changes, until the returned function is called. */
  watchConnection(listener: (state: ConnectionState) => void): () => void {
    return this.#feed.watch(listener)
  }

  /** Opens the connection and keeps it. Rejects when the hub cannot be reached now or wants a sign-in. */
  async connect(): Promise<this> {
    await this.#feed.connect()
    return this
  }

  /** Does not wait for the next attempt to connect: call it when the network or the page is back. */
  reconnectNow(): void {
    this.#feed.retryNow()
  }

  /** Ends every iteration over events. Sessions and their agents go on without this client. */
  close(): void {
    this.#feed.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  /** Who is signed in. Throws `unauthorized` when nobody is. */
  me(): Promise<{ readonly name: string }> {
    return this.#http.get('/api/me')
  }

  /** Trades the one-time code that `quayside start` prints for a cookie. */
  async signIn(code: string): Promise<void> {
    await this.#http.post('/api/login', { code })
  }

  async signOut(): Promise<void> {
    await this.#http.post('/api/logout')
  }

  /** Starts an agent in a repository. */
  async newSession({ repo, agent, title }: NewSession): Promise<AgentSession> {
    const { id: repoId } = await this.#requireRepo(repo)
    const body = { repoId, extensionId: agent, title }
    const info = await this.#http.post<SessionSummary>('/api/sessions', body)
    return new AgentSession(info, { http: this.#http, feed: this.#feed, after: 0 })
  }

  /** A session that exists already; its events come from the beginning, or from `after` on. */
  async openSession(id: string, { after = 0 }: { after?: number } = {}): Promise<AgentSession> {
    const info = await this.sessions.get(id)
    return new AgentSession(info, { http: this.#http, feed: this.#feed, after })
  }

  async #requireRepo(wanted: string): Promise<Repo> {
    const repos = await this.repos.list()
    const named = repos.filter((repo) => repo.name === wanted)
    const found =
      repos.find((repo) => repo.id === wanted || repo.path === wanted) ??
      (named.length === 1 ? named[0] : undefined)
    if (found) return found
    const reason = named.length > 1 ? 'Several repositories have this name' : 'No such repository'
    throw new HubError('repo_not_found', `${reason}: ${wanted}`, {
      details: { repo: wanted, paths: named.map((repo) => repo.path) },
    })
  }
}

function openGlobalWebSocket(url: string): WebSocket {
  if (typeof globalThis.WebSocket === 'function') return new globalThis.WebSocket(url)
  throw new TypeError(
    'There is no global WebSocket here. Install `ws` and pass the option ' +
      'WebSocket: (url, headers) => new WebSocket(url, { headers })',
  )
}

function webSocketUrl(url: string): string {
  const address = new URL('/ws', url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

function queryOf({ status, ...filter }: SessionFilter): string {
  const query = new URLSearchParams()
  if (status) query.set('status', status.join(','))
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return query.size > 0 ? `?${query}` : ''
}
