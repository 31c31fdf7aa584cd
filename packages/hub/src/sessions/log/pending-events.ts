// The events that wait for the next commit, in the order in which they arrived. Text that follows text of the same session is joined.
import type { EventBody, SessionEvent } from '@quayside/protocol'
import { TextRun } from './chunk-joiner.js'
import type { Backlog } from './commit-pace.js'
import { isShareFull, MAX_BATCH, splitBatch } from './commit-parts.js'

/** A flood: this many events in one event-loop tick, or one chunk of text this long, joined from lines as they arrived. */
const FLOOD_EVENTS = 16
const FLOOD_CHARS = 4 * 1024

export type Pending = {
  readonly sessionId: string
  /** The time of the day for readers, and `performance.now()` for deadlines. */
  readonly at: number
  readonly since: number
  readonly body: EventBody
  readonly run: TextRun | undefined
  readonly hubId: string | undefined
  after?: number | undefined
  readonly waiters: Waiter[]
  /** Of every event that was joined into this one. */
  readonly onNotStored: Set<OnNotStored>
}
export type OnNotStored = (error: Error) => void
type Waiter = { resolve(event: SessionEvent): void; reject(error: Error): void }

export class PendingEvents {
  #events: Pending[] = []
  /** By session: what the next event may be joined to. */
  readonly #last = new Map<string, Pending>()
  /** Waiters for the next commit to take events. */
  readonly #forRoom: (() => void)[] = []

  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  has(sessionId: string): boolean {
    return this.#last.has(sessionId)
  }

  add(sessionId: string, body: EventBody, hubId: string | undefined): Pending {
    const previous = this.#last.get(sessionId)
    if (previous?.hubId === hubId && previous?.run?.tryJoin(body)) return previous
    const run = TextRun.from(body)
    const pending = {
      sessionId,
      at: Date.now(),
      since: performance.now(),
      body,
      run,
      hubId,
      waiters: [],
      onNotStored: new Set<OnNotStored>(),
    }
    this.#events.push(pending)
    this.#last.set(sessionId, pending)
    return pending
  }

  /** The events of the next commit. No later event is joined to these. */
  takeBatch(): Pending[] {
    const { batch, rest } = splitBatch(this.#events)
    this.#events = rest
    for (const pending of batch)
      if (this.#last.get(pending.sessionId) === pending) this.#last.delete(pending.sessionId)
    for (const resume of this.#forRoom.splice(0)) resume()
    return batch
  }

  backlog(): Backlog {
    const { length } = this.#events
    const chars = this.#events[0]?.run?.length ?? 0
    return { isDrip: length < FLOOD_EVENTS && chars < FLOOD_CHARS, isFull: length >= MAX_BATCH }
  }

  /** Undefined while the commits keep up with this session. */
  whenRoom(sessionId: string): Promise<void> | undefined {
    return this.#isFull(sessionId) ? this.#untilRoom(sessionId) : undefined
  }

  async #untilRoom(sessionId: string): Promise<void> {
    while (this.#isFull(sessionId))
      await new Promise<void>((resolve) => {
        this.#forRoom.push(resolve)
      })
  }

  #isFull(sessionId: string): boolean {
    return isShareFull(this.#events, sessionId, this.#last.size)
  }
}
