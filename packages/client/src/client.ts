/// <reference lib="esnext.disposable" preserve="true" />
// The entry of the SDK: one hub, its repositories and sessions. Commands go by HTTP, events come by the feed.
import type {
  Media,
  Principal,
  Repo,
  RepoDiff,
  RepoFile,
  RepoFiles,
  RepoStatus,
  SessionChanges,
  SessionDetail,
  SessionList,
  SessionStatus,
  SessionSummary,
  WireFrame,
} from '@quayside/protocol'
import { AgentSession, type SessionChange } from './agent-session.js'
import { Agents } from './agents.js'
import {
  HubConnection,
  type Connection,
  type ReconnectDelays,
  type SocketOpener,
} from './connection.js'
import { Feed } from './feed.js'
import { ClientError, orAborted } from './client-error.js'
import { Http, type AccessHeaders } from './http.js'
import type { Listener } from './listener-set.js'
import { queryOf, repoPath, sessionPath } from './paths.js'
import type { PermissionPolicy } from './permission-policy.js'
import type { PromptInput } from './prompt-input.js'
import type { WebSocketConstructor } from './rpc-socket.js'
import type { SessionsChange } from './session-watch.js'

export type AgentChatClientOptions = {
  /** The hub's address, such as `http://127.0.0.1:4444`. */
  readonly url: string
  /** A bearer token for programs, or what is asked for it at each request and connection; browsers sign in with a cookie instead. */
  readonly token?: string | (() => string | Promise<string>)
  readonly fetch?: typeof globalThis.fetch
  /** Needed where there is no global one (Node 20): that of the `ws` package. */
  readonly WebSocket?: WebSocketConstructor
  /** How long it waits before it connects again; false: a lost connection ends every iteration over events. */
  readonly reconnect?: false | Partial<ReconnectDelays>
  /** Answers what agents ask in the sessions that this client has opened; `policies` has the usual ones. */
  readonly onPermission?: PermissionPolicy
}

export type NewSession = {
  /** A repository's id, name or path. */
  readonly repo: string
  /** An extension's id; the hub's default when left out. */
  readonly agent?: string
  readonly title?: string
  /** The hub's own and those of the agent's `settingsSchema`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Modes, models and other options of the agent, by their ids, set before anything is asked. */
  readonly config?: Readonly<Record<string, string | boolean>>
  /** The first prompt. What comes of it is in the session's events. */
  readonly prompt?: PromptInput
}

export type SessionFilter = {
  readonly repoId?: string
  /** An agent's. */
  readonly extensionId?: string
  readonly status?: readonly SessionStatus[]
  readonly archived?: boolean | 'any'
  /** Words to look for in titles, prompts and answers. */
  readonly q?: string
  readonly limit?: number
  readonly offset?: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

export type FileFilter = { readonly q?: string; readonly limit?: number }

export type ChangesWish = {
  /** Only this file or folder. */
  readonly path?: string
  /** False leaves the patches out. */
  readonly patches?: boolean
}

export type SessionChangesWish = ChangesWish & {
  /** By default the session. */
  readonly since?: 'session' | 'turn'
}

export type Folders = {
  /** The folder that was asked for; null for the roots. */
  readonly path: string | null
  readonly folders: readonly { readonly name: string; readonly path: string }[]
}

export type Abortable = { readonly signal?: AbortSignal | undefined }

export class AgentChatClient {
  /** The kinds of agents: what they are, whether they work, their settings and sign-in. */
  readonly agents: Agents
  /** For every route that has no method of its own here. */
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
      socketOpener: () => socketOpener(webSocketUrl(url), WebSocket),
      checkAccess: () => this.me(),
      delays: { minDelayMs: 250, maxDelayMs: 16_000, ...reconnect },
      reconnects: reconnect !== false,
    })
    this.#feed = new Feed(this.socket)
  }

  readonly repos = {
    list: async ({ signal }: Abortable = {}) =>
      (await this.http.get<{ repos: Repo[] }>('/api/repos', signal)).repos,
    /** Looks for repositories again and returns all of them. */
    scan: async ({ signal }: Abortable = {}) =>
      (await this.http.post<{ repos: Repo[] }>('/api/repos/scan', {}, signal)).repos,
    /** Makes the repository known that a folder on the hub's machine is or lies in. */
    add: (path: string, { signal }: Abortable = {}) =>
      this.http.post<Repo>('/api/repos', { path }, signal),
    /** Files by a few letters of their path. */
    files: (id: string, filter: FileFilter = {}, { signal }: Abortable = {}) =>
      this.http.get<RepoFiles>(`${repoPath(id)}/files${queryOf(filter)}`, signal),
    /** What is in one file now; `path` is relative to the repository. */
    file: (id: string, path: string, { signal }: Abortable = {}) =>
      this.http.get<RepoFile>(`${repoPath(id)}/file${queryOf({ path })}`, signal),
    /** Everything since the last commit. */
    diff: (id: string, wish: ChangesWish = {}, { signal }: Abortable = {}) =>
      this.http.get<RepoDiff>(`${repoPath(id)}/diff${queryOf(wish)}`, signal),
    status: (id: string, { signal }: Abortable = {}) =>
      this.http.get<RepoStatus>(`${repoPath(id)}/status`, signal),
    /** Lets agents run in a repository, with the agent configuration it has now. */
    trust: (id: string) => this.http.post<void>(`${repoPath(id)}/trust`),
    /** Folders under the workspace roots; without a path the roots themselves. */
    browse: (path?: string, { signal }: Abortable = {}) =>
      this.http.get<Folders>(`/api/browse${queryOf({ path })}`, signal),
  }

  readonly sessions = {
    list: (filter: SessionFilter = {}, { signal }: Abortable = {}) =>
      this.http.get<SessionList>(`/api/sessions${queryOf(filter)}`, signal),
    get: (id: string, { signal }: Abortable = {}) =>
      this.http.get<SessionDetail>(sessionPath(id), signal),
    /** What changed in the repository since the session began. */
    changes: (id: string, wish: SessionChangesWish = {}, { signal }: Abortable = {}) =>
      this.http.get<SessionChanges>(`${sessionPath(id)}/changes${queryOf(wish)}`, signal),
    /** The newest lines between the hub and the session's agent, oldest first. */
    wire: async (id: string, { limit, signal }: Abortable & { readonly limit?: number } = {}) => {
      const path = `${sessionPath(id)}/wire${queryOf({ limit })}`
      return (await this.http.get<{ frames: WireFrame[] }>(path, signal)).frames
    },
    /** Renames, pins, archives or sets up a session. */
    change: (id: string, change: SessionChange) =>
      this.http.send<SessionSummary>(sessionPath(id), { method: 'PATCH', body: change }),
    /** Ends a session as cancelled; with `purge` everything of it is removed for good. */
    delete: (id: string, wish: { readonly purge?: boolean } = {}) =>
      this.http.send<SessionSummary>(`${sessionPath(id)}${queryOf(wish)}`, { method: 'DELETE' }),
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

  /** Says whether somebody sees this page. Who does not is told of news by Web Push, if subscribed. */
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

  /** Who is signed in. Throws `unauthorized` when nobody is. */
  me(): Promise<Principal> {
    return this.http.get('/api/me')
  }

  /** Trades the one-time code that `quayside start` prints for a cookie. */
  async signIn(code: string): Promise<void> {
    await this.http.post('/api/login', { code })
  }

  async signOut(): Promise<void> {
    await this.http.post('/api/logout')
  }

  /** Starts an agent in a repository. Nothing stays of a session whose `config` or `prompt` is refused. */
  async newSession(
    { repo, agent, title, settings, config = {}, prompt }: NewSession,
    { signal }: Abortable = {},
  ): Promise<AgentSession> {
    const found = await this.#requireRepo(repo, signal)
    const body = { repoId: found.id, extensionId: agent, title, settings }
    const info = await this.http.post<SessionSummary>('/api/sessions', body, signal)
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
    { after, signal }: Abortable & { readonly after?: number } = {},
  ): Promise<AgentSession> {
    const detail = await this.sessions.get(id, { signal })
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

  async #requireRepo(wanted: string, signal: AbortSignal | undefined): Promise<Repo> {
    const repos = await this.repos.list({ signal })
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
  const Global = globalThis.WebSocket as WebSocketConstructor & typeof globalThis.WebSocket
  if (typeof Global !== 'function')
    throw new TypeError(
      "There is no global WebSocket here. Install `ws` and pass it: import { WebSocket } from 'ws'",
    )
  // A browser's takes no headers, and needs none: it sends its cookie. That of Node 22 takes them.
  return (headers) => ('authorization' in headers ? new Global(url, { headers }) : new Global(url))
}

function webSocketUrl(url: string): string {
  const address = new URL('/ws', url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}
