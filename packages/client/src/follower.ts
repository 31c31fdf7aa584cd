// One reader of one session: a cursor, and the events that arrived after it and were not taken yet.
import type { SessionEvent } from '@quayside/protocol'
import type { HubError } from './hub-error.js'

export class Follower {
  #cursor: number
  #waiting: SessionEvent[] = []
  #end: { readonly error?: HubError } | undefined
  #wake = () => {}

  constructor(after: number) {
    this.#cursor = after
  }

  /** The number of the last event that arrived. */
  get cursor(): number {
    return this.#cursor
  }

  /** Takes the next event and drops a repeated one. Returns false when events are missing before it. */
  accept(event: SessionEvent): boolean {
    if (event.seq > this.#cursor + 1) return false
    if (event.seq === this.#cursor + 1) {
      this.#cursor = event.seq
      this.#waiting.push(event)
      this.#wake()
    }
    return true
  }

  end(error?: HubError): void {
    this.#end ??= error ? { error } : {}
    this.#wake()
  }

  /** Everything that arrives, until the follower is ended; then its error, if it has one, is thrown. */
  async *events(): AsyncGenerator<SessionEvent, void, undefined> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      yield* batch
      if (this.#waiting.length > 0) continue
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
