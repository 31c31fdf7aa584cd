// Reads of logs. Those that are asked for in one event-loop tick are one query: a hint from another hub wakes the followers of many sessions.
import type { EncodedEvent } from '../event-store.js'
import type { Connections } from './connections.js'
import { READ } from './event-sql.js'

const PAGE_BYTES = 128 * 1024
/** Of one query: about 4 MB, unless their last events are large. */
const MAX_PAGES = 32

export type PageRead = {
  readonly sessionId: string
  readonly after: number
  readonly limit: number
}

type Waiting = {
  readonly wanted: PageRead
  readonly resolve: (page: EncodedEvent[]) => void
  readonly reject: (error: unknown) => void
}

export class PageReads {
  readonly #db: Connections
  readonly #waiting: Waiting[] = []

  constructor(db: Connections) {
    this.#db = db
  }

  read(wanted: PageRead): Promise<EncodedEvent[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#readAll())
      this.#waiting.push({ wanted, resolve, reject })
    })
  }

  async #readAll(): Promise<void> {
    const waiting = this.#waiting.splice(0, MAX_PAGES)
    if (this.#waiting.length > 0) setImmediate(() => void this.#readAll())
    try {
      const pages = await this.#find(waiting.map(({ wanted }) => wanted))
      for (const [index, { resolve }] of waiting.entries()) resolve(pages[index] ?? [])
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #find(wanted: readonly PageRead[]): Promise<EncodedEvent[][]> {
    const ids = wanted.map(({ sessionId }) => sessionId)
    const afters = wanted.map(({ after }) => after)
    const limits = wanted.map(({ limit }) => limit)
    const values = [ids, afters, limits, PAGE_BYTES]
    const pages = wanted.map((): EncodedEvent[] => [])
    const rows = await this.#db.read<{ n: number; seq: number; json: string }>(READ, values)
    for (const { n, seq, json } of rows) pages[n - 1]?.push({ seq, bytes: Buffer.from(json) })
    return pages.map((page) => page.toSorted((a, b) => a.seq - b.seq))
  }
}
