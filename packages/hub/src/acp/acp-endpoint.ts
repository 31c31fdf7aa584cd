// Where ACP clients come in: WebSocket and Streamable HTTP at /acp, by the SDK's server. Whoever gets here has passed the gates.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createNodeHttpHandler } from '@agentclientprotocol/sdk/experimental/node'
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server'
import { z } from 'zod'
import { WebSocketServer } from 'ws'
import type { Extensions } from '../agents/extensions/extensions.js'
import { HubError } from '../errors.js'
import { AcpClient, type AcpDeps } from './acp-client.js'
import { HttpConnections } from './http-connections.js'
import { keepAlive } from './keep-alive.js'

export type AcpEndpointDeps = AcpDeps & { readonly agents: { readonly extensions: Extensions } }

/** Who comes in, and which agent its new sessions have when they name none. */
export type AcpVisitor = { readonly by: string; readonly extensionId?: string | undefined }

/** A prompt with a few pictures. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** What may wait for a slow client, and from a fast one: two messages of the largest kind. */
const MAX_BUFFERED_BYTES = 2 * MAX_MESSAGE_BYTES
const MAX_CLIENTS = 256

const querySchema = z.object({ agent: z.string().min(1).max(128).exactOptional() })

type Entrance = { readonly server: AcpServer; readonly connections: HttpConnections }

export class AcpEndpoint {
  readonly #deps: AcpEndpointDeps
  /** One for each kind of visitor, so that nobody goes on with a connection of somebody else. */
  readonly #entrances = new Map<string, Entrance>()
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  readonly #connectionIds = new WeakMap<IncomingMessage, string>()
  #clients = 0

  constructor(deps: AcpEndpointDeps) {
    this.#deps = deps
    this.#sockets.on('headers', (headers, request) => {
      headers.push(`Acp-Connection-Id: ${this.#connectionIds.get(request) ?? ''}`)
    })
  }

  /** Throws before anything is created. */
  handle(request: IncomingMessage, response: ServerResponse, by: string): void {
    if (request.headers['acp-connection-id'] === undefined) this.#requireRoom()
    const { server, connections } = this.#entrance(request, by)
    connections.serve(request, response)
    createNodeHttpHandler(server, { maxRequestBodyBytes: MAX_MESSAGE_BYTES })(request, response)
  }

  /** Throws before anything is created. */
  upgrade(request: IncomingMessage, [socket, head]: [Duplex, Buffer], by: string): void {
    this.#requireRoom()
    const prepared = this.#entrance(request, by).server.prepareWebSocketUpgrade()
    const giveUp = (): void => prepared.reject()
    socket.once('close', giveUp)
    this.#connectionIds.set(request, prepared.connectionId)
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      socket.off('close', giveUp)
      keepAlive(client, socket)
      prepared.accept(client)
    })
  }

  /** Open ones, for the metrics. */
  get socketCount(): number {
    return this.#sockets.clients.size
  }

  /** By WebSocket or HTTP. */
  get clientCount(): number {
    return this.#clients
  }

  async close(): Promise<void> {
    for (const { connections } of this.#entrances.values()) connections.close()
    await Promise.all([...this.#entrances.values()].map(({ server }) => server.close()))
    for (const client of this.#sockets.clients) client.terminate()
  }

  #requireRoom(): void {
    if (this.#clients >= MAX_CLIENTS) throw new HubError('connection_limit')
  }

  #entrance(request: IncomingMessage, by: string): Entrance {
    const { searchParams } = new URL(request.url ?? '', 'http://hub')
    const { agent: extensionId } = querySchema.parse(Object.fromEntries(searchParams))
    // Also keeps the number of entrances small.
    if (extensionId !== undefined) this.#deps.agents.extensions.require(extensionId)
    const key = JSON.stringify([by, extensionId])
    const entrance = this.#entrances.get(key) ?? this.#build({ by, extensionId })
    this.#entrances.set(key, entrance)
    return entrance
  }

  #build({ by, extensionId }: AcpVisitor): Entrance {
    const server = new AcpServer({
      createAgent: () => ({
        connect: (stream) => {
          const client = new AcpClient(stream, { ...this.#deps, by, extensionId })
          this.#clients += 1
          void client.closed.then(() => (this.#clients -= 1))
          return client
        },
      }),
      maxBufferedBytes: MAX_BUFFERED_BYTES,
    })
    return { server, connections: new HttpConnections(server) }
  }
}
