// The event log: append, read, follow. Every event of a session is committed here before any client is notified.
// Events of one event-loop tick share a transaction, a flood shares larger ones; a reader is a cursor over the rows.
import type { EventBody, SessionEvent } from '@quayside/protocol'
import type { Log } from '../../log.js'
import type { EncodedEvent, EventStore } from '../../store/event-store.js'
import { isPromise, type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { LogMovedError, NotOwnedError, storageFailed } from '../../store/storage-error.js'
import { yieldLoop } from '../../yield-loop.js'
import { CommitPace } from './commit-pace.js'
import { bySession } from './commit-parts.js'
import { cutPage, encodeEvent, type NumberedEvent } from './encoded-events.js'
import { Bell, type OpenLog, OpenLogs } from './open-logs.js'
import { type OnNotStored, type Pending, PendingEvents } from './pending-events.js'
import type { Projection } from './projection.js'
import { ReplayedPages } from './replayed-pages.js'

/** The most events of a single read. */
const PAGE_SIZE = 500

/** The event is refused when one of them is no longer so. */
export type AppendCondition = {
  /** The last event of the log. */
  readonly after?: number
  /** The registration of this hub: after another one, the log may have events of another hub. */
  readonly hubId?: string | undefined
}
type WriteOptions = Pick<AppendCondition, 'hubId'> & { readonly onNotStored: OnNotStored }

export type EventLogDeps = {
  readonly store: EventStore
  readonly projection: Projection
  readonly log: Log
}

export class EventLog {
  readonly #store: EventStore
  readonly #projection: Projection
  readonly #log: Log
  readonly #openLogs: OpenLogs
  readonly #replayed = new ReplayedPages()
  readonly #pending = new PendingEvents()
  /** The sessions of the batch that is being committed, or was last. */
  #committing = new Set<string>()
  /** Sessions with events that were refused: their store may have them nevertheless. Not before, or a retry would store them twice. */
  readonly #unsure = new Set<string>()
  /** Since the start, for the metrics. */
  readonly counts = { appended: 0, failedCommits: 0 }
  readonly #listeners = new Set<(sessionId: string) => void>()
  /** A follower that comes late must not wait for events. */
  readonly #removed = new Set<string>()
  readonly #pace = new CommitPace({
    backlog: () => this.#pending.backlog(),
    commit: () => this.#commit(),
  })

  constructor({ store, projection, log }: EventLogDeps) {
    this.#store = store
    this.#projection = projection
    this.#log = log
    this.#openLogs = new OpenLogs(
      store,
      (sessionId) => this.#pending.has(sessionId) || this.#committing.has(sessionId),
    )
  }

  /** For sessions that begin. */
  get hubId(): string | undefined {
    return this.#store.hubId
  }

  /** Resolves when the event is committed; rejects with `storage_failed` when it could not be, or was refused. */
  append(sessionId: string, body: EventBody, only: AppendCondition = {}): Promise<SessionEvent> {
    this.#pace.hurry()
    return new Promise((resolve, reject) => {
      const pending = this.#enqueue(sessionId, body, only.hubId)
      pending.after = only.after
      pending.waiters.push({ resolve, reject })
    })
  }

  /** Appends without a promise, for streams of updates. Calls `onNotStored` when the event cannot be stored. */
  write(sessionId: string, body: EventBody, { hubId, onNotStored }: WriteOptions): void {
    this.#enqueue(sessionId, body, hubId).onNotStored.add(onNotStored)
  }

  /** Undefined while the log keeps up with this session. Otherwise its agent has to wait, or memory would fill with its events. */
  whenRoom(sessionId: string): Promise<void> | undefined {
    return this.#pending.whenRoom(sessionId)
  }

  /** Another hub had the session last, or has it. */
  isTaken(sessionId: string): MaybePromise<boolean> {
    return this.#store.isTaken?.(sessionId) ?? false
  }

  lastSeq(sessionId: string): MaybePromise<number> {
    return this.#openLogs.findOwn(sessionId)?.lastSeq ?? this.#store.lastSeq(sessionId)
  }

  /** The events after `after`, oldest first, at most one page. Returns at once for events in memory, and always with SQLite. */
  read(sessionId: string, after: number, limit = PAGE_SIZE): MaybePromise<EncodedEvent[]> {
    const newest = this.#openLogs.findOwn(sessionId)?.tail.read(after, limit)
    if (newest !== undefined) return cutPage(newest)
    return whenReady(this.#store.read(sessionId, after, limit), cutPage)
  }

  /** All events after `after`, then every event that is appended, in pages, until `signal` aborts or the session is removed. */
  async *follow(
    sessionId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<EncodedEvent[]> {
    // The bell is added before the first read: a commit in between rings it.
    const bell = new Bell()
    const opened = this.#openLogs.open(sessionId, bell)
    const openLog = isPromise(opened) ? await opened : opened
    if (!this.#openLogs.isOwn(sessionId)) await this.#openLogs.refresh(sessionId)
    const ring = (): void => bell.ring()
    signal.addEventListener('abort', ring, { once: true })
    try {
      while (!signal.aborted) {
        const known = this.#replayed.find(sessionId, after)
        const read = known ?? this.#readShared(openLog, sessionId, after)
        // A follower that keeps up continues in the same event-loop tick.
        const page = isPromise(read) ? await read : read
        const last = page.at(-1)
        if (last === undefined && this.#removed.has(sessionId)) return
        if (last === undefined) {
          this.#replayed.end(bell)
          await bell.wait()
          continue
        }
        // A single follower shares its pages with nobody.
        if (last.seq < openLog.lastSeq && openLog.bells.size > 1)
          this.#replayed.keep(bell, { sessionId, after, page })
        after = last.seq
        yield page
        // A replay shares the event loop with everybody else. Pages that were read before bring joiners together.
        if (after < openLog.lastSeq && known === undefined) await yieldLoop()
      }
    } finally {
      this.#replayed.end(bell)
      signal.removeEventListener('abort', ring)
      openLog.bells.delete(bell)
    }
  }

  /** Followers with the same cursor share one page, so that it is encoded for the network once. */
  #readShared(openLog: OpenLog, sessionId: string, after: number): MaybePromise<EncodedEvent[]> {
    const { lastSeq, lastPage } = openLog
    if (after >= lastSeq) return []
    if (lastPage?.after === after && lastPage.lastSeq === lastSeq) return lastPage.page
    const page = this.read(sessionId, after)
    openLog.lastPage = { after, lastSeq, page }
    return page
  }

  /** Calls `listener` after each commit, once for every session in it, until the returned function is called. */
  onChange(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** An event that no client will see could not be stored: the list of sessions says so until one of them is stored. */
  noteNotStored(sessionId: string): void {
    this.#projection.notStored.add(sessionId)
    this.#announce(sessionId)
  }

  /** The sessions with a follower here that another hub may write. */
  followedElsewhere(): string[] {
    return this.#openLogs.followedElsewhere()
  }

  /** Another hub has stored events up to this one. */
  advance(sessionId: string, lastSeq: number): void {
    if (!this.#openLogs.isOwn(sessionId)) this.#openLogs.move(sessionId, lastSeq)
  }

  /** The session was removed: ends its followers. A removal is a change, but no event. */
  endRemoved(sessionId: string): void {
    this.#removed.add(sessionId)
    for (const bell of this.#openLogs.find(sessionId)?.bells ?? []) bell.ring()
    this.#announce(sessionId)
  }

  #announce(sessionId: string): void {
    for (const listener of this.#listeners) listener(sessionId)
  }

  #enqueue(sessionId: string, body: EventBody, hubId?: string): Pending {
    this.#pace.arrive(sessionId)
    return this.#pending.add(sessionId, body, hubId)
  }

  #commit(): MaybePromise<void> {
    const batch = this.#pending.takeBatch()
    if (!this.#pending.isEmpty) this.#pace.hurry()
    return whenReady(this.#tryCommit(batch), (error) =>
      // One session's events cannot be stored. Commit per session, so that only that session fails.
      error === undefined ? undefined : this.#commitEach(bySession(batch)),
    )
  }

  #commitEach(parts: readonly Pending[][]): MaybePromise<void> {
    let done: MaybePromise<void> = undefined
    for (const part of parts)
      done = whenReady(done, () =>
        whenReady(this.#tryCommit(part), (error) => {
          if (error !== undefined) this.#refuse(part, error)
        }),
      )
    return done
  }

  #tryCommit(batch: readonly Pending[]): MaybePromise<Error | undefined> {
    return whenReady(this.#storeBatch(batch), (result) => {
      if (result instanceof Error) return result
      this.#notify(batch, result)
      return undefined
    })
  }

  /** Returns the events, or why they are not stored. After an error the batch's sessions are not in memory any more. */
  #storeBatch(batch: readonly Pending[]): MaybePromise<NumberedEvent[] | Error> {
    this.#committing = new Set()
    for (const { sessionId } of batch) this.#committing.add(sessionId)
    try {
      const stored = whenReady(this.#load(batch), () => this.#storeLoaded(batch))
      return isPromise(stored) ? stored.catch((error: unknown) => this.#undo(error)) : stored
    } catch (error) {
      return this.#undo(error)
    }
  }

  /** Reads the state of the batch's sessions that is not in memory yet. */
  #load(batch: readonly Pending[]): MaybePromise<void> {
    let loaded: MaybePromise<unknown> = undefined
    const begun = new Set<string>()
    for (const { sessionId, body } of batch) {
      const fork = body.type === 'session.created' ? body.data.forkedFrom : undefined
      if (fork) begun.add(sessionId)
      if (fork) this.#openLogs.begin(sessionId, fork.seq)
      else if (this.#openLogs.find(sessionId) === undefined)
        loaded = whenReady(loaded, () => this.#openLogs.open(sessionId))
      else if (this.#unsure.delete(sessionId) || this.#isElsewhere(sessionId, begun))
        loaded = whenReady(loaded, () => this.#openLogs.refresh(sessionId))
      if (!this.#projection.isReady(sessionId, body.type))
        loaded = whenReady(loaded, () => this.#projection.foldStored(sessionId, fork))
    }
    return whenReady(loaded, () => undefined)
  }

  /** Another hub may have written the session since this one folded it. */
  #isElsewhere(sessionId: string, begun: ReadonlySet<string>): boolean {
    if (this.#openLogs.isOwn(sessionId) || begun.has(sessionId)) return false
    this.#projection.forget(sessionId)
    return true
  }

  #storeLoaded(batch: readonly Pending[]): MaybePromise<NumberedEvent[]> {
    const numbered = this.#number(batch)
    const rows = this.#projection.plan(numbered)
    return whenReady(this.#store.commit(rows), () => numbered)
  }

  #undo(error: unknown): Error {
    for (const sessionId of this.#committing) this.#projection.forget(sessionId)
    return error instanceof Error ? error : new Error(String(error))
  }

  #number(batch: readonly Pending[]): NumberedEvent[] {
    const seqs = new Map<string, number>()
    return batch.map(({ sessionId, at, body, run, after, hubId }) => {
      if (hubId !== undefined && hubId !== this.hubId)
        throw new NotOwnedError(`Session ${sessionId} began before the lease of this hub lapsed.`)
      const last = seqs.get(sessionId) ?? this.#openLogs.require(sessionId).lastSeq
      if (after !== undefined && after !== last)
        throw new LogMovedError(`The log of session ${sessionId} has other events after ${after}.`)
      const seq = last + 1
      seqs.set(sessionId, seq)
      const { type, data } = run?.toBody() ?? body
      const event = { sessionId, seq, at, type, data } as SessionEvent
      return { event, encoded: encodeEvent(event) }
    })
  }

  #notify(batch: readonly Pending[], committed: readonly NumberedEvent[]): void {
    this.counts.appended += committed.length
    const changed = new Map<string, OpenLog>()
    for (const { event, encoded } of committed) {
      const openLog = this.#openLogs.require(event.sessionId)
      openLog.lastSeq = event.seq
      openLog.tail.push(encoded)
      changed.set(event.sessionId, openLog)
    }
    for (const [index, pending] of batch.entries()) {
      const event = committed[index]?.event
      if (event) for (const waiter of pending.waiters) waiter.resolve(event)
    }
    for (const [sessionId, openLog] of changed) {
      this.#projection.notStored.delete(sessionId)
      for (const bell of openLog.bells) bell.ring()
      this.#announce(sessionId)
    }
  }

  #refuse(batch: readonly Pending[], cause: Error): void {
    this.counts.failedCommits += 1
    for (const { sessionId } of batch) this.#unsure.add(sessionId)
    const facts = { err: cause, sessionId: batch[0]?.sessionId, events: batch.length }
    this.#log.error(facts, 'commit failed; no client was notified')
    const error = storageFailed(cause)
    for (const { waiters, onNotStored } of batch) {
      for (const waiter of waiters) waiter.reject(error)
      for (const report of onNotStored) report(error)
    }
  }
}
