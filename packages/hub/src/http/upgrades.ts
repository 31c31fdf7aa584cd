// The WebSockets of the hub's port: `/ws` for clients, `/acp` for ACP clients. The gates come before the 101.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { followQuerySchema, type FollowWish } from '@quayside/protocol/schemas'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AcpEndpoint } from '../acp/acp-endpoint.js'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { MessageHooks } from '../message-hooks.js'
import type { EventLog } from '../sessions/log/event-log.js'
import type { AccessDeps } from './access-routes.js'
import { toHubError } from './error-response.js'
import { FeedSocket, type RpcMethod } from './feed-socket.js'
import type { Gates } from './gates.js'
import { requireScope, scopeOfMethod } from './required-scope.js'
import type { Principal } from './sign-in.js'
import { socketMethods, type SocketDeps } from './socket-methods.js'

export type UpgradeDeps = SocketDeps &
  AccessDeps & {
    readonly acp: AcpEndpoint
    readonly gates: Gates
    readonly hooks: MessageHooks
    readonly eventLog: EventLog
    readonly log: Log
  }

const MAX_FRAME_BYTES = 1024 * 1024
const GOING_AWAY = 1001

export class Upgrades {
  readonly #deps: UpgradeDeps
  readonly #methods: ReadonlyMap<string, RpcMethod>
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  })

  constructor(deps: UpgradeDeps) {
    this.#deps = deps
    this.#methods = socketMethods(deps)
  }

  /** Open ones of clients, for the metrics. */
  get count(): number {
    return this.#sockets.clients.size + this.#deps.acp.socketCount
  }

  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#open(request, [socket, head]).catch((error: unknown) =>
      refuse(socket, toHubError(error), request),
    )
  }

  async #open(request: IncomingMessage, wire: [Duplex, Buffer]): Promise<void> {
    const { gates } = this.#deps
    gates.requireHost(request)
    const principal = gates.requirePrincipal(request)
    const url = new URL(request.url ?? '', 'http://hub')
    if (url.pathname === '/acp') this.#openAcp(request, wire, principal)
    else if (url.pathname === '/ws') await this.#openFeed(request, wire, principal)
    else throw new HubError('not_found')
  }

  /** Clients come back by themselves when there is a hub again. */
  close(): void {
    for (const socket of this.#sockets.clients) socket.close(GOING_AWAY, 'The hub is stopping.')
  }

  /** At the end of the end: whoever has not answered the goodbye. */
  terminate(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
  }

  #openAcp(request: IncomingMessage, wire: [Duplex, Buffer], principal: Principal): void {
    requireScope(principal, 'write')
    this.#deps.acp.upgrade(request, wire, principal.name)
    this.#whenRevoked(principal, wire[0], () => wire[0].destroy())
  }

  async #openFeed(
    request: IncomingMessage,
    [socket, head]: [Duplex, Buffer],
    principal: Principal,
  ): Promise<void> {
    const { eventLog, hooks, log } = this.#deps
    const { searchParams } = new URL(request.url ?? '', 'http://hub')
    const { sessionId, ...query } = followQuerySchema.parse(Object.fromEntries(searchParams))
    const follow = sessionId === undefined ? undefined : await this.#findRange(sessionId, query)
    this.#sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const { name: by, credentialId } = principal
      const find = allowed(this.#methods, principal)
      const onMessage = (message: unknown) => hooks.clientMessage(message, by)
      const feed = new FeedSocket(ws, { by, credentialId, find, eventLog, onMessage, log })
      // Without a goodbye: what the client still sends must not be heard.
      this.#whenRevoked(principal, ws, () => ws.terminate())
      if (follow)
        logRejection(log, 'following a session', feed.follow(follow.sessionId, follow.range))
    })
  }

  async #findRange(sessionId: string, query: FollowWish) {
    const { lister, ranges } = this.#deps
    if (!(await lister.find(sessionId))) throw new HubError('session_not_found', { sessionId })
    return { sessionId, range: await ranges.resolve(sessionId, query) }
  }

  #whenRevoked(
    { credentialId }: Principal,
    socket: { once(event: 'close', listener: () => void): unknown },
    end: () => void,
  ): void {
    if (credentialId === undefined) return
    socket.once('close', this.#deps.credentials.onRevoked(credentialId, end))
  }
}

/** Guarded when it is looked up, so that an idle socket holds no methods of its own. */
function allowed(
  methods: ReadonlyMap<string, RpcMethod>,
  principal: Principal,
): (name: string) => RpcMethod | undefined {
  return (name) => {
    const method = methods.get(name)
    if (method === undefined) return undefined
    return (params, socket) => {
      requireScope(principal, scopeOfMethod(name))
      return method(params, socket)
    }
  }
}

/** Before the 101, so that a refused client never holds an open socket. */
function refuse(socket: Duplex, error: HubError, request: IncomingMessage): void {
  const body = JSON.stringify(error.toBody())
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/${request.httpVersion} ${error.status} Refused\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
