// Events in SQLite, and the session and message rows that follow from them: one transaction for each batch.
import type {
  EncodedEvent,
  EventStore,
  MessageWrite,
  SessionBatch,
  SessionColumns,
  SessionInsert,
  TurnRange,
} from '../event-store.js'
import { CheckpointRows } from './checkpoint-rows.js'
import type { Database } from './database.js'
import { type LogPart, LogParts, OF_PART } from './log-parts.js'
import { RowInserts } from './row-inserts.js'
import { SearchIndex } from './search/search-index.js'
import { inTransaction } from './transaction.js'
import { IS_MARKED } from './upkeep-rows.js'

export class EventRows implements EventStore {
  readonly #db: Database
  readonly #search: SearchIndex
  readonly #checkpoints: CheckpointRows
  readonly #parts: LogParts
  readonly #statements

  constructor(db: Database, search = new SearchIndex(db)) {
    this.#db = db
    this.#search = search
    this.#parts = new LogParts(db)
    this.#checkpoints = new CheckpointRows(db, this.#parts)
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
    this.#search.followLater()
  }

  read(sessionId: string, after: number, limit: number): Iterable<EncodedEvent> {
    const parts = this.#parts.of(sessionId)
    const range = { sessionId, after, limit }
    const [only] = parts
    // Begun when it is consumed: a caller that awaits the result lets others use the statement first.
    return {
      [Symbol.iterator]: () =>
        only && parts.length === 1 ? this.#readPart(only, range) : this.#readParts(parts, range),
    }
  }

  *#readParts(parts: readonly LogPart[], range: ReadRange): Generator<EncodedEvent> {
    let left = range.limit
    for (const part of parts) {
      if (part.until <= range.after || left === 0) continue
      for (const event of this.#readPart(part, { ...range, limit: left })) {
        left -= 1
        yield event
      }
    }
  }

  #readPart(part: LogPart, range: ReadRange): IterableIterator<EncodedEvent> {
    const { sessionId, after, limit } = range
    const rows = this.#statements.readAfter.iterate(
      sessionId,
      part.sessionId,
      after,
      part.until,
      limit,
    )
    return rows as IterableIterator<EncodedEvent>
  }

  lastSeq(sessionId: string): number {
    const { seq } = this.#statements.lastSeq.get(sessionId, sessionId) as { seq: number | null }
    return seq ?? 0
  }

  /** By halving: there is an index on `seq`, and none on `at`. */
  lastSeqUntil(sessionId: string, at: number): number {
    const parts = this.#parts.of(sessionId)
    let low = 0
    let high = this.lastSeq(sessionId)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const owner = parts.find(({ until }) => middle <= until)?.sessionId
      const row = this.#statements.at.get(owner, middle) as { at: number }
      if (row.at <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  findTurn(sessionId: string, turnId: string): TurnRange | undefined {
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const found = this.#statements.turn.get(part.sessionId, part.until, turnId)
      const range = found && this.#rangeOf(found as TurnStart, part)
      if (range) return range
    }
    return undefined
  }

  findLastTurn(sessionId: string, until = Infinity): TurnRange | undefined {
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const found = this.#statements.lastTurn.get(part.sessionId, Math.min(until, part.until))
      if (found) return this.#rangeOf(found as TurnStart, part)
    }
    return undefined
  }

  #rangeOf({ turnId, startedSeq }: TurnStart, { sessionId, until }: LogPart): TurnRange {
    const found = this.#statements.turnEnd.get(sessionId, startedSeq, until, turnId)
    const { endedSeq } = (found ?? {}) as { endedSeq?: number }
    return { turnId, startedSeq, ...(endedSeq !== undefined && { endedSeq }) }
  }

  #store({ sessionId: id, created, events, change, messages, checkpoints }: SessionBatch): void {
    const { insertSession, insertEvents, touchSession } = this.#statements
    if (created && insertSession.run({ id, ...this.#rowOf(created) }).changes === 0)
      throw new Error(`session ${created.forkedFrom?.sessionId} is being removed`)
    insertEvents.run(
      id,
      events.map(({ seq, at, type, data }) => [seq, at, type, data]),
    )
    this.#checkpoints.insert(id, checkpoints)
    this.#change(id, change)
    const { turns, added } = this.#storeMessages(id, [...messages.values()])
    const last = events.at(-1)
    if (last) touchSession.run(last.seq, last.at, turns, added, id)
  }

  #rowOf({ forkedFrom, ...row }: SessionInsert) {
    const counts = { turns: 0, messages: 0 }
    if (forkedFrom === undefined)
      return { ...row, ...counts, forkedFrom: null, forkedSeq: null, forkedTurn: null }
    const { sessionId, seq, turnId = null } = forkedFrom
    for (const part of this.#parts.of(sessionId)) {
      const until = Math.min(part.until, seq)
      const found = this.#statements.count.get({
        owner: part.sessionId,
        shared: until,
      }) as typeof counts
      counts.turns += found.turns
      counts.messages += found.messages
    }
    return { ...row, ...counts, forkedFrom: sessionId, forkedSeq: seq, forkedTurn: turnId }
  }

  #change(id: string, change: SessionColumns): void {
    const { setTitle, setState, setSettings, setSnapshot, setWorkspace, setAcpSession, setMarks } =
      this.#statements
    const { title, state, settings, snapshot, workspace, pinned, archived, acpSessionId } = change
    if (title !== undefined) {
      setTitle.run({ id, title })
      this.#search.queue(id, [0])
    }
    if (state !== undefined) setState.run({ id, ...state })
    if (settings !== undefined) setSettings.run({ id, settings })
    if (snapshot !== undefined) setSnapshot.run({ id, snapshot })
    if (workspace !== undefined) setWorkspace.run({ id, workspace })
    if (acpSessionId !== undefined) setAcpSession.run({ id, acpSessionId })
    if (pinned !== undefined || archived !== undefined)
      setMarks.run({ id, pinned: toInteger(pinned), archived: toInteger(archived) })
  }

  /** Returns the numbers of new rows, and of prompts among them. */
  #storeMessages(sessionId: string, messages: readonly MessageWrite[]) {
    const { insertMessages, updateMessage } = this.#statements
    const begun = messages.filter(({ hasRow }) => !hasRow)
    const prompts = begun.filter((message) => isPrompt(message))
    const others = begun.filter((message) => !isPrompt(message))
    for (const message of messages) {
      const { content, isPartial, updatedSeq, updatedAt, itemId, seq, hasRow } = message
      if (!hasRow) continue
      updateMessage.run(content, Number(isPartial), updatedSeq, updatedAt, sessionId, itemId, seq)
    }
    const turns = insertMessages.run(sessionId, prompts.map(toRow))
    const added = turns + insertMessages.run(sessionId, others.map(toRow))
    const searched = messages.filter(({ isSearched }) => isSearched)
    this.#search.queue(
      sessionId,
      searched.map(({ seq }) => seq),
    )
    return { turns, added }
  }
}

type ReadRange = { readonly sessionId: string; readonly after: number; readonly limit: number }
type TurnStart = Pick<TurnRange, 'turnId' | 'startedSeq'>

function isPrompt({ role, turnId }: MessageWrite): boolean {
  return role === 'user' && turnId !== null
}

function toRow(message: MessageWrite) {
  const { id, itemId, turnId, role, content, isPartial, seq, updatedSeq, at, updatedAt } = message
  return [id, itemId, turnId, role, content, Number(isPartial), seq, updatedSeq, at, updatedAt]
}

function toInteger(flag: boolean | undefined): number | null {
  return flag === undefined ? null : Number(flag)
}

/** The condition of an index. */
const OF_TURNS = "type IN ('turn.started', 'turn.ended')"

function eventStatements(db: Database) {
  return {
    insertEvents: new RowInserts(db, {
      into: 'INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES',
      row: '(?1, ?, ?, ?, CAST(? AS TEXT))',
    }),
    // SQLite concatenates the JSON: building strings from rows and bytes from strings takes longer than reading them.
    // The same bytes as `encodeEvent` in `sessions/log/encoded-events.ts`; a test compares the two.
    readAfter: db.prepare(
      `SELECT seq, CAST(
         concat('{"sessionId":"', ?, '","seq":', seq, ',"at":', at, ',"type":"', type, '","data":', data, '}')
       AS BLOB) AS bytes FROM AgentEvent WHERE sessionId = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    ),
    lastSeq: db.prepare(
      `SELECT coalesce(
         (SELECT max(seq) FROM AgentEvent WHERE sessionId = ?),
         (SELECT forkedSeq FROM AgentSession WHERE id = ?)) AS seq`,
    ),
    at: db.prepare('SELECT at FROM AgentEvent WHERE sessionId = ? AND seq = ?'),
    turn: db.prepare(
      `SELECT seq AS startedSeq, data ->> '$.turnId' AS turnId FROM AgentEvent
       WHERE sessionId = ? AND ${OF_TURNS} AND type = 'turn.started' AND seq <= ?
         AND data ->> '$.turnId' = ? LIMIT 1`,
    ),
    lastTurn: db.prepare(
      `SELECT seq AS startedSeq, data ->> '$.turnId' AS turnId FROM AgentEvent
       WHERE sessionId = ? AND ${OF_TURNS} AND type = 'turn.started' AND seq <= ?
       ORDER BY seq DESC LIMIT 1`,
    ),
    turnEnd: db.prepare(
      `SELECT seq AS endedSeq FROM AgentEvent
       WHERE sessionId = ? AND ${OF_TURNS} AND type = 'turn.ended' AND seq > ? AND seq <= ?
         AND data ->> '$.turnId' = ? ORDER BY seq LIMIT 1`,
    ),
  }
}

function sessionStatements(db: Database) {
  return {
    insertSession: db.prepare(
      `INSERT INTO AgentSession (id, repoId, extensionId, status, title, settings, workspace,
         forkedFrom, forkedSeq, forkedTurn, turnCount, messageCount, createdAt, updatedAt, number)
       SELECT :id, :repoId, :extensionId, 'active', :title, :settings, :workspace,
         :forkedFrom, :forkedSeq, :forkedTurn, :turns, :messages, :at, :at,
         (SELECT coalesce(max(number), 0) + 1 FROM AgentSession)
       WHERE :forkedFrom IS NULL
         OR EXISTS (SELECT 1 FROM AgentSession WHERE id = :forkedFrom AND (${IS_MARKED}) IS NOT TRUE)`,
    ),
    count: db.prepare(
      `SELECT count(*) AS messages, count(*) FILTER (WHERE role = 'user' AND turnId IS NOT NULL) AS turns
       FROM AgentMessage WHERE ${OF_PART} AND seq <= :shared`,
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
    setWorkspace: db.prepare('UPDATE AgentSession SET workspace = :workspace WHERE id = :id'),
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
    insertMessages: new RowInserts(db, {
      into: `INSERT INTO AgentMessage (sessionId, id, itemId, turnId, role, content, partial,
         seq, updatedSeq, timestamp, updatedAt) VALUES`,
      row: '(?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      onConflict: 'DO NOTHING',
    }),
    updateMessage: db.prepare(
      `UPDATE AgentMessage SET content = ?, partial = ?, updatedSeq = ?, updatedAt = ?
       WHERE sessionId = ? AND itemId = ? AND seq = ?`,
    ),
  }
}
