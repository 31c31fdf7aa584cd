// One WebSocket of a client: JSON-RPC 2.0 commands in, events of the sessions it follows out.
import type { RawData, WebSocket } from 'ws'
import type { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { EventLog } from '../sessions/event-log.js'
import { toHubError } from './error-response.js'

type RpcId = string | number | null
type RpcRequest = { readonly id?: RpcId; readonly method: string; readonly params: unknown }
export type RpcMethod = (params: unknown, socket: FeedSocket) => unknown

const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
/** Our own codes travel in `data.code`; JSON-RPC leaves this number to servers. */
const HUB_ERROR = -32_000
const PING_MS = 20_000

export class FeedSocket {
  readonly #socket: WebSocket
  readonly #closed = new AbortController()
  readonly #eventLog: EventLog
  readonly #methods: ReadonlyMap<string, RpcMethod>
  readonly #log: Log
  readonly #follows = new Map<string, AbortController>()
  #isAlive = true

  private constructor(
    socket: WebSocket,
    methods: ReadonlyMap<string, RpcMethod>,
    { eventLog, log }: { eventLog: EventLog; log: Log },
  ) {
    this.#socket = socket
    this.#methods = methods
    this.#eventLog = eventLog
    this.#log = log
  }

  /** Serves a socket until it closes. */
  static open(
    socket: WebSocket,
    methods: ReadonlyMap<string, RpcMethod>,
    parts: { eventLog: EventLog; log: Log },
  ): FeedSocket {
    const feed = new FeedSocket(socket, methods, parts)
    feed.#listen(socket, parts.log)
    return feed
  }

  #listen(socket: WebSocket, log: Log): void {
    const ping = setInterval(() => this.#ping(), PING_MS)
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('message', (data, isBinary) =>
      logRejection(log, 'answering a WebSocket message', this.#receive(data, isBinary)),
    )
    socket.on('error', (error) => log.debug({ err: error }, 'a WebSocket failed'))
    socket.on('close', () => {
      clearInterval(ping)
      this.#closed.abort()
      for (const follow of this.#follows.values()) follow.abort()
    })
  }

  /** Sends everything after `after`, then everything that comes. Following again moves the cursor. */
  follow(sessionId: string, after: number): { readonly lastSeq: number } {
    this.unfollow(sessionId)
    const follow = new AbortController()
    this.#follows.set(sessionId, follow)
    const send = this.#sendEvents(sessionId, after, follow.signal)
    logRejection(this.#log, 'sending events', send)
    return { lastSeq: this.#eventLog.lastSeq(sessionId) }
  }

  unfollow(sessionId: string): void {
    this.#follows.get(sessionId)?.abort()
    this.#follows.delete(sessionId)
  }

  /** Aborts when the client has gone. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Resolves when it has left, so that whoever has more to say can wait. */
  notify(method: string, params: unknown): Promise<void> {
    return this.#send(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }

  /** The next page is read only when this one has left: a slow client is behind, it costs no memory. */
  async #sendEvents(sessionId: string, after: number, signal: AbortSignal): Promise<void> {
    for await (const page of this.#eventLog.follow(sessionId, after, signal)) {
      const events = page.map(({ json }) => json).join(',')
      const params = `{"sessionId":"${sessionId}","events":[${events}]}`
      await this.#send(`{"jsonrpc":"2.0","method":"session/events","params":${params}}`)
    }
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    let message: unknown
    try {
      if (isBinary) throw new SyntaxError('binary frames are not used')
      // With the default binaryType a text message always arrives as one Buffer.
      message = JSON.parse((data as Buffer).toString('utf8'))
    } catch {
      await this.#send(
        rpcError(null, { code: PARSE_ERROR, message: 'The frame is not JSON text.' }),
      )
      return
    }
    if (!Array.isArray(message)) {
      const answer = await this.#answer(message)
      if (answer !== undefined) await this.#send(answer)
      return
    }
    const answers =
      message.length === 0
        ? [await this.#answer(null)]
        : await Promise.all(message.map((m) => this.#answer(m)))
    const wanted = answers.filter((answer) => answer !== undefined)
    if (wanted.length > 0) await this.#send(`[${wanted.join(',')}]`)
  }

  /** Undefined for a notification: JSON-RPC wants no answer to it. */
  async #answer(message: unknown): Promise<string | undefined> {
    const request = toRequest(message)
    if (request === undefined)
      return rpcError(null, { code: INVALID_REQUEST, message: 'Not a JSON-RPC 2.0 request.' })
    const { id, method, params } = request
    const run = this.#methods.get(method)
    const answer = await (run === undefined
      ? rpcError(id ?? null, { code: METHOD_NOT_FOUND, message: `There is no method "${method}".` })
      : this.#run(run, id ?? null, params))
    return id === undefined ? undefined : answer
  }

  async #run(run: RpcMethod, id: RpcId, params: unknown): Promise<string> {
    try {
      const result = (await run(params, this)) ?? {}
      return JSON.stringify({ jsonrpc: '2.0', id, result })
    } catch (error) {
      const hubError = toHubError(error)
      if (hubError.status >= 500)
        this.#log.error({ err: hubError.cause ?? hubError }, hubError.message)
      return rpcError(id, {
        code: rpcCode(hubError),
        message: hubError.message,
        data: { code: hubError.code, details: hubError.details },
      })
    }
  }

  #send(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.send(text, () => resolve()))
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }
}

function toRequest(message: unknown): RpcRequest | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return undefined
  return { method, params: params ?? {}, ...(id === undefined ? {} : { id }) }
}

function rpcCode(error: HubError): number {
  if (error.code === 'bad_request') return INVALID_PARAMS
  return error.code === 'internal' ? INTERNAL_ERROR : HUB_ERROR
}

function rpcError(id: RpcId, error: { code: number; message: string; data?: unknown }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
