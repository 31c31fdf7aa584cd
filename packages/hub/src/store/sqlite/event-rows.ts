// Events in SQLite, and the session and message rows that follow from them: one transaction for each batch.
import type {
  EncodedEvent,
  EventStore,
  MessageWrite,
  SessionBatch,
  SessionColumns,
} from '../event-store.js'
import type { Database } from './database.js'
import { SearchIndex } from './search-index.js'
import { inTransaction } from './transaction.js'

export class EventRows implements EventStore {
  readonly #db: Database
  readonly #search: SearchIndex
  readonly #statements

  constructor(db: Database) {
    this.#db = db
    this.#search = new SearchIndex(db)
    this.#statements = {
      ...eventStatements(db),
      ...sessionStatements(db),
      ...messageStatements(db),
    }
  }

  /** Synchronous on purpose: nothing can come between the rows of a transaction. */
  commit(batch: readonly SessionBatch[]): void {
    inTransaction(this.#db, () => {
      for (const part of batch) this.#store(part)
    })
  }

  read(sessionId: string, after: number, limit: number): Iterable<EncodedEvent> {
    return this.#statements.readAfter.iterate(sessionId, after, limit) as Iterable<EncodedEvent>
  }

  lastSeq(sessionId: string): number {
    const row = this.#statements.lastSeq.get(sessionId) as { seq: number | null } | undefined
    return row?.seq ?? 0
  }

  /** By halving: there is an index on `seq`, and none on `at`. */
  lastSeqUntil(sessionId: string, at: number): number {
    let low = 0
    let high = this.lastSeq(sessionId)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const row = this.#statements.at.get(sessionId, middle) as { at: number }
      if (row.at <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  hasTurn(sessionId: string): boolean {
    return this.#statements.findTurn.get(sessionId) !== undefined
  }

  #store({ sessionId: id, created, events, change, messages }: SessionBatch): void {
    const { insertSession, insertEvent, touchSession } = this.#statements
    if (created) insertSession.run({ id, ...created })
    for (const { seq, at, type, data } of events) insertEvent.run(id, seq, at, type, data)
    this.#change(id, change)
    let turns = 0
    let added = 0
    for (const message of messages.values()) {
      if (!this.#storeMessage(id, message)) continue
      added += 1
      if (message.role === 'user' && message.turnId !== null) turns += 1
    }
    const last = events.at(-1)
    if (last) touchSession.run(last.seq, last.at, turns, added, id)
  }

  #change(id: string, change: SessionColumns): void {
    const { setTitle, setState, setSettings, setSnapshot, setAcpSession, setMarks } =
      this.#statements
    const { title, state, settings, snapshot, pinned, archived, acpSessionId } = change
    if (title !== undefined) {
      setTitle.run({ id, title })
      this.#search.putTitle(id, title)
    }
    if (state !== undefined) setState.run({ id, ...state })
    if (settings !== undefined) setSettings.run({ id, settings })
    if (snapshot !== undefined) setSnapshot.run({ id, snapshot })
    if (acpSessionId !== undefined) setAcpSession.run({ id, acpSessionId })
    if (pinned !== undefined || archived !== undefined)
      setMarks.run({ id, pinned: toInteger(pinned), archived: toInteger(archived) })
  }

  /** True when the row is new. */
  #storeMessage(sessionId: string, message: MessageWrite): boolean {
    const { itemId, content, seq, updatedSeq, updatedAt, searchText, hasRow } = message
    const partial = message.isPartial ? 1 : 0
    const { insertMessage, updateMessage } = this.#statements
    if (hasRow) updateMessage.run(content, partial, updatedSeq, updatedAt, sessionId, itemId)
    else {
      const { id, turnId, role, at } = message
      const { changes } = insertMessage.run(
        id,
        sessionId,
        itemId,
        turnId,
        role,
        content,
        partial,
        seq,
        updatedSeq,
        at,
        updatedAt,
      )
      if (changes === 0) return false
    }
    if (searchText !== undefined) this.#search.putText(sessionId, seq, searchText)
    return !hasRow
  }
}

function toInteger(flag: boolean | undefined): number | null {
  return flag === undefined ? null : Number(flag)
}

function eventStatements(db: Database) {
  return {
    insertEvent: db.prepare(
      'INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES (?, ?, ?, ?, CAST(? AS TEXT))',
    ),
    // SQLite concatenates the JSON: building strings from rows and bytes from strings takes longer than reading them.
    // The same bytes as `encodeEvent` in `sessions/log/encoded-events.ts`; a test compares the two.
    readAfter: db.prepare(
      `SELECT seq, CAST(
         concat('{"sessionId":"', sessionId, '","seq":', seq, ',"at":', at, ',"type":"', type, '","data":', data, '}')
       AS BLOB) AS bytes FROM AgentEvent WHERE sessionId = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    lastSeq: db.prepare('SELECT MAX(seq) AS seq FROM AgentEvent WHERE sessionId = ?'),
    at: db.prepare('SELECT at FROM AgentEvent WHERE sessionId = ? AND seq = ?'),
    findTurn: db.prepare(
      "SELECT 1 FROM AgentEvent WHERE sessionId = ? AND type = 'turn.started' LIMIT 1",
    ),
  }
}

function sessionStatements(db: Database) {
  return {
    insertSession: db.prepare(
      `INSERT INTO AgentSession (id, repoId, extensionId, status, title, settings, createdAt, updatedAt, number)
       VALUES (:id, :repoId, :extensionId, 'active', :title, :settings, :at, :at,
         (SELECT coalesce(max(number), 0) + 1 FROM AgentSession))`,
    ),
    touchSession: db.prepare(
      `UPDATE AgentSession SET lastSeq = ?, updatedAt = ?,
         turnCount = turnCount + ?, messageCount = messageCount + ? WHERE id = ?`,
    ),
    setState: db.prepare(
      `UPDATE AgentSession SET status = :status, metadata = :metadata, endedAt = :endedAt WHERE id = :id`,
    ),
    setSettings: db.prepare('UPDATE AgentSession SET settings = :settings WHERE id = :id'),
    setSnapshot: db.prepare('UPDATE AgentSession SET snapshot = :snapshot WHERE id = :id'),
    setTitle: db.prepare('UPDATE AgentSession SET title = :title WHERE id = :id'),
    setMarks: db.prepare(
      `UPDATE AgentSession SET pinned = coalesce(:pinned, pinned), archived = coalesce(:archived, archived)
       WHERE id = :id`,
    ),
    setAcpSession: db.prepare(
      'UPDATE AgentSession SET acpSessionId = :acpSessionId WHERE id = :id',
    ),
  }
}

function messageStatements(db: Database) {
  return {
    insertMessage: db.prepare(
      `INSERT INTO AgentMessage (id, sessionId, itemId, turnId, role, content, partial,
         seq, updatedSeq, timestamp, updatedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
    updateMessage: db.prepare(
      `UPDATE AgentMessage SET content = ?, partial = ?, updatedSeq = ?, updatedAt = ?
       WHERE sessionId = ? AND itemId = ?`,
    ),
  }
}
