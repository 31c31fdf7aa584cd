// The event log: append, read, follow. Everything a session ever says goes through here, committed before told.
// What arrives in one turn of the event loop is one transaction, and a flood in several; a reader is a cursor over the rows.
import type { EventBody, SessionEvent } from '@quayside/protocol'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { Database } from '../../store/database.js'
import { TextRun } from './chunk-joiner.js'
import { type Backlog, CommitPace } from './commit-pace.js'
import { type EncodedEvent, EventRows } from './event-rows.js'
import type { Projection } from './projection.js'
import { Tail } from './tail.js'

/** Most events a single read returns, so that no reader holds the loop or much memory; none follow when they are this long. */
const PAGE_SIZE = 500
const PAGE_BYTES = 64 * 1024
/** Most events one transaction takes; the rest waits for the next turn of the loop. */
const MAX_BATCH = 2_000
/** What a flood looks like: this many events in one turn of the loop, or one chunk of text this long, of lines joined as they came. */
const FLOOD_EVENTS = 16
const FLOOD_CHARS = 4 * 1024
/** Sessions whose tails stay in memory without anybody following them. */
const MAX_IDLE_HEADS = 64

type Pending = {
  readonly sessionId: string
  readonly at: number
  readonly body: EventBody
  readonly run: TextRun | undefined
  readonly waiters: Waiter[]
  /** Of everything joined here. */
  readonly onLost: Set<OnLost>
}
type OnLost = (error: Error) => void
type Stored = { readonly event: SessionEvent; readonly encoded: EncodedEvent }
type Waiter = { resolve(event: SessionEvent): void; reject(error: Error): void }

/** What the log keeps in memory of a session that is written or followed. */
type Head = {
  lastSeq: number
  readonly tail: Tail
  readonly bells: Set<Bell>
  /** What the last follower read: the others mostly stand at the same place. */
  lastPage?: { readonly after: number; readonly lastSeq: number; readonly page: EncodedEvent[] }
}

export class EventLog {
  readonly #db: Database
  readonly #rows: EventRows
  readonly #projection: Projection
  readonly #log: Log
  readonly #heads = new Map<string, Head>()
  readonly #lastPending = new Map<string, Pending>()
  /** Since the start, for the metrics. */
  readonly counts = { appended: 0, failedCommits: 0 }
  readonly #listeners = new Set<(sessionId: string) => void>()
  readonly #pace = new CommitPace({
    backlog: () => this.#backlog(),
    commit: () => this.#commit(),
  })
  #pending: Pending[] = []

  constructor({ db, projection, log }: { db: Database; projection: Projection; log: Log }) {
    this.#db = db
    this.#rows = new EventRows(db)
    this.#projection = projection
    this.#log = log
  }

  /** Resolves when the event is committed; rejects with `storage_failed` when it could not be. */
  append(sessionId: string, body: EventBody): Promise<SessionEvent> {
    this.#pace.hurry()
    return new Promise((resolve, reject) =>
      this.#enqueue(sessionId, body).waiters.push({ resolve, reject }),
    )
  }

  /** Appends without a promise of its own: for streams of updates. `onLost` hears when it cannot be stored. */
  write(sessionId: string, body: EventBody, onLost: OnLost): void {
    this.#enqueue(sessionId, body).onLost.add(onLost)
  }

  lastSeq(sessionId: string): number {
    return this.#heads.get(sessionId)?.lastSeq ?? this.#rows.lastSeq(sessionId)
  }

  /** The events after `after`, oldest first, at most one page. Synchronous: what is committed is there. */
  read(sessionId: string, after: number, limit = PAGE_SIZE): EncodedEvent[] {
    const tail = this.#heads.get(sessionId)?.tail
    return cutPage(tail?.read(after, limit) ?? this.#rows.read(sessionId, after, limit))
  }

  /** Everything after `after`, then everything that is ever appended, in pages, until `signal` aborts. */
  async *follow(
    sessionId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<EncodedEvent[]> {
    // The bell hangs before the first read: what is committed in between rings it.
    const head = this.#head(sessionId)
    const bell = new Bell()
    head.bells.add(bell)
    const ring = (): void => bell.ring()
    signal.addEventListener('abort', ring, { once: true })
    try {
      while (!signal.aborted) {
        const page = this.#readShared(head, sessionId, after)
        const last = page.at(-1)
        if (last === undefined) {
          await bell.wait()
          continue
        }
        after = last.seq
        yield page
      }
    } finally {
      signal.removeEventListener('abort', ring)
      head.bells.delete(bell)
    }
  }

  /** The same page for everybody who stands at the same place, so that it has to be made ready for the network once. */
  #readShared(head: Head, sessionId: string, after: number): EncodedEvent[] {
    const { lastSeq, lastPage } = head
    if (lastPage?.after === after && lastPage.lastSeq === lastSeq) return lastPage.page
    const page = this.read(sessionId, after)
    head.lastPage = { after, lastSeq, page }
    return page
  }

  /** Hears of every session that something was committed for, until the returned function is called. */
  onChange(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Something that is no event changed a session: it was removed. */
  announce(sessionId: string): void {
    for (const listener of this.#listeners) listener(sessionId)
  }

  #enqueue(sessionId: string, body: EventBody): Pending {
    this.#pace.arrive(sessionId)
    const previous = this.#lastPending.get(sessionId)
    if (previous?.run?.tryJoin(body)) return previous
    const run = TextRun.from(body)
    const pending = { sessionId, at: Date.now(), body, run, waiters: [], onLost: new Set<OnLost>() }
    this.#pending.push(pending)
    this.#lastPending.set(sessionId, pending)
    return pending
  }

  #backlog(): Backlog {
    const { length } = this.#pending
    const chars = this.#pending[0]?.run?.length ?? 0
    return { isDrip: length < FLOOD_EVENTS && chars < FLOOD_CHARS, isFull: length >= MAX_BATCH }
  }

  #commit(): void {
    const batch = this.#pending.splice(0, MAX_BATCH)
    if (this.#pending.length > 0) this.#pace.hurry()
    // From here on nothing may join these.
    for (const pending of batch)
      if (this.#lastPending.get(pending.sessionId) === pending)
        this.#lastPending.delete(pending.sessionId)
    if (this.#tryCommit(batch) === undefined) return
    // Something in it cannot be stored: whose it is shows, and the others are not held to it.
    for (const part of bySession(batch)) {
      const error = this.#tryCommit(part)
      if (error !== undefined) this.#refuse(part, error)
    }
  }

  /** Synchronous on purpose: nothing can come between the rows of a transaction. */
  #tryCommit(batch: readonly Pending[]): Error | undefined {
    let stored: readonly Stored[]
    try {
      const events = this.#number(batch)
      this.#db.exec('BEGIN IMMEDIATE')
      stored = events.map((event) => {
        this.#projection.beforeEvent(event)
        const encoded = this.#rows.insert(event)
        this.#projection.afterEvent(event)
        return { event, encoded }
      })
      this.#projection.endOfBatch(events)
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      for (const { sessionId } of batch) this.#projection.forget(sessionId)
      return error instanceof Error ? error : new Error(String(error))
    }
    this.#tell(batch, stored)
    return undefined
  }

  #number(batch: readonly Pending[]): SessionEvent[] {
    const seqs = new Map<string, number>()
    return batch.map(({ sessionId, at, body, run }) => {
      const seq = (seqs.get(sessionId) ?? this.#head(sessionId).lastSeq) + 1
      seqs.set(sessionId, seq)
      const { type, data } = run?.toBody() ?? body
      return { sessionId, seq, at, type, data } as SessionEvent
    })
  }

  #tell(batch: readonly Pending[], stored: readonly Stored[]): void {
    this.counts.appended += stored.length
    const woken = new Map<string, Head>()
    for (const { event, encoded } of stored) {
      const head = this.#head(event.sessionId)
      head.lastSeq = event.seq
      head.tail.push(encoded)
      woken.set(event.sessionId, head)
    }
    for (const [index, pending] of batch.entries()) {
      const event = stored[index]?.event
      if (event) for (const waiter of pending.waiters) waiter.resolve(event)
    }
    for (const [sessionId, head] of woken) {
      for (const bell of head.bells) bell.ring()
      this.announce(sessionId)
    }
  }

  #refuse(batch: readonly Pending[], cause: Error): void {
    this.counts.failedCommits += 1
    this.#log.error({ err: cause, events: batch.length }, 'a commit failed; nothing of it was told')
    const error = new HubError('storage_failed', {}, { cause })
    for (const { waiters, onLost } of batch) {
      for (const waiter of waiters) waiter.reject(error)
      for (const tell of onLost) tell(error)
    }
  }

  #head(sessionId: string): Head {
    const known = this.#heads.get(sessionId)
    if (known) return known
    const lastSeq = this.#rows.lastSeq(sessionId)
    const head: Head = { lastSeq, tail: new Tail(lastSeq), bells: new Set() }
    this.#heads.set(sessionId, head)
    if (this.#heads.size > MAX_IDLE_HEADS) this.#dropIdleHeads(sessionId)
    return head
  }

  #dropIdleHeads(except: string): void {
    for (const [sessionId, head] of this.#heads) {
      if (this.#heads.size <= MAX_IDLE_HEADS) return
      if (sessionId !== except && head.bells.size === 0 && !this.#lastPending.has(sessionId))
        this.#heads.delete(sessionId)
    }
  }
}

/** Ends with the event that makes it long enough: to leave one out it would have to be read again. */
function cutPage(events: Iterable<EncodedEvent>): EncodedEvent[] {
  const page: EncodedEvent[] = []
  let length = 0
  for (const event of events) {
    page.push(event)
    length += event.bytes.length
    if (length >= PAGE_BYTES) break
  }
  return page
}

function bySession(batch: readonly Pending[]): Pending[][] {
  const parts = new Map<string, Pending[]>()
  for (const pending of batch) {
    const part = parts.get(pending.sessionId)
    if (part) part.push(pending)
    else parts.set(pending.sessionId, [pending])
  }
  return [...parts.values()]
}

/** Remembers one ring until somebody waits for it. */
class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#rung = false
    this.#wake = undefined
  }
}
