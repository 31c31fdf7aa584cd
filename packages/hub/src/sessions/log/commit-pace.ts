// When the log commits: a drip at the end of its event-loop tick, a flood in fewer and larger transactions.
import { isPromise, type MaybePromise } from '../../store/maybe-promise.js'

/**
 * While only one session writes, a flood is gathered for as long as the last commit took (5 to 20 ms). With several sessions
 * each tick commits, because events wait for a running commit.
 */
const GATHER_MS = { least: 5, most: 20 }
const ALONE_MS = 500

/** The events that wait: `isDrip` when gathering more gains nothing, `isFull` when a transaction takes no more. */
export type Backlog = { readonly isDrip: boolean; readonly isFull: boolean }

export type CommitPaceDeps = {
  readonly backlog: () => Backlog
  /** Must not reject. */
  readonly commit: () => MaybePromise<void>
}

export class CommitPace {
  readonly #deps: CommitPaceDeps
  #isScheduled = false
  #isCommitting = false
  /** Events that arrived, the session of the last one, and since when no other session has written. */
  #arrived = 0
  #lastSession = ''
  #aloneSince = 0
  /** Until when the next commit may wait for more, and whether a caller waits for it. */
  #gatherUntil = 0
  #lastCommitMs = 0
  #isAwaited = false

  constructor(deps: CommitPaceDeps) {
    this.#deps = deps
  }

  /** An event of this session waits to be committed. */
  arrive(sessionId: string): void {
    this.#arrived += 1
    if (sessionId !== this.#lastSession) {
      this.#lastSession = sessionId
      this.#aloneSince = performance.now()
    }
    this.#schedule()
  }

  /** A caller waits for the next commit. */
  hurry(): void {
    this.#isAwaited = true
    this.#schedule()
  }

  #schedule(): void {
    // After a commit that is under way, `#finish` schedules the next one.
    if (this.#isScheduled || this.#isCommitting) return
    this.#isScheduled = true
    const gatherMs = Math.min(Math.max(this.#lastCommitMs, GATHER_MS.least), GATHER_MS.most)
    this.#gatherUntil = performance.now() + gatherMs
    this.#commitSoon(this.#arrived)
  }

  /** A flood is committed after a tick without new events, or when a caller waits, or when it is time. */
  #commitSoon(arrived: number, isSecondLook = false): void {
    setImmediate(() => {
      const now = performance.now()
      const { isDrip, isFull } = this.#deps.backlog()
      const isOver = this.#arrived === arrived && (isSecondLook || isDrip)
      const isUrgent = this.#isAwaited || now < this.#aloneSince + ALONE_MS
      if (!isOver && !isUrgent && !isFull && now < this.#gatherUntil) {
        this.#commitSoon(this.#arrived, true)
        return
      }
      this.#isScheduled = false
      this.#isAwaited = false
      this.#isCommitting = true
      const arrivedBefore = this.#arrived
      const committed = this.#deps.commit()
      if (isPromise(committed)) void committed.then(() => this.#finish(now, arrivedBefore))
      else this.#finish(now, arrivedBefore)
    })
  }

  #finish(startedAt: number, arrivedBefore: number): void {
    this.#isCommitting = false
    this.#lastCommitMs = performance.now() - startedAt
    if (this.#isAwaited || this.#arrived > arrivedBefore) this.#schedule()
  }
}
