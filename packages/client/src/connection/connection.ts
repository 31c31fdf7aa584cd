// A WebSocket that reconnects after every loss, with growing delays, until the client is closed or signed out.
import type { HubNotification } from '@quayside/protocol'
import {
  closedByCaller,
  type ClientError,
  isClientError,
  orAborted,
  unreachable,
} from './client-error.js'
import type { AccessHeaders } from './http.js'
import { isOffline, isPageVisible, watchNetwork } from './network.js'
import { RpcSocket, type WebSocketLike } from './rpc-socket.js'

export type Connection =
  /** Not connected, because no request needed a connection yet. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'open' }
  /** Waits for the next attempt; without `retryAt`, for the network. */
  | {
      readonly state: 'waiting'
      readonly attempt: number
      readonly retryAt?: number
      readonly isOffline: boolean
    }
  /** Final without an `error`. With one (`unauthorized`; without reconnection `unreachable`), `connect` works again. */
  | { readonly state: 'closed'; readonly error?: ClientError }

export type ReconnectDelays = { readonly minDelayMs: number; readonly maxDelayMs: number }

export type Listener<Event> = (event: Event) => void

export type SocketOpener = (headers: Record<string, string>) => WebSocketLike

type HubConnectionOptions = {
  readonly url: string
  readonly headers: AccessHeaders
  /** Throws when no WebSocket implementation is available. */
  readonly socketOpener: () => SocketOpener
  /** Throws `unauthorized` when a new sign-in is needed: a WebSocket does not report why it was rejected. */
  readonly checkAccess: () => Promise<unknown>
  readonly delays: ReconnectDelays
  /** False: do not reconnect. */
  readonly reconnects: boolean
}

type ConnectionHandlers = {
  readonly onOpen: () => void
  readonly onMessage: (notification: HubNotification) => void
  readonly onEnd: (error: ClientError | undefined) => void
}

const CONNECT_TIMEOUT_MS = 8_000
const STABLE_AFTER_MS = 5_000
const CHECK_LIFE_MS = 20_000
const ANSWER_MS = 5_000
/** The time a socket may be silent after the browser reports a lost network. */
const GONE_AFTER_MS = 1_000
const MAX_RETRY_WAIT_MS = 30_000
/** The longest pause while a person looks at the page. */
const MAX_VISIBLE_DELAY_MS = 5_000

export class HubConnection {
  readonly #options: HubConnectionOptions
  readonly #handlers = new Set<ConnectionHandlers>()
  readonly #listeners = new Set<Listener<Connection>>()
  #now: Connection = { state: 'idle' }
  #socket: RpcSocket | undefined
  #life = 0
  #skipPause = () => {}
  #unwatchNetwork = () => {}

  constructor(options: HubConnectionOptions) {
    this.#options = options
  }

  /** Adds handlers for openings, messages and the final end. */
  serve(handlers: ConnectionHandlers): void {
    this.#handlers.add(handlers)
  }

  get now(): Connection {
    return this.#now
  }

  /** The socket while it is open. */
  get socket(): RpcSocket | undefined {
    return this.#now.state === 'open' ? this.#socket : undefined
  }

  /** Calls `listener` on every change, until the returned function is called. */
  watch(listener: Listener<Connection>): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Throws `no_websocket` when nothing could be followed here. */
  requireWebSocket(): SocketOpener {
    return this.#options.socketOpener()
  }

  /** Starts to connect and stays connected. Idempotent. */
  start(): void {
    const { now } = this
    if (now.state === 'closed' && !now.error) throw closedByCaller()
    if (now.state !== 'idle' && now.state !== 'closed') return
    const open = this.requireWebSocket()
    this.#unwatchNetwork = watchNetwork(
      () => this.#onBack(),
      () => this.#checkLife(GONE_AFTER_MS),
    )
    this.#set({ state: 'connecting', attempt: 0 })
    void this.#stayConnected(open)
  }

  /** Makes the next attempt now. */
  tryNow(): void {
    this.#skipPause()
  }

  /** Resolves when the connection is open; rejects when the current or next attempt fails, or at `signal`. */
  opened(signal?: AbortSignal): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      if (this.#now.state === 'open') return resolve()
      const unwatch = this.watch((now) => {
        if (now.state === 'connecting') return
        unwatch()
        if (now.state === 'open') resolve()
        else reject(now.state === 'closed' ? (now.error ?? closedByCaller()) : unreachable())
      })
    })
    return orAborted(opened, signal)
  }

  /**
   * Resolves when an unanswered request may be sent again: after a delay, and after a pending connection
   * is open, but within half a minute.
   */
  async waitToRetry(attempt: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delayMs(attempt, this.#options.delays)))
    const isLost = this.#now.state === 'connecting' || this.#now.state === 'waiting'
    if (!isLost && !isOffline(this.#options.url)) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        unwatch()
        resolve()
      }
      const timer = setTimeout(settle, MAX_RETRY_WAIT_MS)
      const unwatch = this.watch(({ state }) => {
        if (state === 'open' || state === 'closed') settle()
      })
    })
  }

  close(): void {
    this.#finish()
  }

  async #stayConnected(open: SocketOpener): Promise<void> {
    const life = this.#life
    const isOver = () => this.#life !== life
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      const wasOpen = await this.#use(open, isOver)
      if (!wasOpen && !isOver()) await this.#requireAccess()
      if (isOver()) return
      if (!this.#options.reconnects) return this.#finish(unreachable())
      if (wasOpen && performance.now() - startedAt > STABLE_AFTER_MS) attempt = 1
      await this.#pause(attempt)
      if (isOver()) return
      this.#set({ state: 'connecting', attempt })
    }
  }

  /** Resolves when the socket has closed, with true if it was ever open. */
  async #use(open: SocketOpener, isOver: () => boolean): Promise<boolean> {
    let socket: RpcSocket
    try {
      const headers = await this.#options.headers(AbortSignal.timeout(CONNECT_TIMEOUT_MS))
      if (isOver()) return false
      socket = new RpcSocket(open(headers), (message) => {
        if (socket !== this.#socket) return
        for (const { onMessage } of this.#handlers) onMessage(message)
      })
    } catch {
      // A missing WebSocket or token may be available at the next attempt.
      return false
    }
    this.#socket = socket
    const timeout = setTimeout(() => socket.close(), CONNECT_TIMEOUT_MS)
    const wasOpen = await socket.opened.then(
      () => true,
      () => false,
    )
    clearTimeout(timeout)
    if (wasOpen && !isOver()) {
      this.#set({ state: 'open' })
      for (const { onOpen } of this.#handlers) onOpen()
    }
    const checks = setInterval(() => socket.checkLife(), CHECK_LIFE_MS)
    await socket.closed
    clearInterval(checks)
    if (this.#socket === socket) this.#socket = undefined
    return wasOpen
  }

  async #requireAccess(): Promise<void> {
    try {
      await this.#options.checkAccess()
    } catch (error) {
      if (isClientError(error, 'unauthorized')) this.#finish(error)
    }
  }

  #pause(attempt: number): Promise<void> {
    return new Promise((resolve) => {
      const delay = delayMs(attempt - 1, this.#options.delays)
      const ms = isPageVisible() ? Math.min(delay, MAX_VISIBLE_DELAY_MS) : delay
      const offline = isOffline(this.#options.url)
      // Saves battery without a network; the browser reports when it is back.
      const timer = offline ? undefined : setTimeout(resolve, ms)
      this.#skipPause = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#set({
        state: 'waiting',
        attempt,
        isOffline: offline,
        ...(!offline && { retryAt: Date.now() + ms }),
      })
    })
  }

  /** After a sleep, the page's socket may be dead without an event. */
  #onBack(): void {
    this.#skipPause()
    this.#checkLife(ANSWER_MS)
  }

  /** A hub on the same machine answers without a network, so only silence counts. */
  #checkLife(answerMs: number): void {
    const { socket } = this
    socket?.checkLife()
    setTimeout(() => socket?.checkLife(), answerMs)
  }

  #finish(error?: ClientError): void {
    if (this.#now.state === 'closed') return
    // A listener may reconnect synchronously; the generation counter stops the old loop.
    this.#life += 1
    this.#unwatchNetwork()
    this.#socket?.close()
    this.#skipPause()
    for (const { onEnd } of this.#handlers) onEnd(error)
    this.#set(error ? { state: 'closed', error } : { state: 'closed' })
  }

  #set(now: Connection): void {
    this.#now = now
    for (const listener of this.#listeners) {
      // A listener changed the state again, and that change has notified the others.
      if (this.#now === now) listener(now)
    }
  }
}

/** Doubles from `minDelayMs` to `maxDelayMs`; half of it is random, so that clients do not all reconnect at once. */
export function delayMs(attempt: number, { minDelayMs, maxDelayMs }: ReconnectDelays): number {
  const full = Math.min(maxDelayMs, minDelayMs * 2 ** attempt)
  return (full * (1 + Math.random())) / 2
}
