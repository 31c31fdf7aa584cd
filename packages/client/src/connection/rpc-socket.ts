// One WebSocket from its opening to its close, speaking JSON-RPC 2.0. It never reconnects; connection.ts opens the next one.
import type {
  HubNotification,
  SocketCommandName,
  SocketInput,
  SocketOutput,
} from '@quayside/protocol'
import { ClientError, parseJson } from './client-error.js'

/** The part of the WebSocket interface that is used; the browser's and the `ws` package's both have it. */
export type WebSocketLike = {
  send(data: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** The `WebSocket` of the `ws` package, of Node 22 and later, or one like them. */
export type WebSocketConstructor = new (
  url: string,
  options: { readonly headers: Record<string, string> },
) => WebSocketLike

/** `isAnswered` becomes true before the next message is handled; a promise would resolve later. */
export type RpcRequest<Name extends SocketCommandName> = {
  readonly answer: Promise<SocketOutput<Name>>
  isAnswered: boolean
}

type Pending = { resolve: (result: unknown) => void; reject: (error: ClientError) => void }
type HubResponse = {
  readonly id: number | null
  readonly method?: never
  readonly result?: unknown
  readonly error?: {
    readonly message: string
    readonly data?: { readonly code?: string; readonly details?: Readonly<Record<string, unknown>> }
  }
}

export class RpcSocket {
  /** Resolves when the connection is open; rejects with `unreachable` when it fails to open. */
  readonly opened: Promise<void>
  /** Resolves when the connection has closed, for any reason. */
  readonly closed: Promise<void>
  readonly #socket: WebSocketLike
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #isClosed = false
  #hasSpoken = true
  #onClosed = () => {}

  constructor(socket: WebSocketLike, notify: (notification: HubNotification) => void) {
    this.#socket = socket
    this.closed = new Promise((resolve) => (this.#onClosed = resolve))
    this.opened = new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      void this.closed.then(() => reject(connectionLost()))
    })
    socket.addEventListener('close', () => this.#finish())
    // Every error is followed by a close; without a listener `ws` would throw.
    socket.addEventListener('error', () => {})
    socket.addEventListener('message', ({ data }) => {
      if (!this.#isClosed) this.#onMessage(String(data), notify)
    })
  }

  /** The response rejects with the hub's error, or with `unreachable` when the connection closes first. */
  request<Name extends SocketCommandName>(
    method: Name,
    params: SocketInput<Name>,
  ): RpcRequest<Name> {
    const id = ++this.#lastId
    const request: RpcRequest<Name> = {
      isAnswered: false,
      answer: new Promise((resolve, reject) => {
        if (this.#isClosed) return reject(connectionLost())
        this.#pending.set(id, {
          resolve: (result) => {
            request.isAnswered = true
            // A cast to the output itself makes the compiler compare the outputs of all commands.
            resolve(result as never)
          },
          reject,
        })
        this.#send({ id, method, params })
      }),
    }
    return request
  }

  /**
   * Closes the connection if no message arrived since the last call, else sends a ping for the next call.
   * Without this, neither side notices an unplugged cable.
   */
  checkLife(): void {
    if (!this.#hasSpoken) return this.close()
    this.#hasSpoken = false
    // The hub has no such method; its error is the sign of life.
    this.#send({ id: ++this.#lastId, method: 'ping' })
  }

  /** Does not wait for the other side, which may be unreachable. */
  close(): void {
    this.#socket.close()
    this.#finish()
  }

  #send(message: { id: number; method: string; params?: unknown }): void {
    if (!this.#isClosed) this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  #onMessage(data: string, notify: (notification: HubNotification) => void): void {
    this.#hasSpoken = true
    const message = parseJson(data) as HubNotification | HubResponse | null
    // The server is not a hub; the next connection may reach one.
    if (!message) return this.close()
    if (message.method !== undefined) return notify(message)
    const pending = this.#pending.get(message.id ?? 0)
    if (!pending) return
    this.#pending.delete(message.id ?? 0)
    if (message.error) pending.reject(rpcError(message.error))
    else pending.resolve(message.result ?? {})
  }

  #finish(): void {
    this.#isClosed = true
    for (const { reject } of this.#pending.values()) reject(connectionLost())
    this.#pending.clear()
    this.#onClosed()
  }
}

function rpcError({ message, data }: NonNullable<HubResponse['error']>): ClientError {
  return new ClientError(data?.code ?? 'bad_request', message, { details: data?.details })
}

function connectionLost(): ClientError {
  return new ClientError('unreachable', 'The connection to the hub was lost.')
}
