// The sessions that are written or followed: their last event, their newest events, and the followers to wake.
import type { EncodedEvent, EventStore } from '../../store/event-store.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { Tail } from './tail.js'

/** Heads that stay in memory without a follower. */
const MAX_IDLE_HEADS = 64

export type Head = {
  lastSeq: number
  readonly tail: Tail
  readonly bells: Set<Bell>
  /** The last page a follower read: most followers read the same one next. */
  lastPage?: SharedPage
}

type SharedPage = {
  readonly after: number
  readonly lastSeq: number
  readonly page: MaybePromise<EncodedEvent[]>
}

export class Heads {
  readonly #store: EventStore
  readonly #isInUse: (sessionId: string) => boolean
  readonly #heads = new Map<string, Head>()

  /** `isInUse`: the session has events that are not stored yet, so its head must stay. */
  constructor(store: EventStore, isInUse: (sessionId: string) => boolean) {
    this.#store = store
    this.#isInUse = isInUse
  }

  find(sessionId: string): Head | undefined {
    return this.#heads.get(sessionId)
  }

  /** Adds the bell in the step that finds the head, so that the head is never dropped in between. */
  open(sessionId: string, bell?: Bell): MaybePromise<Head> {
    const known = this.#heads.get(sessionId)
    if (known === undefined)
      return whenReady(this.#store.lastSeq(sessionId), (lastSeq) => {
        const head = this.#heads.get(sessionId) ?? this.#add(sessionId, lastSeq)
        if (bell) head.bells.add(bell)
        return head
      })
    if (bell) known.bells.add(bell)
    return known
  }

  /** For a session that `open` was called for and that is in use. */
  require(sessionId: string): Head {
    const head = this.#heads.get(sessionId)
    if (head === undefined) throw new Error(`session ${sessionId} is not in memory`)
    return head
  }

  #add(sessionId: string, lastSeq: number): Head {
    const head: Head = { lastSeq, tail: new Tail(lastSeq), bells: new Set() }
    this.#heads.set(sessionId, head)
    if (this.#heads.size > MAX_IDLE_HEADS) this.#dropIdle(sessionId)
    return head
  }

  #dropIdle(except: string): void {
    for (const [sessionId, head] of this.#heads) {
      if (this.#heads.size <= MAX_IDLE_HEADS) return
      if (sessionId !== except && head.bells.size === 0 && !this.#isInUse(sessionId))
        this.#heads.delete(sessionId)
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
