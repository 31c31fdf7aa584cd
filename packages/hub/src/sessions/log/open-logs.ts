// The sessions that are written or followed: their last event, their newest events, and the followers to wake.
import type { EncodedEvent, EventStore } from '../../store/event-store.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { Tail } from './tail.js'

/** Logs that stay open in memory without a follower. */
const MAX_IDLE_LOGS = 64

export type OpenLog = {
  lastSeq: number
  tail: Tail
  readonly bells: Set<Bell>
  /** The last page a follower read: most followers read the same one next. */
  lastPage?: SharedPage
}

type SharedPage = {
  readonly after: number
  readonly lastSeq: number
  readonly page: MaybePromise<EncodedEvent[]>
}

export class OpenLogs {
  readonly #store: EventStore
  readonly #isInUse: (sessionId: string) => boolean
  readonly #logs = new Map<string, OpenLog>()

  /** `isInUse`: the session has events that are not stored yet, so its log must stay open. */
  constructor(store: EventStore, isInUse: (sessionId: string) => boolean) {
    this.#store = store
    this.#isInUse = isInUse
  }

  find(sessionId: string): OpenLog | undefined {
    return this.#logs.get(sessionId)
  }

  /** False for a session that another hub may write: its log is as it was when this hub looked last. */
  isOwn(sessionId: string): boolean {
    return this.#store.isOwn?.(sessionId) ?? true
  }

  /** A log whose last event and newest events are those in memory. */
  findOwn(sessionId: string): OpenLog | undefined {
    const log = this.#logs.get(sessionId)
    return log && this.isOwn(sessionId) ? log : undefined
  }

  /** The sessions with a follower here that another hub may write. */
  followedElsewhere(): string[] {
    const followed = [...this.#logs].filter(([id, { bells }]) => bells.size > 0 && !this.isOwn(id))
    return followed.map(([id]) => id)
  }

  /** Adds the bell in the step that finds the log, so that the log is never dropped in between. */
  open(sessionId: string, bell?: Bell): MaybePromise<OpenLog> {
    const known = this.#logs.get(sessionId)
    if (known === undefined)
      return whenReady(this.#store.lastSeq(sessionId), (lastSeq) => {
        const log = this.#logs.get(sessionId) ?? this.#add(sessionId, lastSeq)
        if (bell) log.bells.add(bell)
        return log
      })
    if (bell) known.bells.add(bell)
    return known
  }

  /** Reads the last event again: a store that failed to answer may have stored a batch. */
  refresh(sessionId: string): MaybePromise<void> {
    return whenReady(this.#store.lastSeq(sessionId), (lastSeq) => this.move(sessionId, lastSeq))
  }

  /** The log of this session ends with another event than the one in memory. */
  move(sessionId: string, lastSeq: number): void {
    const log = this.#logs.get(sessionId)
    if (log === undefined || log.lastSeq === lastSeq) return
    log.lastSeq = lastSeq
    log.tail = new Tail(lastSeq)
    for (const bell of log.bells) bell.ring()
  }

  /** For a session whose first event follows those of another one. */
  begin(sessionId: string, lastSeq: number): OpenLog {
    return this.#logs.get(sessionId) ?? this.#add(sessionId, lastSeq)
  }

  /** For a session that `open` was called for and that is in use. */
  require(sessionId: string): OpenLog {
    const log = this.#logs.get(sessionId)
    if (log === undefined) throw new Error(`session ${sessionId} is not in memory`)
    return log
  }

  #add(sessionId: string, lastSeq: number): OpenLog {
    const log: OpenLog = { lastSeq, tail: new Tail(lastSeq), bells: new Set() }
    this.#logs.set(sessionId, log)
    if (this.#logs.size > MAX_IDLE_LOGS) this.#dropIdle(sessionId)
    return log
  }

  #dropIdle(except: string): void {
    for (const [sessionId, log] of this.#logs) {
      if (this.#logs.size <= MAX_IDLE_LOGS) return
      if (sessionId !== except && log.bells.size === 0 && !this.#isInUse(sessionId))
        this.#logs.delete(sessionId)
    }
  }
}

/** Wakes one follower. A ring is remembered until the follower waits for it. */
export class Bell {
  #isRung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  async wait(): Promise<void> {
    if (!this.#isRung) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#isRung = false
    this.#wake = undefined
  }
}
