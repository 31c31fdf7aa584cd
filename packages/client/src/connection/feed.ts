// The events of any number of sessions over one connection.
// Each reader keeps its own cursor, so that it receives every event exactly once, also after reconnections.
import type { HubNotification, SessionEvent } from '@quayside/protocol'
import type { HubConnection, Listener } from './connection.js'
import { Follower } from './follower.js'
import { ClientError, isHubTrouble } from './client-error.js'
import type { RpcRequest } from './rpc-socket.js'
import { SessionWatch, type SessionsChange } from './session-watch.js'

type SessionEvents = Extract<HubNotification, { method: 'session/events' }>['params']

type EventFollower = Follower<SessionEvent>

type FollowRequest = RpcRequest<'session/follow'>

/** The readers of one session, and the last request to follow it. */
type Channel = { readonly followers: Set<EventFollower>; asked?: FollowRequest | undefined }

type FollowOptions = { readonly after: number; readonly signal?: AbortSignal | undefined }

/** The number of events that may wait for a slow reader. */
export const MAX_WAITING = 5_000

export class Feed {
  readonly connection: HubConnection
  readonly #channels = new Map<string, Channel>()
  readonly #watch = new SessionWatch()
  /** Undefined until it is set. */
  #isVisible: boolean | undefined

  constructor(connection: HubConnection) {
    this.connection = connection
    connection.serve({
      onOpen: () => {
        for (const sessionId of this.#channels.keys()) this.#ask(sessionId)
        if (this.connection.socket) this.#watch.ask(this.connection.socket)
        if (this.#isVisible !== undefined) this.#sendVisible(this.#isVisible)
      },
      onMessage: ({ method, params }) => {
        if (method === 'session/events') this.#deliver(params)
        if (method === 'session/removed')
          this.#end(
            params.sessionId,
            new ClientError('session_not_found', 'This session was removed.'),
          )
        if (method === 'sessions/changed') this.#watch.send({ is: 'changed', ...params })
      },
      onEnd: (error) => {
        for (const sessionId of this.#channels.keys()) this.#end(sessionId, error)
      },
    })
  }

  /** Every event after `after`, past and future, without gap or repeat, until `signal` aborts. */
  async *follow(
    sessionId: string,
    { after, signal }: FollowOptions,
  ): AsyncGenerator<SessionEvent, void, undefined> {
    if (signal?.aborted) return
    this.connection.start()
    const onCaughtUp = () => this.#ask(sessionId)
    const follower: EventFollower = new Follower({ after, maxWaiting: MAX_WAITING, onCaughtUp })
    const stop = () => follower.stop()
    signal?.addEventListener('abort', stop)
    this.#add(sessionId, follower)
    try {
      yield* follower.items()
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#remove(sessionId, follower)
    }
  }

  /** Calls `listener` for every change of the list of sessions, until the returned function is called. */
  watchSessions(listener: Listener<SessionsChange>): () => void {
    this.connection.start()
    return this.#watch.add(listener, this.connection.socket)
  }

  /** Sent on each new connection: the hub drops it with the old one. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible
    this.#sendVisible(isVisible)
  }

  #sendVisible(visible: boolean): void {
    // An older hub has no such request, and a new connection sends it again.
    this.connection.socket?.request('page/visible', { visible }).answer.catch(() => {})
  }

  #add(sessionId: string, follower: EventFollower): void {
    const channel = this.#channels.get(sessionId) ?? { followers: new Set() }
    channel.followers.add(follower)
    this.#channels.set(sessionId, channel)
    this.#ask(sessionId)
  }

  #remove(sessionId: string, follower: EventFollower): void {
    const channel = this.#channels.get(sessionId)
    channel?.followers.delete(follower)
    if (channel?.followers.size !== 0) return
    this.#channels.delete(sessionId)
    this.#unfollow(sessionId)
  }

  /** Follows from the cursor of the slowest reader; the others drop repeated events. */
  #ask(sessionId: string): void {
    const channel = this.#channels.get(sessionId)
    const { socket } = this.connection
    if (!channel || !socket) return
    const reading = [...channel.followers].filter(({ isFull }) => !isFull)
    if (reading.length === 0) return
    const after = Math.min(...reading.map(({ cursor }) => cursor))
    const asked = socket.request('session/follow', { sessionId, after })
    channel.asked = asked
    requireLog(asked, after).catch((error: ClientError) => {
      // A newer request has its own response, and the next connection follows again.
      if (error.code === 'unreachable' || channel.asked !== asked) return
      if (isHubTrouble(error)) return socket.close()
      this.#end(sessionId, error)
    })
  }

  #end(sessionId: string, error: ClientError | undefined): void {
    for (const follower of this.#channels.get(sessionId)?.followers ?? []) follower.end(error)
  }

  #unfollow(sessionId: string): void {
    // Without a response the socket has closed, which ends the following too.
    this.connection.socket?.request('session/unfollow', { sessionId }).answer.catch(() => {})
  }

  #deliver({ sessionId, events }: SessionEvents): void {
    const channel = this.#channels.get(sessionId)
    if (!channel) return
    for (const event of events) {
      const behind = [...channel.followers].filter((follower) => !accept(follower, event))
      // Until a follow request is answered, events of the previous one may still arrive.
      if (behind.length > 0 && channel.asked?.isAnswered) return this.#ask(sessionId)
    }
    const isWanted = [...channel.followers].some(({ isFull }) => !isFull)
    if (isWanted || channel.asked === undefined) return
    channel.asked = undefined
    this.#unfollow(sessionId)
  }
}

/** Delivers the next event and drops a repeated one. Returns false when events are missing before it. */
function accept(follower: EventFollower, event: SessionEvent): boolean {
  if (follower.isFull || event.seq <= follower.cursor) return true
  if (event.seq > follower.cursor + 1) return false
  follower.take(event, { cursor: event.seq, size: 1 })
  return true
}

async function requireLog(asked: FollowRequest, after: number): Promise<void> {
  const { lastSeq } = await asked.answer
  if (lastSeq < after)
    throw new ClientError('cursor_ahead', 'The session has fewer events than before.', {
      details: { after, lastSeq },
    })
}
