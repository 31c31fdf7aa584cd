// The newest events of one session in memory, so that followers that keep up never read the database.
import type { EncodedEvent } from '../../store/event-store.js'

const MAX_LENGTH = 2_000
const MAX_BYTES = 1024 * 1024

export class Tail {
  #events: EncodedEvent[] = []
  #bytes = 0
  #lastSeq: number

  constructor(lastSeq: number) {
    this.#lastSeq = lastSeq
  }

  push(event: EncodedEvent): void {
    this.#events.push(event)
    this.#bytes += event.bytes.length
    this.#lastSeq = event.seq
    if (this.#events.length > 2 * MAX_LENGTH || this.#bytes > 2 * MAX_BYTES) this.#trim()
  }

  /** The events after `after`, or undefined when they reach further back than the tail. */
  read(after: number, limit: number): EncodedEvent[] | undefined {
    if (after >= this.#lastSeq) return []
    const first = this.#events[0]
    if (first === undefined || after + 1 < first.seq) return undefined
    const start = after + 1 - first.seq
    return this.#events.slice(start, start + limit)
  }

  /** Trims to half, so that the cost is spread over many pushes. */
  #trim(): void {
    let kept = 0
    let start = this.#events.length
    while (start > 0 && this.#events.length - start < MAX_LENGTH) {
      const size = this.#events[start - 1]?.bytes.length ?? 0
      if (kept + size > MAX_BYTES) break
      kept += size
      start -= 1
    }
    this.#events = this.#events.slice(start)
    this.#bytes = kept
  }
}
