// The newest pages of replays, for clients that join a session together: each page is read and encoded once.
import type { EncodedEvent } from '../../store/event-store.js'

/** For all sessions. Each page has 64 KiB and one event. */
const MAX_PAGES = 64

export class ReplayedPages {
  readonly #pages = new Map<string, EncodedEvent[]>()
  /** The followers that are behind. */
  readonly #readers = new Set<object>()

  /** A page stays true: a log only grows. */
  find(sessionId: string, after: number): EncodedEvent[] | undefined {
    return this.#pages.get(keyOf(sessionId, after))
  }

  /** Until every `reader` that kept a page has ended. */
  keep(reader: object, { sessionId, after, page }: ReplayedPage): void {
    this.#readers.add(reader)
    this.#pages.set(keyOf(sessionId, after), page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest)
  }

  /** The reader has caught up, or has gone. */
  end(reader: object): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#pages.clear()
  }
}

type ReplayedPage = {
  readonly sessionId: string
  readonly after: number
  readonly page: EncodedEvent[]
}

function keyOf(sessionId: string, after: number): string {
  return `${sessionId} ${after}`
}
