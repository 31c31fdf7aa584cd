// The port of the hub: its own server, or the server of a program that embeds it.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.js'
import type { Certificate } from '../reach/certificate.js'
import { isWildcard } from '../reach/own-addresses.js'
import type { Gates } from './access/gates.js'
import type { Upgrades } from './feeds/upgrades.js'

export type Port = {
  /** Such as `http://127.0.0.1:4444`. */
  readonly address: string
  /** Accepts no new connections and announces the end on open ones. */
  close(): void
  /** Drops the connections that are still open. */
  end(): void
}

export type PortOptions = {
  readonly app: RequestListener
  readonly upgrades: Upgrades
  readonly gates: Gates
  readonly config: Config
  readonly certificate: Certificate | undefined
  readonly server: Server | undefined
}

const SERVER_OPTIONS = {
  headersTimeout: 8_000,
  // Node looks for slow connections only every 30 seconds by default.
  connectionsCheckingInterval: 2_000,
  // Longer than the 60 seconds for which proxies and clients keep a connection: a request that is sent while the hub closes it fails.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
}

/** A connection that never finishes its handshake holds a file descriptor. */
const TLS_OPTIONS = { handshakeTimeout: 8_000, minVersion: 'TLSv1.2' } as const

/** On a shared server only these are the hub's; its page is not served there. */
const OURS = /^\/(api|media|acp|metrics|ws)(\/|\?|$)/

export async function openPort(options: PortOptions): Promise<Port> {
  const { app, upgrades, gates, config, certificate, server: shared } = options
  const handle: Handler = (request, socket, head) => upgrades.handle(request, socket, head)
  if (shared) return sharePort(shared, { app, upgrades, handle })
  const server: Server = certificate
    ? createTlsServer({ ...SERVER_OPTIONS, ...TLS_OPTIONS, ...certificate }, app)
    : createServer(SERVER_OPTIONS, app)
  gates.strangers.watch(server)
  server.on('upgrade', handle)
  await listen(server, config)
  return {
    address: addressOf(server, config.host, certificate && 'https'),
    close: () => {
      server.close()
      server.closeIdleConnections()
      upgrades.close()
    },
    end: () => {
      upgrades.terminate()
      server.closeAllConnections()
    },
  }
}

type Handler = (...upgrade: Parameters<Upgrades['handle']>) => void
type Shared = {
  readonly app: RequestListener
  readonly upgrades: Upgrades
  readonly handle: Handler
}

/** The server listens already, or will. Requests for other paths go to the earlier listeners. */
async function sharePort(server: Server, { app, upgrades, handle }: Shared): Promise<Port> {
  const leaveRequests = goBefore(server, 'request', app)
  const leaveUpgrades = goBefore(server, 'upgrade', handle)
  if (!server.listening)
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve)
      server.once('error', reject)
    })
  return {
    address: addressOf(server, '127.0.0.1'),
    close: () => {
      leaveRequests()
      leaveUpgrades()
      upgrades.close()
    },
    end: () => upgrades.terminate(),
  }
}

type Listener<Rest extends unknown[]> = (request: IncomingMessage, ...rest: Rest) => void

/** Requests for other paths go to the earlier listeners. They do not get ours: an app answers every path, if only with 404. */
function goBefore<Rest extends unknown[]>(
  server: Server,
  event: 'request' | 'upgrade',
  ours: Listener<Rest>,
): () => void {
  const others = server.listeners(event) as Listener<Rest>[]
  const route = (request: IncomingMessage, ...rest: Rest): void => {
    if (OURS.test(request.url ?? '')) return ours(request, ...rest)
    for (const other of others) other.call(server, request, ...rest)
  }
  server.removeAllListeners(event)
  server.on(event, route)
  return () => {
    server.off(event, route)
    for (const other of others) server.on(event, other)
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(
              `Port ${port} is in use. Stop what listens there, or choose another with --port.`,
              { cause: error },
            )
          : error,
      ),
    )
    server.listen(port, host, resolve)
  })
}

/** A server that listens on every address is named by the one that always works here. */
function addressOf(server: Server, host: string, scheme = 'http'): string {
  const { port } = server.address() as AddressInfo
  const name = isWildcard(host) ? '127.0.0.1' : host
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
