// Reports a session without activity: no prompt, no update and no open decision for a while.
export class IdleWatch {
  readonly #limitMs: number
  readonly #isBusy: () => boolean
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #lastActivityAt = performance.now()

  constructor(options: {
    limitMs: number
    /** A session with a running turn, an open question or waiting prompts is not idle. */
    isBusy: () => boolean
    onIdle: () => void
  }) {
    this.#limitMs = options.limitMs
    this.#isBusy = options.isBusy
    this.#onIdle = options.onIdle
    this.#arm(this.#limitMs)
  }

  /** By the monotonic clock. */
  get lastActivityAt(): number {
    return this.#lastActivityAt
  }

  /** Called for every update, so it only stores the time. */
  noteActivity(): void {
    this.#lastActivityAt = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #arm(ms: number): void {
    // A timer takes at most 24 days; a longer limit is checked again then.
    this.#timer = setTimeout(() => this.#check(), Math.min(Math.max(1, ms), 2 ** 31 - 1))
  }

  #check(): void {
    if (this.#isBusy()) this.noteActivity()
    const left = this.#limitMs - (performance.now() - this.#lastActivityAt)
    if (left > 0) this.#arm(left)
    else this.#onIdle()
  }
}
