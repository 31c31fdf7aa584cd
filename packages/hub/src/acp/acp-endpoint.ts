// The ACP endpoint: WebSocket and Streamable HTTP at /acp, served by the SDK. Requests have passed the gates of http/ before.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createNodeHttpHandler } from '@agentclientprotocol/sdk/experimental/node'
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server'
import { selectProtocol } from '@quayside/protocol'
import { z } from 'zod'
import { WebSocketServer } from 'ws'
import type { Extensions } from '../agents/extensions/extensions.js'
import { HubError } from '../errors.js'
import { AcpClient, type AcpDeps } from './acp-client.js'
import { HttpConnections } from './http-connections.js'
import { keepAlive } from './keep-alive.js'

export type AcpEndpointDeps = AcpDeps & { readonly agents: { readonly extensions: Extensions } }

/** The user of a client, and the agent of new sessions that do not name one. */
type ServerKey = { readonly by: string; readonly extensionId?: string | undefined }

/** Enough for a prompt with a few images. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** The limit of queued messages in each direction: two of the largest size. */
const MAX_BUFFERED_BYTES = 2 * MAX_MESSAGE_BYTES
const MAX_CLIENTS = 256

const querySchema = z.object({ agent: z.string().min(1).max(128).exactOptional() })

type ServerEntry = { readonly server: AcpServer; readonly connections: HttpConnections }

export class AcpEndpoint {
  readonly #deps: AcpEndpointDeps
  /** One per user and agent, so that a client cannot use the connection of another user. */
  readonly #servers = new Map<string, ServerEntry>()
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: selectProtocol,
  })
  readonly #connectionIds = new WeakMap<IncomingMessage, string>()
  #clients = 0

  constructor(deps: AcpEndpointDeps) {
    this.#deps = deps
    this.#sockets.on('headers', (headers, request) => {
      headers.push(`Acp-Connection-Id: ${this.#connectionIds.get(request) ?? ''}`)
    })
  }

  /** Throws before a connection is created. */
  handle(request: IncomingMessage, response: ServerResponse, by: string): void {
    if (request.headers['acp-connection-id'] === undefined) this.#requireRoom()
    const { server, connections } = this.#serverFor(request, by)
    connections.serve(request, response)
    createNodeHttpHandler(server, { maxRequestBodyBytes: MAX_MESSAGE_BYTES })(request, response)
  }

  /** Throws before a connection is created. */
  upgrade(request: IncomingMessage, [socket, head]: [Duplex, Buffer], by: string): void {
    this.#requireRoom()
    const prepared = this.#serverFor(request, by).server.prepareWebSocketUpgrade()
    const reject = (): void => prepared.reject()
    socket.once('close', reject)
    this.#connectionIds.set(request, prepared.connectionId)
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      socket.off('close', reject)
      keepAlive(client, socket)
      prepared.accept(client)
    })
  }

  /** Open WebSockets, for the metrics. */
  get socketCount(): number {
    return this.#sockets.clients.size
  }

  /** Clients over WebSocket or HTTP. */
  get clientCount(): number {
    return this.#clients
  }

  async close(): Promise<void> {
    for (const { connections } of this.#servers.values()) connections.close()
    await Promise.all([...this.#servers.values()].map(({ server }) => server.close()))
    for (const client of this.#sockets.clients) client.terminate()
  }

  #requireRoom(): void {
    if (this.#clients >= MAX_CLIENTS) throw new HubError('connection_limit')
  }

  #serverFor(request: IncomingMessage, by: string): ServerEntry {
    const { searchParams } = new URL(request.url ?? '', 'http://hub')
    const { agent: extensionId } = querySchema.parse(Object.fromEntries(searchParams))
    // Also limits the number of servers.
    if (extensionId !== undefined) this.#deps.agents.extensions.require(extensionId)
    const key = JSON.stringify([by, extensionId])
    const entry = this.#servers.get(key) ?? this.#build({ by, extensionId })
    this.#servers.set(key, entry)
    return entry
  }

  #build({ by, extensionId }: ServerKey): ServerEntry {
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
