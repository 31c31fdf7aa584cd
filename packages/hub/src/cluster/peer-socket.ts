// A WebSocket to another hub, for the commands of one client's socket. The other hub's notifications go to the client.
import type { HubNotification } from '@quayside/protocol'
import { type ErrorCode, ERRORS } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { HubError } from '../errors.js'
import type { HubRow } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'
import { ANSWER_MS, type PeerCaller, peerHeaders, trustOf, unreachable } from './peers.js'

/** The socket of a client. */
export type ClientSocket = PeerCaller & {
  readonly closed: AbortSignal
  notify(notification: HubNotification): Promise<void>
  /** The client connects again and follows what it followed. */
  drop(): void
}

type Answer = {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: {
    readonly message: string
    readonly data?: { readonly code?: string; readonly details?: Readonly<Record<string, unknown>> }
  }
}
type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

const CONNECT_MS = 3_000
const WATCH_MS = 1_000
/** The longest answer: all messages of a long session. */
const MAX_MESSAGE_BYTES = 100 * 1024 * 1024

export class PeerSocket {
  readonly #hub: HubRow
  readonly #client: ClientSocket
  readonly #socket: WebSocket
  readonly #opened: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  readonly #watch: NodeJS.Timeout
  #count = 0
  #isFollowing = false

  constructor(hub: HubRow, client: ClientSocket, hubs: KnownHubs) {
    const { access } = hub
    if (access === undefined) throw unreachable(hub)
    this.#hub = hub
    this.#client = client
    const headers = peerHeaders(access, client)
    const limits = { handshakeTimeout: CONNECT_MS, maxPayload: MAX_MESSAGE_BYTES }
    const options = { headers, ...limits, ...(trustOf(access) as object) }
    const socket = new WebSocket(`${access.address.replace(/^http/, 'ws')}/ws`, options)
    this.#socket = socket
    this.#opened = new Promise((resolve) => {
      socket.once('open', resolve)
      socket.once('close', () => resolve())
    })
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => this.#receive(data.toString()))
    socket.once('close', () => this.#end())
    this.#watch = setInterval(() => {
      if (!hubs.isLiving(hub)) socket.terminate()
    }, WATCH_MS).unref()
    client.closed.addEventListener('abort', () => socket.terminate())
  }

  get isOpen(): boolean {
    return this.#socket.readyState <= WebSocket.OPEN
  }

  /** In the order of the calls. */
  async call(method: string, params: unknown): Promise<unknown> {
    await this.#opened
    if (this.#socket.readyState !== WebSocket.OPEN) throw unreachable(this.#hub)
    const id = (this.#count += 1)
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    return this.#inTime(id, answer)
  }

  async #inTime(id: number, answer: Promise<unknown>): Promise<unknown> {
    const late = setTimeout(() => {
      this.#waiting.get(id)?.reject(unreachable(this.#hub))
      this.#waiting.delete(id)
    }, ANSWER_MS).unref()
    return answer.finally(() => clearTimeout(late))
  }

  #receive(text: string): void {
    const answer = JSON.parse(text) as Answer
    if (answer.id === undefined) return this.#passOn(answer as HubNotification)
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (answer.error) waiting?.reject(toHubError(answer.error))
    else waiting?.resolve(answer.result)
  }

  /** The other hub sends no more than the client reads. */
  #passOn({ method, params }: HubNotification): void {
    this.#isFollowing = true
    this.#socket.pause()
    void this.#client.notify({ method, params } as HubNotification).then(() => {
      this.#socket.resume()
      return undefined
    })
  }

  #end(): void {
    clearInterval(this.#watch)
    for (const waiting of this.#waiting.values()) waiting.reject(unreachable(this.#hub))
    this.#waiting.clear()
    if (this.#isFollowing && !this.#client.closed.aborted) this.#client.drop()
  }
}

function toHubError({ message, data }: NonNullable<Answer['error']>): HubError {
  const { code = 'internal', details = {} } = data ?? {}
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal'
  return new HubError(known, { ...details, message })
}
