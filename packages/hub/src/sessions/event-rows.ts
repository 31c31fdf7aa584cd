// The AgentEvent table: the only place with SQL for events.
import type { SessionEvent } from '@quayside/protocol'
import type { Database } from '../store/database.js'
import type { EncodedEvent } from './event-log.js'

type Row = { seq: number; at: number; type: string; data: string }

export class EventRows {
  readonly #insert
  readonly #readAfter
  readonly #lastSeq

  constructor(db: Database) {
    this.#insert = db.prepare(
      'INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES (?, ?, ?, ?, ?)',
    )
    this.#readAfter = db.prepare(
      'SELECT seq, at, type, data FROM AgentEvent WHERE sessionId = ? AND seq > ? ORDER BY seq LIMIT ?',
    )
    this.#lastSeq = db.prepare('SELECT MAX(seq) AS seq FROM AgentEvent WHERE sessionId = ?')
  }

  insert(event: SessionEvent, data: string): void {
    this.#insert.run(event.sessionId, event.seq, event.at, event.type, data)
  }

  /** Row by row, as far as somebody wants them. To be used up or left before anything is awaited. */
  *read(sessionId: string, after: number, limit: number): Generator<EncodedEvent> {
    const rows: Iterable<Row> = this.#readAfter.iterate(sessionId, after, limit)
    for (const { seq, at, type, data } of rows)
      yield { seq, json: this.encode({ sessionId, seq, at, type }, data) }
  }

  lastSeq(sessionId: string): number {
    return (this.#lastSeq.get(sessionId) as { seq: number | null } | undefined)?.seq ?? 0
  }

  /** The envelope around data that is JSON already. */
  encode(
    event: { sessionId: string; seq: number; at: number; type: string },
    data: string,
  ): string {
    const { sessionId, seq, at, type } = event
    return `{"sessionId":"${sessionId}","seq":${seq},"at":${at},"type":"${type}","data":${data}}`
  }
}
