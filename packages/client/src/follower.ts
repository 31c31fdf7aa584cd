// One reader of something that grows: a cursor, and what arrived after it and was not taken yet.
import type { ClientError } from './client-error.js'

type FollowerOptions = {
  readonly after: number
  /** A reader that falls behind further than this is sent the rest when it has caught up. */
  readonly maxWaiting: number
  readonly onCaughtUp: () => void
}

export class Follower<Item> {
  readonly #maxWaiting: number
  readonly #onCaughtUp: () => void
  #cursor: number
  #waiting: Item[] = []
  #waitingSize = 0
  #isFull = false
  #end: { readonly error?: ClientError } | undefined
  #isStopped = false
  #wake = () => {}

  constructor({ after, maxWaiting, onCaughtUp }: FollowerOptions) {
    this.#cursor = after
    this.#maxWaiting = maxWaiting
    this.#onCaughtUp = onCaughtUp
  }

  /** Where what arrived ends. */
  get cursor(): number {
    return this.#cursor
  }

  /** True while it takes nothing because it has too much already. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Takes what comes next; `size` counts against what may wait. */
  take(item: Item, { cursor, size }: { readonly cursor: number; readonly size: number }): void {
    this.#cursor = cursor
    this.#waiting.push(item)
    this.#waitingSize += size
    this.#isFull = this.#waitingSize >= this.#maxWaiting
    this.#wake()
  }

  end(error?: ClientError): void {
    this.#end ??= error ? { error } : {}
    this.#wake()
  }

  /** Ends it without what is still waiting. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  /** Everything that arrives, until the follower is ended; then its error, if it has one, is thrown. */
  async *items(): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      this.#waitingSize = 0
      for (const item of batch) {
        if (this.#isStopped) return
        yield item
      }
      if (this.#waiting.length > 0) continue
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return
      if (this.#isFull) {
        this.#isFull = false
        this.#onCaughtUp()
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
