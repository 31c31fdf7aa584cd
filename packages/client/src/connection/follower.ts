// One reader of a growing sequence: a cursor, and the received items that were not consumed yet.
import type { ClientError } from './client-error.js'

type FollowerOptions = {
  readonly after: number
  /** A reader that falls further behind is sent the rest when it has caught up. */
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

  /** The end of the received items. */
  get cursor(): number {
    return this.#cursor
  }

  /** True while it accepts no items because too many are waiting. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Adds the next item; `size` counts against the limit. */
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

  /** Ends it and drops the waiting items. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  /** All items, until the follower is ended; then throws its error, if any. */
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
