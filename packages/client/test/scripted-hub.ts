// A hub's outside without its inside: a real HTTP and WebSocket server whose logs and mishaps a test decides.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventBody, SessionEvent } from '@quayside/protocol'
import { WebSocket, WebSocketServer } from 'ws'
import { AgentChatClient } from '../src/client.js'
import type { AgentChatClientOptions } from '../src/client.js'

type Request = { id: number; method: string; params: { sessionId: string; after: number } }
type Route = (body: unknown) => { status?: number; body?: unknown }

export const SESSION_ID = 'a7a4bc0c-0000-7000-8000-000000000001'
export const TOKEN = 'secret'

export class ScriptedHub {
  readonly requests: Request[] = []
  readonly bodies: { path: string; body: unknown }[] = []
  readonly routes = new Map<string, Route>()
  readonly log: SessionEvent[] = []
  /** Changes what is sent for a follow request: a hub that repeats, skips or refuses. */
  replay = (events: SessionEvent[]) => events
  refusal: { code: string; message: string } | undefined
  #port = 0
  #followers = new Set<WebSocket>()
  #arrivals: (() => void)[] = []
  readonly #http = createServer((request, response) => void this.#answer(request, response))
  readonly #sockets = new WebSocketServer({ noServer: true })

  constructor() {
    this.#http.on('upgrade', (request, socket, head) => {
      if (!this.isAuthorized(request)) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
        return
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => {
        client.addEventListener('message', ({ data }) => {
          if (typeof data === 'string') this.#onRequest(client, JSON.parse(data))
        })
        client.on('close', () => this.#followers.delete(client))
      })
    })
    this.routes.set('GET /api/me', () => ({ body: { name: 'tester' } }))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#http.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#http.address() as AddressInfo).port
    return this
  }

  client(options: Partial<AgentChatClientOptions> = {}): AgentChatClient {
    return new AgentChatClient({
      url: this.url,
      token: TOKEN,
      WebSocket: (url, headers) => new WebSocket(url, { headers }),
      reconnect: { minDelayMs: 1, maxDelayMs: 5 },
      ...options,
    })
  }

  append(...bodies: EventBody[]): void {
    const events = bodies.map((body, index) => ({
      sessionId: SESSION_ID,
      seq: this.log.length + index + 1,
      at: 0,
      ...body,
    }))
    this.log.push(...events)
    for (const follower of this.#followers) sendEvents(follower, events)
  }

  /** Ends every WebSocket without a goodbye, as a lost network does. */
  drop(): void {
    for (const client of this.#sockets.clients) client.terminate()
  }

  /** Resolves when the client has asked to follow a session `count` times in all. */
  async followed(count: number): Promise<void> {
    while (this.#asked('session/follow') < count) {
      await new Promise<void>((resolve) => this.#arrivals.push(resolve))
    }
  }

  isAuthorized({ headers }: IncomingMessage): boolean {
    return headers.authorization === `Bearer ${TOKEN}`
  }

  async stop(): Promise<void> {
    this.drop()
    await new Promise((resolve) => {
      this.#http.close(resolve)
      this.#http.closeAllConnections()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #asked(method: string): number {
    return this.requests.filter((request) => request.method === method).length
  }

  #onRequest(client: WebSocket, request: Request): void {
    this.requests.push(request)
    const { id, method, params } = request
    if (this.refusal) {
      const { message, ...data } = this.refusal
      client.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message, data } }))
    } else {
      client.send(JSON.stringify({ jsonrpc: '2.0', id, result: { lastSeq: this.log.length } }))
      if (method === 'session/unfollow') this.#followers.delete(client)
      else this.#followers.add(client)
      if (method === 'session/follow') sendEvents(client, this.replay(this.log.slice(params.after)))
    }
    for (const arrived of this.#arrivals.splice(0)) arrived()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const path = request.url ?? ''
    this.bodies.push({ path, body })
    const route = this.routes.get(`${request.method} ${path}`)
    const answer = !this.isAuthorized(request)
      ? failure(401, 'unauthorized')
      : (route?.(body) ?? failure(404, 'not_found'))
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  }
}

export function failure(status: number, code: string, details?: Record<string, unknown>) {
  return { status, body: { error: { code, message: `It is ${code}.`, details } } }
}

/** A short event that is easy to tell from its neighbours. */
export function note(message: string): EventBody {
  return { type: 'notice', data: { severity: 'info', code: 'note', message } }
}

function sendEvents(client: WebSocket, events: readonly SessionEvent[]): void {
  const params = { sessionId: SESSION_ID, events }
  client.send(JSON.stringify({ jsonrpc: '2.0', method: 'session/events', params }))
}
