/// <reference lib="esnext.disposable" preserve="true" />
// The entry of the SDK: one hub, its repositories and sessions. Commands go by HTTP, events come by the feed.
import { offerToken } from '@quayside/protocol'
import type {
  CallInput,
  CallOutput,
  Media,
  Principal,
  Repo,
  SessionSummary,
  WireFrame,
} from '@quayside/protocol'
import { AgentSession, type SessionChange } from './session/agent-session.js'
import { Agents } from './agents.js'
import {
  HubConnection,
  type Connection,
  type Listener,
  type ReconnectDelays,
  type SocketOpener,
} from './connection/connection.js'
import { Feed } from './connection/feed.js'
import { ClientError, orAborted } from './connection/client-error.js'
import { type Abortable, Http, type AccessHeaders } from './connection/http.js'
import type { PermissionPolicy } from './session/permission-policy.js'
import type { PromptInput } from './session/prompt-input.js'
import type { WebSocketConstructor } from './connection/rpc-socket.js'
import type { SessionsChange } from './connection/session-watch.js'

export type AgentChatClientOptions = {
  /** The hub's address, such as `http://127.0.0.1:4444`. */
  readonly url: string
  /**
   * A bearer token for programs and for pages of other origins, or what is asked for it at each request and connection.
   * The hub's own page signs in with a cookie instead.
   */
  readonly token?: string | (() => string | Promise<string>)
  readonly fetch?: typeof globalThis.fetch
  /** Needed where there is no global one (Node 20): that of the `ws` package. */
  readonly WebSocket?: WebSocketConstructor
  /** Delays between attempts to reconnect. `false`: a lost connection ends every iteration over events. */
  readonly reconnect?: false | Partial<ReconnectDelays>
  /** Answers what agents ask in the sessions that this client has opened; `policies` has the usual ones. */
  readonly onPermission?: PermissionPolicy
}

export type NewSession = {
  /** A repository's id, name or path. */
  readonly repo: string
  /** The id or name of a machine, for a repository that several have. */
  readonly hub?: string
  /** An extension's id; the hub's default when left out. */
  readonly agent?: string
  readonly title?: string
  /** Words for the branch of a work tree of its own; by default the first of the prompt, else those of the title. */
  readonly branch?: string
  /** The hub's own and those of the agent's `settingsSchema`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Modes, models and other options of the agent, by their ids, set before anything is asked. */
  readonly config?: Readonly<Record<string, string | boolean>>
  /** The first prompt. What comes of it is in the session's events. */
  readonly prompt?: PromptInput
  /** At the limit of active sessions, puts the longest idle one to sleep. */
  readonly makeRoom?: boolean
}

export type SessionFilter = CallInput<'session/list'>

export type FileFilter = Omit<CallInput<'repo/files'>, 'repoId'>

export type TrustOptions = Omit<CallInput<'repo/trust'>, 'repoId'>

export type ChangesOptions = Omit<CallInput<'repo/diff'>, 'repoId'>

export type SessionChangesOptions = Omit<CallInput<'session/changes'>, 'sessionId'>

/** @deprecated Use `ChangesOptions`. Removed in the release after 0.2. */
export type ChangesWish = ChangesOptions
/** @deprecated Use `SessionChangesOptions`. Removed in the release after 0.2. */
export type SessionChangesWish = SessionChangesOptions

export type Folders = CallOutput<'folder/list'>

export class AgentChatClient {
  /** The kinds of agents: what they are, whether they work, their settings and sign-in. */
  readonly agents: Agents
  /** The requests behind all commands. `@quayside/client/commands` runs any of them by its name. */
  readonly http: Http
  /** The one connection behind everything, for the other entries of this package. */
  readonly socket: HubConnection
  readonly #feed: Feed
  readonly #onPermission: PermissionPolicy | undefined

  constructor(options: AgentChatClientOptions | string) {
    const { url, token, fetch, WebSocket, reconnect, onPermission } =
      typeof options === 'string' ? { url: options } : options
    this.#onPermission = onPermission
    const headers: AccessHeaders = (signal) => orAborted(headersOf(token), signal)
    this.http = new Http({ url, headers, fetch: fetch ?? globalThis.fetch.bind(globalThis) })
    this.agents = new Agents(this.http)
    this.socket = new HubConnection({
      url,
      headers,
      socketOpener: () => socketOpener(new URL('/ws', url).href.replace('http', 'ws'), WebSocket),
      checkAccess: () => this.me(),
      delays: { minDelayMs: 250, maxDelayMs: 16_000, ...reconnect },
      reconnects: reconnect !== false,
    })
    this.#feed = new Feed(this.socket)
  }

  readonly repos = {
    list: async (abortable?: Abortable) =>
      (await this.http.call('GET /api/repos', {}, abortable)).repos as Repo[],
    /** Looks for repositories again and returns all of them. */
    scan: async (abortable?: Abortable) =>
      (await this.http.call('POST /api/repos/scan', {}, abortable)).repos as Repo[],
    /** Makes the repository known that a folder on the hub's machine is or lies in. */
    add: (path: string, abortable?: Abortable) =>
      this.http.call('POST /api/repos', { path }, abortable),
    /** Files by a few letters of their path. */
    files: (repoId: string, filter?: FileFilter, abortable?: Abortable) =>
      this.http.call('GET /api/repos/{repoId}/files', { repoId, ...filter }, abortable),
    /** The current content of one file; `path` is relative to the repository. */
    file: (repoId: string, path: string, abortable?: Abortable) =>
      this.http.call('GET /api/repos/{repoId}/file', { repoId, path }, abortable),
    /** Everything since the last commit. */
    diff: (repoId: string, options?: ChangesOptions, abortable?: Abortable) =>
      this.http.call('GET /api/repos/{repoId}/diff', { repoId, ...options }, abortable),
    status: (repoId: string, abortable?: Abortable) =>
      this.http.call('GET /api/repos/{repoId}/status', { repoId }, abortable),
    /** Lets agents run in a repository with the agent configuration it has now, or with the one that `shown` names. */
    trust: (repoId: string, shown?: TrustOptions) =>
      this.http.call('POST /api/repos/{repoId}/trust', { repoId, ...shown }),
    /** Folders inside the root folders; without a path the root folders themselves. */
    browse: (path?: string, abortable?: Abortable) =>
      this.http.call('GET /api/browse', { path }, abortable),
  }

  readonly sessions = {
    list: (filter: SessionFilter = {}, abortable?: Abortable) =>
      this.http.call('GET /api/sessions', filter, abortable),
    /** With all messages, or none with `messages: '0'`: a long session has hundreds of megabytes. */
    get: (
      sessionId: string,
      { messages, ...abortable }: Abortable & { readonly messages?: '0' } = {},
    ) => this.http.call('GET /api/sessions/{sessionId}', { sessionId, messages }, abortable),
    /** The changes in the repository since the session began. */
    changes: (sessionId: string, options?: SessionChangesOptions, abortable?: Abortable) =>
      this.http.call('GET /api/sessions/{sessionId}/changes', { sessionId, ...options }, abortable),
    /** The newest lines between the hub and the session's agent, oldest first. */
    wire: async (
      sessionId: string,
      { limit, ...abortable }: Abortable & { readonly limit?: number } = {},
    ) =>
      (await this.http.call('GET /api/sessions/{sessionId}/wire', { sessionId, limit }, abortable))
        .frames as WireFrame[],
    /** Renames, pins, archives or sets up a session. */
    change: (sessionId: string, change: SessionChange) =>
      this.http.call('PATCH /api/sessions/{sessionId}', { sessionId, ...change }),
    /** Ends a session as completed; its transcript stays. */
    complete: (sessionId: string) =>
      this.http.call('POST /api/sessions/{sessionId}/complete', { sessionId }),
    /** Ends a session as cancelled; with `purge` everything of it is removed for good. */
    delete: (sessionId: string, options?: { readonly purge?: boolean }) =>
      this.http.call('DELETE /api/sessions/{sessionId}', { sessionId, ...options }),
  }

  get connection(): Connection {
    return this.socket.now
  }

  /** Calls back for every change of the connection or of the list of sessions, until the returned function is called. */
  on(type: 'connection', listener: Listener<Connection>): () => void
  on(type: 'sessions', listener: Listener<SessionsChange>): () => void
  on(type: 'connection' | 'sessions', listener: Listener<never>): () => void {
    return type === 'connection'
      ? this.socket.watch(listener as Listener<Connection>)
      : this.#feed.watchSessions(listener as Listener<SessionsChange>)
  }

  /** Reports whether this page is visible. A subscribed device without a visible page gets Web Push. */
  setVisible(isVisible: boolean): void {
    this.#feed.setVisible(isVisible)
  }

  /**
   * Opens the connection and keeps it; one that was lost is tried again at once. Rejects when the hub cannot be reached now or
   * wants a sign-in; it keeps trying all the same.
   */
  async connect({ signal }: Abortable = {}): Promise<this> {
    this.socket.start()
    this.socket.tryNow()
    await this.socket.opened(signal)
    return this
  }

  /** Ends every iteration over events. Sessions and their agents go on without this client. */
  close(): void {
    this.socket.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  /** The signed-in caller. Throws `unauthorized` without a sign-in. */
  me(): Promise<Principal> {
    return this.http.call('GET /api/me', {})
  }

  /** Trades the one-time code that `quayside start` prints for a cookie. */
  signIn(code: string): Promise<void> {
    return this.http.call('POST /api/login', { code })
  }

  signOut(): Promise<void> {
    return this.http.call('POST /api/logout', {})
  }

  /** Starts an agent in a repository. Nothing stays of a session whose `config` or `prompt` is refused. */
  async newSession(
    { repo, agent, config = {}, prompt, ...rest }: NewSession,
    abortable?: Abortable,
  ): Promise<AgentSession> {
    this.socket.requireWebSocket()
    const found = await this.#requireRepo(repo, abortable)
    const words = [prompt].flat().find((part) => typeof part === 'string')
    const input = { repoId: found.id, extensionId: agent, branch: words?.slice(0, 99), ...rest }
    const info = await this.http.call('POST /api/sessions', input, abortable)
    const session = this.#sessionOf(info, found, 0)
    try {
      for (const [id, value] of Object.entries(config)) await session.setConfig(id, value)
      if (prompt) await session.prompt(prompt).accepted
    } catch (error) {
      await session.delete({ purge: true }).catch(() => {})
      throw error
    }
    return session
  }

  /** A session that exists already. Its events come from now on, or from `after` on. */
  async openSession(
    id: string,
    { after, ...abortable }: Abortable & { readonly after?: number } = {},
  ): Promise<AgentSession> {
    const input = { sessionId: id, messages: '0' } as const
    const detail = await this.http.call('GET /api/sessions/{sessionId}', input, abortable)
    const { repo, messages: _, settings: __, ...info } = detail
    return this.#sessionOf(info, repo, after ?? info.lastSeq)
  }

  /** Stores a picture for a prompt: `{ type: 'image', mimeType, uri: media.url }`. */
  upload(
    picture: Blob | Uint8Array<ArrayBuffer>,
    { mimeType, signal }: Abortable & { readonly mimeType?: string } = {},
  ): Promise<Media> {
    const type = mimeType ?? (picture instanceof Blob ? picture.type : '')
    return this.http.send('/api/media', { method: 'POST', body: picture, type, signal })
  }

  #sessionOf(info: SessionSummary, repo: Repo, after: number): AgentSession {
    return new AgentSession(info, {
      repo,
      http: this.http,
      feed: this.#feed,
      after,
      onPermission: this.#onPermission,
    })
  }

  async #requireRepo(wanted: string, abortable?: Abortable): Promise<Repo> {
    const repos = await this.repos.list(abortable)
    const named = repos.filter((repo) => repo.name === wanted)
    const found =
      repos.find((repo) => repo.id === wanted || repo.path === wanted) ??
      (named.length === 1 ? named[0] : undefined)
    if (found) return found
    const reason = named.length > 1 ? 'Several repositories have this name' : 'No such repository'
    throw new ClientError('repo_not_found', `${reason}: ${wanted}`, {
      details: { repo: wanted, paths: named.map((repo) => repo.path) },
    })
  }
}

async function headersOf(token: AgentChatClientOptions['token']): Promise<Record<string, string>> {
  const bearer = typeof token === 'function' ? await token() : token
  return bearer ? { authorization: `Bearer ${bearer}` } : {}
}

function socketOpener(url: string, Given: WebSocketConstructor | undefined): SocketOpener {
  if (Given) return (headers) => new Given(url, { headers })
  const Global: typeof globalThis.WebSocket | undefined = globalThis.WebSocket
  if (!Global)
    throw new ClientError(
      'no_websocket',
      'There is no WebSocket. Pass that of `ws`, or use Node.js 22.',
    )
  // A browser's takes no headers: it sends its cookie, or the token as a subprotocol.
  return ({ authorization }) => {
    const protocols = authorization ? offerToken(authorization.slice('Bearer '.length)) : []
    return new Global(url, protocols)
  }
}
