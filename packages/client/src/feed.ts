// The events of any number of sessions over one WebSocket that is opened again whenever it is lost.
// Each reader keeps its own cursor, so that it sees every event exactly once, whatever the socket does.
import type { SessionEvent } from '@quayside/protocol'
import { Follower } from './follower.js'
import { HubError } from './hub-error.js'
import { RpcSocket } from './rpc-socket.js'
import type { HubNotification, RpcRequest, WebSocketLike } from './rpc-socket.js'

export type ConnectionState =
  | 'idle'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'unauthorized'
  | 'closed'

export type ReconnectDelays = { readonly minDelayMs: number; readonly maxDelayMs: number }

export type FeedOptions = {
  readonly openSocket: () => WebSocketLike
  /** Throws `unauthorized` when signing in again is the only way on: a WebSocket does not say why it was refused. */
  readonly checkAccess: () => Promise<unknown>
  readonly delays: ReconnectDelays
}

/** The readers of one session, and the last request to follow it. */
type Channel = { readonly followers: Set<Follower>; asked?: RpcRequest }

const CONNECT_TIMEOUT_MS = 8_000
const STABLE_AFTER_MS = 5_000

export class Feed {
  readonly #options: FeedOptions
  readonly #channels = new Map<string, Channel>()
  readonly #listeners = new Set<(state: ConnectionState) => void>()
  #state: ConnectionState = 'idle'
  #socket: RpcSocket | undefined
  #skipPause = () => {}

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Calls back on every change of state, until the returned function is called. */
  watch(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Opens the connection and keeps it open. Rejects when the first attempt fails; later ones go on regardless. */
  async connect(): Promise<void> {
    this.#start()
    if (this.#state === 'connected') return
    await new Promise<void>((resolve, reject) => {
      const unwatch = this.watch((state) => {
        unwatch()
        if (state === 'connected') resolve()
        else reject(endOf(state))
      })
    })
  }

  /** Tries again at once instead of waiting for the next attempt: the network is back, the page is visible again. */
  retryNow(): void {
    this.#skipPause()
  }

  close(): void {
    this.#finish('closed')
  }

  /** Every event after `after`, past and future, without gap or repeat, until `signal` aborts. */
  async *follow(
    sessionId: string,
    { after, signal }: { after: number; signal?: AbortSignal | undefined },
  ): AsyncGenerator<SessionEvent, void, undefined> {
    this.#start()
    const follower = new Follower(after)
    const stop = () => follower.end()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    this.#add(sessionId, follower)
    try {
      yield* follower.events()
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#remove(sessionId, follower)
    }
  }

  #start(): void {
    if (this.#state === 'closed') throw endOf('closed')
    if (this.#state !== 'idle' && this.#state !== 'unauthorized') return
    const socket = this.#open()
    this.#setState('connecting')
    void this.#stayConnected(socket)
  }

  async #stayConnected(first: RpcSocket): Promise<void> {
    let socket = first
    for (let attempt = 0; ; attempt++) {
      const startedAt = Date.now()
      const wasOpen = await this.#use(socket)
      if (!this.#isOver() && !wasOpen && (await this.#isSignedOut())) this.#finish('unauthorized')
      if (this.#isOver()) return
      this.#setState('reconnecting')
      if (wasOpen && Date.now() - startedAt > STABLE_AFTER_MS) attempt = 0
      await this.#pause(delayMs(attempt, this.#options.delays))
      if (this.#isOver()) return
      socket = this.#open()
    }
  }

  #open(): RpcSocket {
    return new RpcSocket(this.#options.openSocket(), ({ method, params }) => {
      if (method === 'session/events') this.#deliver(params)
    })
  }

  /** Resolves when the socket is gone, with whether it ever stood. */
  async #use(socket: RpcSocket): Promise<boolean> {
    this.#socket = socket
    const timeout = setTimeout(() => socket.close(), CONNECT_TIMEOUT_MS)
    const wasOpen = await socket.opened.then(
      () => true,
      () => false,
    )
    clearTimeout(timeout)
    if (wasOpen && !this.#isOver()) {
      this.#setState('connected')
      for (const sessionId of this.#channels.keys()) this.#ask(sessionId)
    }
    await socket.closed
    this.#socket = undefined
    return wasOpen
  }

  #add(sessionId: string, follower: Follower): void {
    const channel = this.#channels.get(sessionId) ?? { followers: new Set() }
    channel.followers.add(follower)
    this.#channels.set(sessionId, channel)
    this.#ask(sessionId)
  }

  #remove(sessionId: string, follower: Follower): void {
    const channel = this.#channels.get(sessionId)
    channel?.followers.delete(follower)
    if (channel?.followers.size !== 0) return
    this.#channels.delete(sessionId)
    if (this.#state === 'connected') {
      // When this is not answered the socket is gone, and with it what was followed.
      this.#socket?.request('session/unfollow', { sessionId }).answer.catch(() => {})
    }
  }

  /** Asks the hub for what the reader furthest behind has not seen; the others drop what they have. */
  #ask(sessionId: string): void {
    const channel = this.#channels.get(sessionId)
    const socket = this.#socket
    if (!channel || !socket || this.#state !== 'connected') return
    const after = Math.min(...[...channel.followers].map((follower) => follower.cursor))
    channel.asked = socket.request('session/follow', { sessionId, after })
    requireLog(channel.asked, after).catch((error: HubError) => {
      if (error.code === 'unreachable') return
      for (const follower of channel.followers) follower.end(error)
    })
  }

  #deliver({ sessionId, events }: HubNotification['params']): void {
    const channel = this.#channels.get(sessionId)
    if (!channel) return
    for (const event of events) {
      const behind = [...channel.followers].filter((follower) => !follower.accept(event))
      // Until a follow request is answered, events of the one before it may still arrive.
      if (behind.length > 0 && channel.asked?.isAnswered) return this.#ask(sessionId)
    }
  }

  async #isSignedOut(): Promise<boolean> {
    try {
      await this.#options.checkAccess()
      return false
    } catch (error) {
      return error instanceof HubError && error.code === 'unauthorized'
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#skipPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #finish(state: 'closed' | 'unauthorized'): void {
    this.#setState(state)
    this.#socket?.close()
    this.#skipPause()
    for (const { followers } of this.#channels.values()) {
      for (const follower of followers) follower.end(state === 'closed' ? undefined : endOf(state))
    }
  }

  #isOver(): boolean {
    return this.#state === 'closed' || this.#state === 'unauthorized'
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#listeners) listener(state)
  }
}

async function requireLog(asked: RpcRequest, after: number): Promise<void> {
  const { lastSeq = after } = await asked.answer
  if (lastSeq < after) throw cursorAhead(after, lastSeq)
}

/** Doubles from `minDelayMs` to `maxDelayMs`; half of it is random, so that many clients do not return at once. */
export function delayMs(attempt: number, { minDelayMs, maxDelayMs }: ReconnectDelays): number {
  const full = Math.min(maxDelayMs, minDelayMs * 2 ** attempt)
  return full / 2 + (Math.random() * full) / 2
}

function endOf(state: ConnectionState): HubError {
  if (state === 'unauthorized') return new HubError('unauthorized', 'Sign in first.')
  if (state === 'closed') return new HubError('closed', 'This client was closed.')
  return new HubError('unreachable', 'The hub could not be reached.')
}

function cursorAhead(after: number, lastSeq: number): HubError {
  return new HubError('cursor_ahead', 'The session has fewer events than were read before.', {
    details: { after, lastSeq },
  })
}
