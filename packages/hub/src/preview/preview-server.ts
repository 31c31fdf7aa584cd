// Serves one local port on another port, and thereby on an origin of its own: HTTP and WebSockets, for browsers with the preview's cookie.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { Certificate } from '../reach/certificate.js'
import type { ListeningPort } from './listening-ports.js'
import { requestHeaders, responseHeaders } from './preview-headers.js'

export type PreviewOptions = {
  readonly target: ListeningPort
  /** The address that the hub listens on. */
  readonly host: string
  readonly certificate: Certificate | undefined
  /** Throws for a Host that is not the hub's own. */
  readonly requireHost: (request: IncomingMessage) => void
  /** False when the program that opened the port has ended. */
  readonly isOpen: () => boolean
}

const TOKEN_MS = 60_000
const TOKEN = 'quayside_preview_token'
const CONNECT_MS = 10_000
const NOT_ALLOWED = 'Open this preview from its session.'
const GONE = 'No program listens on this port any more. Start it again, then reload this page.'
const NO_ANSWER =
  'The program on this port does not answer. Look at its output in the session, then reload this page.'

export class PreviewServer {
  readonly #options: PreviewOptions
  readonly #server: Server
  readonly #secret = randomBytes(32).toString('base64url')
  /** One-time tokens with their expiry, by the monotonic clock. */
  readonly #tokens = new Map<string, number>()
  readonly #upgraded = new Set<Duplex>()
  #lastUse = performance.now()

  private constructor(options: PreviewOptions) {
    this.#options = options
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      this.#handle(request, response)
    this.#server = options.certificate
      ? createTlsServer({ ...options.certificate }, handle)
      : createServer(handle)
    this.#server.on('upgrade', (request, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    )
  }

  static async open(options: PreviewOptions): Promise<PreviewServer> {
    const preview = new PreviewServer(options)
    preview.#server.listen(0, options.host)
    await once(preview.#server, 'listening')
    return preview
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get target(): ListeningPort {
    return this.#options.target
  }

  idleMs(): number {
    return this.#upgraded.size > 0 ? 0 : performance.now() - this.#lastUse
  }

  /** A path that lets one browser in, once, within a minute. */
  mintPath(): string {
    const now = performance.now()
    for (const [token, end] of this.#tokens) if (end < now) this.#tokens.delete(token)
    const token = randomBytes(32).toString('base64url')
    this.#tokens.set(token, now + TOKEN_MS)
    this.#lastUse = now
    return `/?${TOKEN}=${token}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
    for (const socket of this.#upgraded) socket.destroy()
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#refusalOf(request)
    if (this.#admit(request, response)) return
    if (refusal !== undefined) return void response.writeHead(refusal.status).end(refusal.message)
    const { port, host } = this.target
    const headers = requestHeaders(request.headers, `localhost:${port}`)
    const { method, url: path } = request
    const proxied = requestHttp({ host, port, method, path, headers, timeout: CONNECT_MS })
    proxied.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.headers))
      pipeline(answer, response, () => {})
    })
    proxied.on('timeout', () => !response.headersSent && proxied.destroy(new Error(NO_ANSWER)))
    proxied.on('error', ({ message }) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(message === NO_ANSWER ? NO_ANSWER : GONE)
    })
    response.on('close', () => proxied.destroy())
    pipeline(request, proxied, () => {})
  }

  /** Exchanges the token in the address for the cookie of this origin. */
  #admit(request: IncomingMessage, response: ServerResponse): boolean {
    const token = new URL(request.url ?? '/', 'http://preview').searchParams.get(TOKEN)
    if (token === null || request.method !== 'GET') return false
    try {
      this.#options.requireHost(request)
    } catch {
      return false
    }
    const end = this.#tokens.get(token)
    this.#tokens.delete(token)
    if (end === undefined || end < performance.now()) return false
    const secure = this.#options.certificate ? ' Secure;' : ''
    const cookie = `${this.#cookieName}=${this.#secret};${secure} HttpOnly; SameSite=Strict; Path=/`
    response.writeHead(303, {
      location: '/',
      'set-cookie': cookie,
      'referrer-policy': 'no-referrer',
    })
    response.end()
    return true
  }

  get #cookieName(): string {
    return `quayside_preview_${this.port}`
  }

  #refusalOf(request: IncomingMessage) {
    try {
      this.#options.requireHost(request)
    } catch {
      return { status: 403, message: NOT_ALLOWED }
    }
    if (!this.#hasCookie(request) || this.#isForeign(request))
      return { status: 403, message: NOT_ALLOWED }
    this.#lastUse = performance.now()
    return this.#options.isOpen() ? undefined : { status: 502, message: GONE }
  }

  #hasCookie({ headers }: IncomingMessage): boolean {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2))
    const value = pairs.find(([name]) => name === this.#cookieName)?.[1] ?? ''
    return (
      value.length === this.#secret.length &&
      timingSafeEqual(Buffer.from(value), Buffer.from(this.#secret))
    )
  }

  /** True for a request from another origin on this host, such as another port: browsers send the cookie with it. */
  #isForeign({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers
    const scheme = this.#options.certificate ? 'https' : 'http'
    return origin !== undefined && origin !== `${scheme}://${host}`
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {})
    if (this.#refusalOf(request) !== undefined) return void socket.end(REFUSED)
    const { port, host } = this.target
    const program = connect({ host, port })
    program.on('error', () => socket.destroy())
    this.#upgraded.add(socket)
    socket.once('close', () => {
      this.#upgraded.delete(socket)
      program.destroy()
    })
    const headers = requestHeaders(request.headers, `localhost:${port}`)
    const lines = Object.entries({ ...headers, connection: 'Upgrade' }).map(
      ([name, value]) => `${name}: ${String(value)}`,
    )
    program.write([`GET ${request.url ?? '/'} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    program.write(head)
    program.pipe(socket)
    socket.pipe(program)
  }
}

const REFUSED = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'
