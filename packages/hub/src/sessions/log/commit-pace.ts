// When the log commits: a drip at the end of its turn of the event loop, a flood in fewer and larger transactions.

/**
 * A session that floods is gathered for as long as the last commit took, so that a slow disk gets fewer and larger transactions.
 * Within these bounds: less would not be worth it, more would be noticed. And only while no other session had anything to say
 * for a while, because whoever comes in the middle of a large commit waits for its end.
 */
const GATHER_MS = { least: 5, most: 20 }
const ALONE_MS = 500

/** What waits: `isDrip` when it is too little to be worth gathering, `isFull` when a transaction takes no more. */
export type Backlog = { readonly isDrip: boolean; readonly isFull: boolean }

export type CommitPaceOptions = {
  readonly backlog: () => Backlog
  readonly commit: () => void
}

export class CommitPace {
  readonly #options: CommitPaceOptions
  #isScheduled = false
  /** How often something arrived, who spoke last, and since when nobody else did. */
  #arrived = 0
  #speaker = ''
  #aloneSince = 0
  /** Until when the next commit may wait for more, and whether somebody waits for it. */
  #gatherUntil = 0
  #lastCommitMs = 0
  #isAwaited = false

  constructor(options: CommitPaceOptions) {
    this.#options = options
  }

  /** Something of this session waits to be committed. */
  arrive(sessionId: string): void {
    this.#arrived += 1
    if (sessionId !== this.#speaker) {
      this.#speaker = sessionId
      this.#aloneSince = performance.now()
    }
    this.#schedule()
  }

  /** Somebody waits for the next commit. */
  hurry(): void {
    this.#isAwaited = true
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const gatherMs = Math.min(Math.max(this.#lastCommitMs, GATHER_MS.least), GATHER_MS.most)
    this.#gatherUntil = performance.now() + gatherMs
    this.#commitSoon(this.#arrived)
  }

  /** A flood is committed after a turn of the loop that brought nothing more, or when somebody waits, or it is time. */
  #commitSoon(arrived: number, isSecondLook = false): void {
    setImmediate(() => {
      const now = performance.now()
      const { isDrip, isFull } = this.#options.backlog()
      const isOver = this.#arrived === arrived && (isSecondLook || isDrip)
      const isUrgent = this.#isAwaited || now < this.#aloneSince + ALONE_MS
      if (!isOver && !isUrgent && !isFull && now < this.#gatherUntil) {
        this.#commitSoon(this.#arrived, true)
        return
      }
      this.#isScheduled = false
      this.#isAwaited = false
      this.#options.commit()
      this.#lastCommitMs = performance.now() - now
    })
  }
}
