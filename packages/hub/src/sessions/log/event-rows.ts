// The AgentEvent table: the only place with SQL for events, and with the JSON around their data.
import type { SessionEvent } from '@quayside/protocol'
import type { Database } from '../../store/database.js'

/** An event as it is stored and sent: its JSON in UTF-8, made once and from then on only copied. */
export type EncodedEvent = { readonly seq: number; readonly bytes: Uint8Array }

export class EventRows {
  readonly #insert
  readonly #readAfter
  readonly #lastSeq

  constructor(db: Database) {
    this.#insert = db.prepare(
      'INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES (?, ?, ?, ?, CAST(? AS TEXT))',
    )
    // Put together by SQLite: making strings of rows and bytes of strings takes longer than reading them.
    this.#readAfter = db.prepare(
      `SELECT seq, CAST(
         concat('{"sessionId":"', sessionId, '","seq":', seq, ',"at":', at, ',"type":"', type, '","data":', data, '}')
       AS BLOB) AS bytes FROM AgentEvent WHERE sessionId = ? AND seq > ? ORDER BY seq LIMIT ?`,
    )
    this.#lastSeq = db.prepare('SELECT MAX(seq) AS seq FROM AgentEvent WHERE sessionId = ?')
  }

  /** Stores it and answers with what is to be sent. */
  insert({ sessionId, seq, at, type, data }: SessionEvent): EncodedEvent {
    const json = Buffer.from(JSON.stringify(data))
    this.#insert.run(sessionId, seq, at, type, json)
    const head = `{"sessionId":"${sessionId}","seq":${seq},"at":${at},"type":"${type}","data":`
    return { seq, bytes: Buffer.concat([Buffer.from(head), json, END]) }
  }

  /** Row by row, as far as somebody wants them. To be used up or left before anything is awaited. */
  read(sessionId: string, after: number, limit: number): Iterable<EncodedEvent> {
    return this.#readAfter.iterate(sessionId, after, limit) as Iterable<EncodedEvent>
  }

  lastSeq(sessionId: string): number {
    return (this.#lastSeq.get(sessionId) as { seq: number | null } | undefined)?.seq ?? 0
  }
}

const END = Buffer.from('}')
const decoder = new TextDecoder()

export function jsonOf({ bytes }: EncodedEvent): string {
  return decoder.decode(bytes)
}

export function decodeEvent(event: EncodedEvent): SessionEvent {
  return JSON.parse(jsonOf(event)) as SessionEvent
}
