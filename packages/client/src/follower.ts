// One reader of one session: a cursor, and the events that arrived after it and were not taken yet.
import type { SessionEvent } from '@quayside/protocol'
import type { HubError } from './hub-error.js'

/** A reader that falls behind further than this is sent the rest when it has caught up. */
export const MAX_WAITING = 5_000

export class Follower {
  readonly #onCaughtUp: () => void
  #cursor: number
  #waiting: SessionEvent[] = []
  #isFull = false
  #end: { readonly error?: HubError } | undefined
  #isStopped = false
  #wake = () => {}

  constructor(after: number, onCaughtUp: () => void) {
    this.#cursor = after
    this.#onCaughtUp = onCaughtUp
  }

  /** The number of the last event that arrived. */
  get cursor(): number {
    return this.#cursor
  }

  /** True while it takes nothing because it has too much already. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Takes the next event and drops a repeated one. Returns false when events are missing before it. */
  accept(event: SessionEvent): boolean {
    if (this.#isFull || event.seq <= this.#cursor) return true
    if (event.seq > this.#cursor + 1) return false
    this.#cursor = event.seq
    this.#waiting.push(event)
    this.#isFull = this.#waiting.length >= MAX_WAITING
    this.#wake()
    return true
  }

  end(error?: HubError): void {
    this.#end ??= error ? { error } : {}
    this.#wake()
  }

  /** Ends it without what is still waiting. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  /** Everything that arrives, until the follower is ended; then its error, if it has one, is thrown. */
  async *events(): AsyncGenerator<SessionEvent, void, undefined> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      for (const event of batch) {
        if (this.#isStopped) return
        yield event
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
