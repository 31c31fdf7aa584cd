// One WebSocket of a client: JSON-RPC 2.0 commands in, events of the sessions it follows out.
// Events that a slow client has not read stay in the log; it costs at most a few megabytes.
import { setImmediate } from 'node:timers/promises'
import type { HubNotification, Scope } from '@quayside/protocol'
import type { RawData, WebSocket } from 'ws'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { EventLog } from '../../sessions/log/event-log.js'
import type { FollowRange } from '../../sessions/log/follow-ranges.js'
import type { EncodedEvent } from '../../store/event-store.js'
import type { Caller } from '../access/principal.js'
import { JsonRpc } from './json-rpc.js'

export type RpcMethod = (params: unknown, socket: FeedSocket) => unknown

export type FeedSocketDeps = {
  readonly caller: Caller
  readonly find: (method: string) => RpcMethod | undefined
  readonly eventLog: EventLog
  readonly onMessage: (message: unknown) => unknown
  readonly log: Log
}

const PING_MS = 20_000
/** Each holds a page (64 KiB and one event) while the client is slow. */
const MAX_FOLLOWS = 64
/** More requests than this at once wait in the network. */
const MAX_REQUESTS = 64
/** A client that keeps asking without reading the answers is dropped. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

type FollowAnswer = FollowRange & { readonly lastSeq: number }

type FollowEnd = Extract<HubNotification, { method: 'session/removed' | 'session/reset' }>

export class FeedSocket implements Caller {
  /** The caller of all commands that come over it. */
  readonly by: string
  readonly scope: Scope
  readonly credentialId: string | undefined
  readonly isForwarded: boolean
  readonly #socket: WebSocket
  readonly #eventLog: EventLog
  readonly #rpc: JsonRpc
  readonly #log: Log
  readonly #follows = new Map<string, AbortController>()
  readonly #closed = new AbortController()
  /** Pages leave one after the other, so that only one is in the socket's own buffer. */
  #lastPage: Promise<void> = Promise.resolve()
  #requests = 0
  #isAlive = true

  /** Serves the socket until it closes. */
  constructor(socket: WebSocket, deps: FeedSocketDeps) {
    const { caller, find, eventLog, onMessage, log } = deps
    this.by = caller.by
    this.scope = caller.scope
    this.credentialId = caller.credentialId
    this.isForwarded = caller.isForwarded ?? false
    this.#socket = socket
    this.#eventLog = eventLog
    this.#log = log
    const findOwn = (name: string) => {
      const method = find(name)
      return method && ((params: unknown) => method(params, this))
    }
    this.#rpc = new JsonRpc({ find: findOwn, onMessage, log })
    this.#listen()
  }

  /** Aborts when the socket has closed. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /**
   * Sends the events of the range, and new events if it has no end. Following again moves the cursor. A session that is
   * removed, and a cursor beyond the end of the log, end it with a notification.
   */
  async follow(sessionId: string, range: FollowRange): Promise<FollowAnswer> {
    this.unfollow(sessionId)
    if (this.#follows.size >= MAX_FOLLOWS)
      throw new HubError('bad_request', {
        message: `One socket follows at most ${MAX_FOLLOWS} sessions. Unfollow one, or open another socket.`,
      })
    const follow = new AbortController()
    this.#follows.set(sessionId, follow)
    const answer = { ...range, lastSeq: await this.#eventLog.lastSeq(sessionId) }
    const send = this.#sendEvents(sessionId, answer, follow)
    logRejection(this.#log, 'sending events', send)
    return answer
  }

  unfollow(sessionId: string): void {
    this.#follows.get(sessionId)?.abort()
    this.#follows.delete(sessionId)
  }

  /** Resolves when it has left for the network, or the socket has closed. */
  notify(notification: HubNotification): Promise<void> {
    return this.#sendPage(JSON.stringify({ jsonrpc: '2.0', ...notification }))
  }

  /** Without a close handshake: the client connects again and follows what it followed. */
  drop(): void {
    this.#socket.terminate()
  }

  async #sendEvents(
    sessionId: string,
    { after, until = Number.MAX_SAFE_INTEGER, lastSeq }: FollowAnswer,
    follow: AbortController,
  ): Promise<void> {
    const { signal } = follow
    // The answer to the request goes first.
    await setImmediate()
    if (after > lastSeq) {
      const params = { sessionId, after, lastSeq }
      return this.#endFollow(follow, { method: 'session/reset', params })
    }
    if (after >= until) return
    for await (const page of this.#eventLog.follow(sessionId, after, signal)) {
      const isLast = (page.at(-1)?.seq ?? 0) >= until
      const wanted = isLast ? page.filter(({ seq }) => seq <= until) : page
      await this.#sendPage(frameOf(sessionId, wanted))
      if (isLast) return
    }
    return this.#endFollow(follow, { method: 'session/removed', params: { sessionId } })
  }

  async #endFollow(follow: AbortController, end: FollowEnd): Promise<void> {
    if (follow.signal.aborted) return
    this.unfollow(end.params.sessionId)
    await this.notify(end)
  }

  #listen(): void {
    const socket = this.#socket
    const ping = setInterval(() => this.#ping(), PING_MS)
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('message', (data, isBinary) =>
      logRejection(this.#log, 'answering a WebSocket message', this.#receive(data, isBinary)),
    )
    socket.on('error', (error) => this.#log.debug({ err: error }, 'a WebSocket failed'))
    socket.on('close', () => {
      clearInterval(ping)
      for (const follow of this.#follows.values()) follow.abort()
      this.#closed.abort()
    })
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    this.#isAlive = true
    this.#requests += 1
    if (this.#requests >= MAX_REQUESTS) this.#socket.pause()
    try {
      // With the default binaryType a message always arrives as one Buffer; binary ones are no JSON text.
      const answer = await this.#rpc.answer(isBinary ? '' : (data as Buffer).toString('utf8'))
      if (answer !== undefined) await this.#send(answer)
    } finally {
      this.#requests -= 1
      if (this.#requests < MAX_REQUESTS && this.#socket.isPaused) this.#socket.resume()
    }
  }

  #sendPage(text: string | Buffer): Promise<void> {
    this.#lastPage = this.#lastPage.then(() => this.#send(text))
    return this.#lastPage
  }

  #send(text: string | Buffer): Promise<void> {
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      this.#log.warn({ bytes: this.#socket.bufferedAmount }, 'a client does not read its answers')
      this.#socket.terminate()
    }
    return new Promise((resolve) =>
      this.#socket.send(text, { binary: false }, (error) => {
        // A client that takes data is alive, even if a ping still waits behind it.
        if (!error) this.#isAlive = true
        resolve()
      }),
    )
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

const EVENTS: HubNotification['method'] = 'session/events'
const COMMA = Buffer.from(',')
const END = Buffer.from(']}}')
let newest: { readonly page: readonly EncodedEvent[]; readonly frame: Buffer } | undefined

/**
 * Encoded once for all sockets that get the same page: they ask for it one after the other. A WeakMap would keep the frames of a flood
 * until the next full garbage collection.
 */
function frameOf(sessionId: string, page: readonly EncodedEvent[]): Buffer {
  if (newest?.page === page) return newest.frame
  const params = `{"sessionId":"${sessionId}","events":[`
  const head = Buffer.from(`{"jsonrpc":"2.0","method":"${EVENTS}","params":${params}`)
  const parts: Uint8Array[] = [head]
  for (const { bytes } of page) {
    if (parts.length > 1) parts.push(COMMA)
    parts.push(bytes)
  }
  parts.push(END)
  const frame = Buffer.concat(parts)
  newest = { page, frame }
  return frame
}
