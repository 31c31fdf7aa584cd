// Measures and removes ended sessions in SQLite, a few milliseconds of rows at a time.
import type {
  MediaUse,
  RemovalCondition,
  RowsSize,
  SessionPart,
  Step,
  StepKey,
  StoredSession,
  UpkeepStore,
} from '../upkeep-store.js'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

/** About two milliseconds. */
const READ_ROWS = 1_000
/** Rows may be large, and SQLite visits all of their pages. */
const REMOVE_ROWS = 128
const REMOVE_BYTES = 128 * 1024

export class UpkeepRows implements UpkeepStore {
  readonly #db: Database
  readonly #read
  readonly #remove

  constructor(db: Database) {
    this.#db = db
    this.#read = readStatements(db)
    this.#remove = removeStatements(db)
  }

  sessions(after: StepKey = ''): Step<{ rows: readonly StoredSession[] }> {
    const found = this.#read.sessions.all(after) as StoredRow[]
    const rows = found.map((row) => ({
      ...row,
      isEnded: row.isEnded === 1,
      isPinned: row.isPinned === 1,
      hasForks: row.hasForks === 1,
    }))
    return { rows, next: rows.length < READ_ROWS ? undefined : rows.at(-1)?.id }
  }

  measure(part: SessionPart, sessionId: string, after?: StepKey): Step<RowsSize> {
    const { statement, first } = this.#read[part]
    const { count, bytes, last } = statement.get(sessionId, after ?? first) as MeasuredRow
    return { count, bytes: bytes ?? 0, next: count < READ_ROWS ? undefined : (last ?? undefined) }
  }

  mediaUses(after: StepKey = 0): Step<{ rows: readonly MediaUse[] }> {
    const rows = this.#read.media.all(after) as (MediaUse & { at: number })[]
    return { rows, next: rows.length < READ_ROWS ? undefined : rows.at(-1)?.at }
  }

  mark(sessionId: string, { lastSeq, evenPinned = false }: RemovalCondition): boolean {
    const seq = lastSeq ?? null
    const { changes } = this.#remove.mark.run(sessionId, evenPinned ? 1 : 0, seq, seq)
    return changes === 1
  }

  marked(): string[] {
    return (this.#remove.findMarked.all() as { id: string }[]).map(({ id }) => id)
  }

  removeRows(part: SessionPart, sessionId: string): RowsSize | undefined {
    const { read, remove, removeFromSearch } = this.#remove[part]
    const { rows, bytes } = nextStep(read.all(sessionId) as RowSize[])
    if (rows.length === 0) return { count: 0, bytes: 0 }
    const isMarked = inTransaction(this.#db, () => {
      const list = JSON.stringify(rows)
      removeFromSearch?.run(list)
      return remove.run(list, sessionId).changes === rows.length
    })
    return isMarked ? { count: rows.length, bytes } : undefined
  }

  /** Media rows go with it, by their foreign key. */
  removeSession(sessionId: string): string[] {
    return inTransaction(this.#db, () => {
      const rows = this.#remove.hashes.all(sessionId) as { sha256: string }[]
      this.#remove.session.run(sessionId)
      return rows.map(({ sha256 }) => sha256)
    })
  }

  reusableBytes(): number {
    const { bytes } = this.#read.free.get() as { bytes: number }
    return bytes
  }
}

type Statement = ReturnType<Database['prepare']>
type Flag = 'isEnded' | 'isPinned' | 'hasForks'
type StoredRow = Omit<StoredSession, Flag> & Record<Flag, number>
type MeasuredRow = { count: number; bytes: number | null; last: StepKey | null }
type RowSize = { at: number; bytes: number }
type Table = {
  readonly read: Statement
  readonly remove: Statement
  readonly removeFromSearch?: Statement
}

function nextStep(page: readonly RowSize[]): { rows: number[]; bytes: number } {
  const rows: number[] = []
  let bytes = 0
  for (const row of page) {
    if (rows.length > 0 && bytes + row.bytes > REMOVE_BYTES) break
    rows.push(row.at)
    bytes += row.bytes
  }
  return { rows, bytes }
}

const HAS_FORKS =
  '(EXISTS (SELECT 1 FROM AgentSession AS fork WHERE fork.forkedFrom = AgentSession.id))'

function readStatements(db: Database) {
  // The key is the column that follows the session in the table's index: without it each step would sort all rows of the session.
  const measure = (table: string, column: string, key: string): Statement =>
    db.prepare(
      `SELECT count(*) AS count, sum(bytes) AS bytes, max(key) AS last FROM (
         SELECT ${key} AS key, octet_length(${column}) AS bytes FROM ${table}
         WHERE sessionId = ? AND ${key} > ? ORDER BY ${key} LIMIT ${READ_ROWS})`,
    )
  return {
    sessions: db.prepare(
      `SELECT id, title, status <> 'active' AS isEnded, pinned AS isPinned, lastSeq,
              coalesce(endedAt, updatedAt) AS endedAt, ${HAS_FORKS} AS hasForks
       FROM AgentSession WHERE id > ? ORDER BY id LIMIT ${READ_ROWS}`,
    ),
    events: { statement: measure('AgentEvent', 'data', 'seq'), first: 0 },
    messages: { statement: measure('AgentMessage', 'content', 'itemId'), first: '' },
    checkpoints: { statement: measure('AgentCheckpoint', 'state', 'seq'), first: 0 },
    media: db.prepare(
      `SELECT rowid AS at, sha256, sessionId, byteLength FROM Media
       WHERE rowid > ? ORDER BY rowid LIMIT ${READ_ROWS}`,
    ),
    free: db.prepare(
      'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size',
    ),
  }
}

/** Resuming a session clears the mark, so that no row of an active session is removed. */
export const IS_MARKED = `status <> 'active' AND json_extract(metadata, '$.removing') = 1`

function removeStatements(db: Database) {
  const table = (name: string, column: string): Table => ({
    read: db.prepare(
      `SELECT rowid AS at, octet_length(${column}) AS bytes FROM ${name}
       WHERE sessionId = ? LIMIT ${REMOVE_ROWS}`,
    ),
    remove: db.prepare(
      `DELETE FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM AgentSession WHERE id = ? AND ${IS_MARKED})`,
    ),
  })
  return {
    events: table('AgentEvent', 'data'),
    checkpoints: table('AgentCheckpoint', 'state'),
    messages: {
      ...table('AgentMessage', 'content'),
      // A trigger would remove them all at once with the session.
      removeFromSearch: db.prepare(
        `DELETE FROM SessionSearch WHERE rowid IN (
           SELECT number << 32 | seq FROM AgentMessage JOIN AgentSession ON AgentSession.id = sessionId
           WHERE AgentMessage.rowid IN (SELECT value FROM json_each(?)))`,
      ),
    },
    mark: db.prepare(
      `UPDATE AgentSession SET metadata = json_set(metadata, '$.removing', json('true'))
       WHERE id = ? AND status <> 'active' AND (pinned = 0 OR ? = 1) AND (? IS NULL OR lastSeq = ?)
         AND NOT ${HAS_FORKS}`,
    ),
    findMarked: db.prepare(`SELECT id FROM AgentSession WHERE ${IS_MARKED}`),
    hashes: db.prepare('SELECT DISTINCT sha256 FROM Media WHERE sessionId = ?'),
    session: db.prepare(`DELETE FROM AgentSession WHERE id = ? AND ${IS_MARKED}`),
  }
}
