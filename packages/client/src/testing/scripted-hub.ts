// A hub in memory for tests of programs that use the client: its agent and its faults are scripts.
import {
  ERRORS,
  type Extension,
  type Repo,
  type SessionEvent,
  type SocketInput,
} from '@quayside/protocol'
import { AgentChatClient, type AgentChatClientOptions } from '../client.js'
import { ClientError } from '../connection/client-error.js'
import type { WebSocketConstructor } from '../connection/rpc-socket.js'
import { runCommand, type ScriptedCommands, scriptedCommands } from './scripted-commands.js'
import { ScriptedSession, type ScriptedAgent } from './scripted-session.js'
import { ScriptedSocket } from './scripted-socket.js'

export type ScriptedRequest = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: unknown
}
export type ScriptedAnswer = { readonly status?: number; readonly body?: unknown }
type FollowParams = SocketInput<'session/follow'>
type RpcCall = { readonly id: number; readonly method: string; readonly params: FollowParams }

export class ScriptedHub {
  readonly url = 'http://hub.test'
  readonly repos: Repo[] = [
    {
      id: 'repo-1',
      name: 'shop-api',
      path: '/src/shop-api',
      missing: false,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  ]
  readonly extensions: Extension[] = [
    { id: 'demo', name: 'Demo agent', type: 'acp', enabled: true, state: 'enabled' },
  ]
  readonly sessions = new Map<string, ScriptedSession>()
  /** All requests over HTTP, and over the WebSocket. */
  readonly requests: ScriptedRequest[] = []
  readonly calls: RpcCall[] = []
  /** The commands that it has, by name. Replace them, or add your own. */
  readonly commands: ScriptedCommands = scriptedCommands(this)
  /** Answers to one exact request: by method and path, such as `GET /api/repos/repo-1/files?q=a`. */
  readonly routes = new Map<string, (request: ScriptedRequest) => ScriptedAnswer>()
  /** Answers the prompts. */
  agent: ScriptedAgent = (turn) => turn.say(`You said: ${turn.text}`)
  /** False: nothing answers, as when the network is gone; sockets that are open stay so, and are silent. */
  isUp = true
  /** False: every request needs a sign-in first. */
  isSignedIn = true
  /** Changes the first events that a follower gets: a hub that repeats, skips or reorders. */
  replay = (events: readonly SessionEvent[]): readonly SessionEvent[] => events
  readonly #follows = new Map<ScriptedSocket, Set<string>>()
  readonly #watches = new Set<ScriptedSocket>()
  #added = 0
  readonly #arrivals = new Set<() => void>()

  /** A client of this hub; it reconnects without pauses. */
  client(options: Partial<AgentChatClientOptions> = {}): AgentChatClient {
    return new AgentChatClient({
      url: this.url,
      fetch: this.fetch,
      WebSocket: this.WebSocket,
      reconnect: { minDelayMs: 0, maxDelayMs: 0 },
      ...options,
    })
  }

  /** A session that is there already. */
  addSession({ id = `session-${++this.#added}`, title }: { id?: string; title?: string } = {}) {
    const session = new ScriptedSession({
      id,
      title,
      repoId: this.repos[0]?.id ?? '',
      extensionId: this.extensions[0]?.id ?? '',
      agent: () => this.agent,
      onAppend: (events) => this.#publish(id, events),
    })
    this.sessions.set(id, session)
    this.#sendSession(id)
    return session
  }

  /** Takes a session away, as someone who purges it. */
  removeSession(id: string): void {
    this.sessions.delete(id)
    for (const [socket, followed] of this.#follows)
      if (followed.delete(id)) socket.deliver(notification('session/removed', { sessionId: id }))
    this.#sendSession(id)
  }

  requireSession(id: string): ScriptedSession {
    const session = this.sessions.get(id)
    if (!session) throw new ClientError('session_not_found', 'No such session.')
    return session
  }

  /** Loses every WebSocket without a goodbye, as a network does. */
  drop(): void {
    for (const socket of this.#follows.keys()) socket.lose()
    this.#follows.clear()
    this.#watches.clear()
  }

  /** Resolves when sessions were asked to be followed `count` times in all. */
  async followed(count: number): Promise<void> {
    while (this.calls.filter(({ method }) => method === 'session/follow').length < count)
      await new Promise<void>((resolve) => this.#arrivals.add(resolve))
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const { method = 'GET', body } = init
    if (!this.isUp) throw new TypeError('fetch failed')
    const text = typeof body === 'string' ? body : undefined
    const request = { method, path: pathname + search, body: text && JSON.parse(text) }
    this.requests.push(request)
    const { status = 200, body: answer } = this.#answer(request)
    const json = answer === undefined ? null : JSON.stringify(answer)
    return new Response(json, { status, headers: { 'content-type': 'application/json' } })
  }

  readonly WebSocket: WebSocketConstructor = scriptedWebSockets(() => {
    const socket = new ScriptedSocket((from, data) => this.#onCall(from, JSON.parse(data)))
    queueMicrotask(() => {
      if (!this.isUp || !this.isSignedIn) return socket.lose()
      this.#follows.set(socket, new Set())
      socket.open()
    })
    return socket
  })

  #answer(request: ScriptedRequest): ScriptedAnswer {
    try {
      if (!this.isSignedIn) throw new ClientError('unauthorized', 'Sign in first.')
      const own = this.routes.get(`${request.method} ${request.path}`)
      return own?.(request) ?? this.#run(request)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      const { code, message, details } = error
      const { status } = ERRORS[code as keyof typeof ERRORS] ?? { status: 400 }
      return { status, body: { error: { code, message, details } } }
    }
  }

  #run(request: ScriptedRequest): ScriptedAnswer {
    const body = runCommand(this.commands, request)
    return body === undefined ? { status: 204 } : { body }
  }

  #onCall(socket: ScriptedSocket, call: RpcCall): void {
    if (!this.isUp) return
    const { id, method, params } = call
    if (method !== 'ping') this.calls.push(call)
    try {
      const result = this.#result(socket, call)
      socket.deliver({ jsonrpc: '2.0', id, result })
      if (method === 'session/follow') this.#replay(socket, params)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      const { message, code, details } = error
      const data = { code, details }
      socket.deliver({ jsonrpc: '2.0', id, error: { code: -32_000, message, data } })
    }
    for (const arrived of this.#arrivals) arrived()
    this.#arrivals.clear()
  }

  #result(socket: ScriptedSocket, call: RpcCall): object {
    if (call.method === 'ping' || call.method === 'page/visible') return {}
    if (call.method !== 'sessions/watch') return this.#follow(socket, call)
    this.#watches.add(socket)
    return {}
  }

  #follow(socket: ScriptedSocket, { method, params: { sessionId } }: RpcCall): object {
    const session = this.requireSession(sessionId)
    if (method === 'session/unfollow') this.#follows.get(socket)?.delete(sessionId)
    else this.#follows.get(socket)?.add(sessionId)
    return { lastSeq: session.log.length }
  }

  #replay(socket: ScriptedSocket, { sessionId, after = 0 }: FollowParams): void {
    sendEvents(socket, sessionId, this.replay(this.requireSession(sessionId).log.slice(after)))
  }

  #publish(sessionId: string, events: readonly SessionEvent[]): void {
    if (!this.isUp) return
    for (const [socket, followed] of this.#follows)
      if (followed.has(sessionId)) sendEvents(socket, sessionId, events)
    this.#sendSession(sessionId)
  }

  #sendSession(id: string): void {
    const session = this.sessions.get(id)
    const params = session
      ? { sessions: [session.summary], removed: [] }
      : { sessions: [], removed: [id] }
    for (const socket of this.#watches) socket.deliver(notification('sessions/changed', params))
  }
}

function sendEvents(
  socket: ScriptedSocket,
  sessionId: string,
  events: readonly SessionEvent[],
): void {
  if (events.length === 0) return
  socket.deliver(notification('session/events', { sessionId, events }))
}

function notification(method: string, params: object): object {
  return { jsonrpc: '2.0', method, params }
}

/** Clients call `new`; a constructor may answer with another object than its own. */
function scriptedWebSockets(open: () => ScriptedSocket): WebSocketConstructor {
  return function WebSocket() {
    return open()
  } as unknown as WebSocketConstructor
}
