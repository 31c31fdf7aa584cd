// How long sessions are opened: the last part of the log, folded, and from where to follow.
import {
  applyEvent,
  emptyTranscript,
  inReadingOrder,
  type Item,
  type SessionEvent,
} from '@quayside/protocol'
import type { Database } from '../store/database.js'
import type { EventLog } from './event-log.js'

export type Timeline = {
  /** Folded rows in reading order. */
  readonly items: readonly Item[]
  /** Follow after this. */
  readonly seq: number
  /** Pass it as `before` for what came earlier; absent at the beginning. */
  readonly before?: number
}

export class Timelines {
  readonly #eventLog: EventLog
  readonly #start

  constructor(db: Database, eventLog: EventLog) {
    this.#eventLog = eventLog
    // Where the turn begins that holds the message `limit` rows back: folding starts at a whole turn.
    this.#start = db.prepare(
      `SELECT MIN(turn.seq) AS seq FROM AgentMessage AS turn
       WHERE turn.sessionId = :id AND turn.turnId IS (
         SELECT turnId FROM AgentMessage
         WHERE sessionId = :id AND seq < :before ORDER BY seq DESC LIMIT 1 OFFSET :offset)`,
    )
  }

  /** At least `limit` rows before `before`, more when a turn is longer. */
  read(id: string, limit: number, before?: number): Timeline {
    const lastSeq = this.#eventLog.lastSeq(id)
    const end = Math.min(before ?? lastSeq + 1, lastSeq + 1)
    const row = this.#start.get({ id, before: end, offset: limit - 1 }) as { seq: number | null }
    const start = row.seq ?? 1
    const transcript = emptyTranscript()
    for (let after = start - 1; after < end - 1;) {
      const page = this.#eventLog.read(id, after, Math.min(500, end - 1 - after))
      for (const { json } of page) applyEvent(transcript, JSON.parse(json) as SessionEvent)
      const last = page.at(-1)?.seq
      if (last === undefined) break
      after = last
    }
    const items = inReadingOrder(transcript.items)
    return { items, seq: lastSeq, ...(start > 1 ? { before: start } : {}) }
  }
}
