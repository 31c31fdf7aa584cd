// Where a reader begins and ends, said in turns or times, as numbers of events.
import type { FollowWish } from '@quayside/protocol/schemas'
import type { Database } from '../../store/database.js'

/** The events after `after`; with `until` nothing beyond it, also later. */
export type FollowRange = { readonly after: number; readonly until?: number }

export class FollowRanges {
  readonly #lastSeq
  readonly #at
  readonly #prompt

  constructor(db: Database) {
    this.#lastSeq = db.prepare('SELECT MAX(seq) AS seq FROM AgentEvent WHERE sessionId = ?')
    this.#at = db.prepare('SELECT at FROM AgentEvent WHERE sessionId = ? AND seq = ?')
    this.#prompt = db.prepare(
      `SELECT seq FROM AgentMessage WHERE sessionId = ? AND role = 'user' AND seq <= ?
       ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    )
  }

  /** `limit` counts turns, from the end or from `before`; `since` and `before` are milliseconds since 1970. */
  resolve(sessionId: string, { after, limit, since, before }: FollowWish): FollowRange {
    const until = before === undefined ? undefined : this.#lastUntil(sessionId, before - 1)
    const starts = [
      after ?? 0,
      since === undefined ? 0 : this.#lastUntil(sessionId, since),
      limit === undefined ? 0 : this.#beforeTurns(sessionId, limit, until),
    ]
    return { after: Math.max(...starts), ...(until === undefined ? {} : { until }) }
  }

  /** The last event at this time or earlier, by halving: times never go back but by a changed clock. */
  #lastUntil(sessionId: string, at: number): number {
    const { seq } = this.#lastSeq.get(sessionId) as { seq: number | null }
    let low = 0
    let high = seq ?? 0
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const row = this.#at.get(sessionId, middle) as { at: number }
      if (row.at <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  /** A turn begins with its prompt. */
  #beforeTurns(sessionId: string, turns: number, until = Number.MAX_SAFE_INTEGER): number {
    if (turns === 0) return until === Number.MAX_SAFE_INTEGER ? this.#newest(sessionId) : until
    const row = this.#prompt.get(sessionId, until, turns - 1) as { seq: number } | undefined
    return row === undefined ? 0 : row.seq - 1
  }

  #newest(sessionId: string): number {
    return (this.#lastSeq.get(sessionId) as { seq: number | null }).seq ?? 0
  }
}
