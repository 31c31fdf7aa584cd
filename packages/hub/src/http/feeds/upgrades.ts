// The WebSockets of the hub's port: `/ws` for clients, `/acp` for ACP clients. The gates come before the 101.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { selectProtocol } from '@quayside/protocol'
import { followQuerySchema, type FollowInput } from '@quayside/protocol/schemas'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AcpEndpoint } from '../../acp/acp-endpoint.js'
import type { RawDeps } from '../../api/room.js'
import { HubError } from '../../errors.js'
import { logRejection } from '../../log.js'
import type { MessageHooks } from '../../message-hooks.js'
import type { FollowRanges } from '../../sessions/log/follow-ranges.js'
import { isPromise } from '../../store/maybe-promise.js'
import { toHubError } from '../error-response.js'
import { FeedSocket, type RpcMethod } from './feed-socket.js'
import type { Gates } from '../access/gates.js'
import { type Caller, requireScope } from '../access/principal.js'

type UpgradeDeps = Pick<RawDeps, 'credentials' | 'eventLog' | 'lister' | 'log'> & {
  readonly acp: AcpEndpoint
  readonly gates: Gates
  readonly hooks: MessageHooks
  readonly methods: ReadonlyMap<string, RpcMethod>
  readonly ranges: FollowRanges
}

const MAX_FRAME_BYTES = 1024 * 1024
const GOING_AWAY = 1001

export class Upgrades {
  readonly #deps: UpgradeDeps
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: selectProtocol,
  })

  constructor(deps: UpgradeDeps) {
    this.#deps = deps
  }

  /** Open ones of clients, for the metrics. */
  get count(): number {
    return this.#sockets.clients.size + this.#deps.acp.socketCount
  }

  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // A client may disconnect before the socket is accepted.
    socket.on('error', () => socket.destroy())
    this.#open(request, [socket, head]).catch((error: unknown) =>
      refuse(socket, toHubError(error), request),
    )
  }

  async #open(request: IncomingMessage, wire: [Duplex, Buffer]): Promise<void> {
    const { gates } = this.#deps
    gates.requireHost(request)
    const found = gates.requireCaller(request)
    const caller = isPromise(found) ? await found : found
    const url = new URL(request.url ?? '', 'http://hub')
    if (url.pathname === '/acp') this.#openAcp(request, wire, caller)
    else if (url.pathname === '/ws') await this.#openFeed(request, wire, caller)
    else throw new HubError('not_found')
  }

  /** Clients come back by themselves when there is a hub again. */
  close(): void {
    for (const socket of this.#sockets.clients) socket.close(GOING_AWAY, 'The hub is stopping.')
  }

  /** Drops sockets that did not complete the close handshake. */
  terminate(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
  }

  #openAcp(request: IncomingMessage, wire: [Duplex, Buffer], caller: Caller): void {
    requireScope(caller, 'write')
    this.#deps.acp.upgrade(request, wire, caller.by)
    this.#whenRevoked(caller, wire[0], () => wire[0].destroy())
  }

  async #openFeed(
    request: IncomingMessage,
    [socket, head]: [Duplex, Buffer],
    caller: Caller,
  ): Promise<void> {
    const { methods, eventLog, hooks, log } = this.#deps
    const { searchParams } = new URL(request.url ?? '', 'http://hub')
    const { sessionId, ...query } = followQuerySchema.parse(Object.fromEntries(searchParams))
    const follow = sessionId === undefined ? undefined : await this.#findRange(sessionId, query)
    this.#sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const find = (name: string) => methods.get(name)
      const onMessage = (message: unknown) => hooks.clientMessage(message, caller.by)
      const feed = new FeedSocket(ws, { caller, find, eventLog, onMessage, log })
      // Without a close handshake: later messages of the client must not be processed.
      this.#whenRevoked(caller, ws, () => ws.terminate())
      if (follow)
        logRejection(log, 'following a session', feed.follow(follow.sessionId, follow.range))
    })
  }

  async #findRange(sessionId: string, query: FollowInput) {
    const { lister, ranges } = this.#deps
    if (!(await lister.find(sessionId))) throw new HubError('session_not_found', { sessionId })
    return { sessionId, range: await ranges.resolve(sessionId, query) }
  }

  #whenRevoked(
    { credentialId }: Caller,
    socket: { once(event: 'close', listener: () => void): unknown },
    end: () => void,
  ): void {
    if (credentialId === undefined) return
    socket.once('close', this.#deps.credentials.onRevoked(credentialId, end))
  }
}

/** Before the 101, so that a refused client never holds an open socket. */
function refuse(socket: Duplex, error: HubError, request: IncomingMessage): void {
  const body = JSON.stringify(error.toBody())
  socket.end(
    `HTTP/${request.httpVersion} ${error.status} Refused\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
