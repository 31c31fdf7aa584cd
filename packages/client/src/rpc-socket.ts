// One WebSocket from its opening to its close, speaking JSON-RPC 2.0. It never reconnects; feed.ts opens the next one.
import type { SessionEvent } from '@quayside/protocol'
import { HubError } from './hub-error.js'

/** The part of the WebSocket interface that is used; the browser's and the `ws` package's both have it. */
export type WebSocketLike = {
  send(data: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** Opens a WebSocket. In Node: `(url, headers) => new WebSocket(url, { headers })` with the `ws` package. */
export type OpenWebSocket = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => WebSocketLike

/** What the hub says when it was not asked. */
export type HubNotification = {
  readonly method: 'session/events'
  readonly params: { readonly sessionId: string; readonly events: readonly SessionEvent[] }
}
export type FollowParams = { readonly sessionId: string; readonly after?: number }
export type FollowResult = { readonly lastSeq?: number }

/** `isAnswered` is true before the next message is handled, which a promise cannot promise. */
export type RpcRequest = { readonly answer: Promise<FollowResult>; isAnswered: boolean }

type Pending = { resolve: (result: FollowResult) => void; reject: (error: HubError) => void }
type HubResponse = {
  readonly id: number | null
  readonly method?: never
  readonly result?: FollowResult
  readonly error?: {
    readonly message: string
    readonly data?: { readonly code?: string; readonly details?: Readonly<Record<string, unknown>> }
  }
}

export class RpcSocket {
  /** Resolves when the connection stands; rejects with `unreachable` when it never does. */
  readonly opened: Promise<void>
  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>
  readonly #socket: WebSocketLike
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #isClosed = false

  constructor(socket: WebSocketLike, notify: (notification: HubNotification) => void) {
    this.#socket = socket
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', () => {
        this.#onClose()
        resolve()
      })
    })
    this.opened = new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('close', () => reject(connectionLost()))
    })
    // What went wrong always arrives as a close too; without a listener `ws` would throw.
    socket.addEventListener('error', () => {})
    socket.addEventListener('message', ({ data }) => this.#onMessage(String(data), notify))
  }

  /** Its answer rejects with the hub's error, or with `unreachable` when the connection ends before it. */
  request(method: 'session/follow' | 'session/unfollow', params: FollowParams): RpcRequest {
    const id = ++this.#lastId
    const request: RpcRequest = {
      isAnswered: false,
      answer: new Promise((resolve, reject) => {
        if (this.#isClosed) return reject(connectionLost())
        this.#pending.set(id, {
          resolve: (result) => {
            request.isAnswered = true
            resolve(result)
          },
          reject,
        })
        this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      }),
    }
    return request
  }

  close(): void {
    this.#socket.close()
  }

  #onMessage(data: string, notify: (notification: HubNotification) => void): void {
    const message = parse(data)
    // Whatever speaks here is not the hub; the next connection may reach it.
    if (!message) return this.close()
    if (message.method !== undefined) return notify(message)
    const pending = this.#pending.get(message.id ?? 0)
    if (!pending) return
    this.#pending.delete(message.id ?? 0)
    if (message.error) pending.reject(rpcError(message.error))
    else pending.resolve(message.result ?? {})
  }

  #onClose(): void {
    this.#isClosed = true
    for (const { reject } of this.#pending.values()) reject(connectionLost())
    this.#pending.clear()
  }
}

function parse(data: string): HubNotification | HubResponse | undefined {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function rpcError({ message, data }: NonNullable<HubResponse['error']>): HubError {
  return new HubError(data?.code ?? 'bad_request', message, { details: data?.details })
}

function connectionLost(): HubError {
  return new HubError('unreachable', 'The connection to the hub was lost.')
}
