// A WebSocket that is opened again whenever it is lost, with growing pauses, until the client is closed or signed out.
import {
  abortedBy,
  closedByCaller,
  type ClientError,
  isClientError,
  unreachable,
} from './client-error.js'
import type { AccessHeaders } from './http.js'
import { isOffline, watchNetwork } from './network.js'
import { RpcSocket, type HubNotification, type WebSocketLike } from './rpc-socket.js'

export type Connection =
  /** Nothing was asked for yet. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'open' }
  /** For the next attempt; without `retryAt` for the network. */
  | {
      readonly state: 'waiting'
      readonly attempt: number
      readonly retryAt?: number
      readonly isOffline: boolean
    }
  /** For good, unless `error` says why (`unauthorized`; without reconnection `unreachable`): then connecting works again. */
  | { readonly state: 'closed'; readonly error?: ClientError }

export type ReconnectDelays = { readonly minDelayMs: number; readonly maxDelayMs: number }

export type SocketOpener = (headers: Record<string, string>) => WebSocketLike

type HubConnectionOptions = {
  readonly url: string
  readonly headers: AccessHeaders
  /** Throws where there are no WebSockets. */
  readonly socketOpener: () => SocketOpener
  /** Throws `unauthorized` when signing in again is the only way on: a WebSocket does not say why it was refused. */
  readonly checkAccess: () => Promise<unknown>
  readonly delays: ReconnectDelays
  /** False: a lost connection is the end of it. */
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
/** How long a socket may be silent when the browser says that the network is gone. */
const GONE_AFTER_MS = 1_000
const MENDED_AFTER_MS = 30_000

export class HubConnection {
  readonly #options: HubConnectionOptions
  readonly #handlers = new Set<ConnectionHandlers>()
  readonly #listeners = new Set<(connection: Connection) => void>()
  #now: Connection = { state: 'idle' }
  #socket: RpcSocket | undefined
  #life = 0
  #skipPause = () => {}
  #unwatchNetwork = () => {}

  constructor(options: HubConnectionOptions) {
    this.#options = options
  }

  /** For those who speak over it. */
  serve(handlers: ConnectionHandlers): void {
    this.#handlers.add(handlers)
  }

  get now(): Connection {
    return this.#now
  }

  /** The socket while it stands. */
  get socket(): RpcSocket | undefined {
    return this.#now.state === 'open' ? this.#socket : undefined
  }

  /** Calls back on every change, until the returned function is called. */
  watch(listener: (connection: Connection) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Begins to connect and stays connected; does nothing when it does so already. */
  start(): void {
    if (this.#now.state === 'closed' && !this.#isLost()) throw closedByCaller()
    if (this.#now.state !== 'idle' && this.#now.state !== 'closed') return
    const open = this.#options.socketOpener()
    this.#unwatchNetwork = watchNetwork(
      () => this.#onBack(),
      () => this.#checkLife(GONE_AFTER_MS),
    )
    this.#set({ state: 'connecting', attempt: 0 })
    void this.#stayConnected(open)
  }

  /** The next attempt is made now, not when it is time for it. */
  tryNow(): void {
    this.#skipPause()
  }

  /** Resolves when the connection stands; rejects when the attempt that runs or comes next fails, or at `signal`. */
  opened(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#now.state === 'open') return resolve()
      if (signal?.aborted) return reject(abortedBy(signal))
      const settle = (act: () => void) => {
        unwatch()
        signal?.removeEventListener('abort', onAbort)
        act()
      }
      const onAbort = () => settle(() => signal && reject(abortedBy(signal)))
      const unwatch = this.watch((now) => {
        if (now.state === 'open') settle(resolve)
        if (now.state === 'waiting') settle(() => reject(unreachable()))
        if (now.state === 'closed') settle(() => reject(now.error ?? closedByCaller()))
      })
      signal?.addEventListener('abort', onAbort)
    })
  }

  /**
   * For whoever asked the hub and got no answer: resolves when it makes sense to ask again.
   * That is after a pause, and not before a connection that is being opened stands, but half a minute later at most.
   */
  async mended(attempt: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delayMs(attempt, this.#options.delays)))
    const isLost = this.#now.state === 'connecting' || this.#now.state === 'waiting'
    if (!isLost && !isOffline(this.#options.url)) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        unwatch()
        resolve()
      }
      const timer = setTimeout(settle, MENDED_AFTER_MS)
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
      const startedAt = Date.now()
      const wasOpen = await this.#use(open, isOver)
      if (!wasOpen && !isOver()) await this.#requireAccess()
      if (isOver()) return
      if (!this.#options.reconnects) return this.#finish(unreachable())
      if (wasOpen && Date.now() - startedAt > STABLE_AFTER_MS) attempt = 1
      await this.#pause(attempt)
      if (isOver()) return
      this.#set({ state: 'connecting', attempt })
    }
  }

  /** Resolves when the socket is gone, with whether it ever stood. */
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
      // Whatever is missing for a socket may be there at the next attempt.
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
      if (isClientError(error, 'unauthorized')) this.#finish(error as ClientError)
    }
  }

  #pause(attempt: number): Promise<void> {
    return new Promise((resolve) => {
      const ms = delayMs(attempt - 1, this.#options.delays)
      const offline = isOffline(this.#options.url)
      // Without a network no attempt is worth its battery; the browser says when it is back.
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

  /** A page that slept may have a socket that is dead without knowing it. */
  #onBack(): void {
    this.#skipPause()
    this.#checkLife(ANSWER_MS)
  }

  /** A hub on the same machine answers without any network, so only silence counts. */
  #checkLife(answerMs: number): void {
    const { socket } = this
    socket?.checkLife()
    setTimeout(() => socket?.checkLife(), answerMs)
  }

  #finish(error?: ClientError): void {
    if (this.#now.state === 'closed') return
    // Whoever hears of the end may connect again at once: that is another life.
    this.#life += 1
    this.#unwatchNetwork()
    this.#socket?.close()
    this.#skipPause()
    for (const { onEnd } of this.#handlers) onEnd(error)
    this.#set(error ? { state: 'closed', error } : { state: 'closed' })
  }

  #isLost(): boolean {
    return this.#now.state === 'closed' && this.#now.error !== undefined
  }

  #set(now: Connection): void {
    this.#now = now
    for (const listener of this.#listeners) {
      // One that changed it again has told the others what holds now.
      if (this.#now === now) listener(now)
    }
  }
}

/** Doubles from `minDelayMs` to `maxDelayMs`; half of it is random, so that many clients do not return at once. */
export function delayMs(
  attempt: number,
  { minDelayMs, maxDelayMs }: ReconnectDelays,
  random = Math.random,
): number {
  const full = Math.min(maxDelayMs, minDelayMs * 2 ** attempt)
  return full / 2 + (random() * full) / 2
}
