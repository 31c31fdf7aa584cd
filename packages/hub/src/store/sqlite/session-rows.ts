// Sessions and messages as SQLite reads them for clients.
import type {
  MessageRange,
  MessageRow,
  PageRequest,
  ScannedEdit,
  ScannedMessage,
  SessionPage,
  SessionRow,
  SessionStore,
  SummaryRow,
} from '../session-store.js'
import { LIKE_ESCAPE, likePattern } from '../like-pattern.js'
import type { Database } from './database.js'
import { type LogPart, LogParts, OF_PART, ownerOf } from './log-parts.js'
import { pageSql, SUMMARY_COLUMNS, totalSql } from './session-sql.js'
import { StatementCache } from './statement-cache.js'

const MESSAGES = `SELECT id, :sessionId AS sessionId, itemId, turnId, role, content, partial, seq, updatedSeq, timestamp, updatedAt
  FROM AgentMessage WHERE ${OF_PART} AND seq > :after AND seq <= :until`
const IN_ORDER = 'ORDER BY seq, id'

export class SessionRows implements SessionStore {
  readonly #lists: StatementCache
  readonly #parts: LogParts
  readonly #statements

  constructor(db: Database) {
    this.#lists = new StatementCache(db)
    this.#parts = new LogParts(db)
    this.#statements = { ...sessionStatements(db), ...messageStatements(db) }
  }

  findSummary(id: string): SummaryRow | undefined {
    return toSummaryRow(this.#statements.summary.get(id))
  }

  findSummaries(ids: readonly string[]): SummaryRow[] {
    return ids.flatMap((id) => this.findSummary(id) ?? [])
  }

  find(id: string): SessionRow | undefined {
    return toSummaryRow(this.#statements.session.get(id)) as SessionRow | undefined
  }

  findSnapshot(id: string): string | undefined {
    const row = this.#statements.snapshot.get(id) as { snapshot: string | null } | undefined
    return row?.snapshot ?? undefined
  }

  page({ filter, after, limit, offset }: PageRequest): SummaryRow[] {
    const cursor = after && { createdAt: after.createdAt, id: after.id }
    const rows = this.#lists
      .prepare(pageSql(filter, after !== undefined))
      .all({ ...filter.scope, ...cursor, limit, offset })
    for (const row of rows) toSummaryRow(row)
    return rows as SummaryRow[]
  }

  pageWithTotal(request: PageRequest): SessionPage {
    const { filter } = request
    const row = this.#lists.prepare(totalSql(filter)).get(filter.scope) as { total: number }
    return { rows: this.page(request), total: row.total }
  }

  activeIds(): string[] {
    return idsOf(this.#statements.active.all())
  }

  forkIds(id: string): string[] {
    return idsOf(this.#statements.forks.all(id))
  }

  extensionIds(): string[] {
    return idsOf(this.#statements.extensionIds.all())
  }

  *messages(sessionId: string, range: MessageRange): Iterable<MessageRow> {
    const { changedAfter } = range
    const { messages, messagesAfterSeq, messagesAfterTime } = this.#statements
    for (const part of this.#parts.of(sessionId)) {
      const { after } = range
      const wanted = {
        ...ownerOf(part),
        after,
        until: Math.min(range.until, part.until),
        sessionId,
      }
      if (changedAfter === undefined) yield* toMessages(messages.iterate(wanted))
      else if ('seq' in changedAfter)
        yield* toMessages(messagesAfterSeq.iterate({ ...wanted, changed: changedAfter.seq }))
      else yield* toMessages(messagesAfterTime.iterate({ ...wanted, changed: changedAfter.at }))
    }
  }

  *scanMessages(sessionId: string, before: number, wanted: string): Iterable<ScannedMessage> {
    const pattern = likePattern(wanted)
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const range = { ...ownerOf(part), before: endOf(part, before), pattern }
      yield* toMessages<ScannedMessage>(this.#statements.scan.iterate(range))
    }
  }

  *scanEdits(sessionId: string, before: number): Iterable<ScannedEdit> {
    for (const part of this.#parts.of(sessionId).toReversed())
      yield* this.#statements.scanEdits.iterate(
        part.sessionId,
        endOf(part, before),
      ) as Iterable<ScannedEdit>
  }

  findMessageBefore(sessionId: string, before: number, count: number): number | undefined {
    return this.#findBack(this.#statements.messageBefore, sessionId, { before, count })
  }

  findPrompt(sessionId: string, turnId: string): number | undefined {
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const seq = seqOf(this.#statements.prompt.get({ ...ownerOf(part), turnId }))
      if (seq !== undefined && seq <= part.until) return seq
    }
    return undefined
  }

  findPromptBack(sessionId: string, until: number, count: number): number | undefined {
    return this.#findBack(this.#statements.promptBack, sessionId, { before: until + 1, count })
  }

  /** The `count`th row from `before` backwards. */
  #findBack(
    { find, rows }: BackStatements,
    sessionId: string,
    { before, count }: { readonly before: number; readonly count: number },
  ): number | undefined {
    let left = count
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const range = { ...ownerOf(part), before: endOf(part, before) }
      const seq = seqOf(find.get({ ...range, offset: left - 1 }))
      if (seq !== undefined) return seq
      left -= (rows.get({ ...range, limit: left }) as { count: number }).count
    }
    return undefined
  }
}

type Statement = ReturnType<Database['prepare']>
type BackStatements = { readonly find: Statement; readonly rows: Statement }

/** The event that the part of the log before `before` ends at, exclusive. */
function endOf({ until }: LogPart, before: number): number {
  return Math.min(before, until + 1)
}

function sessionStatements(db: Database) {
  return {
    summary: db.prepare(`SELECT ${SUMMARY_COLUMNS} FROM AgentSession WHERE id = ?`),
    session: db.prepare(
      `SELECT ${SUMMARY_COLUMNS}, acpSessionId, settings FROM AgentSession WHERE id = ?`,
    ),
    snapshot: db.prepare('SELECT snapshot FROM AgentSession WHERE id = ?'),
    forks: db.prepare('SELECT id FROM AgentSession WHERE forkedFrom = ? ORDER BY id'),
    active: db.prepare("SELECT id FROM AgentSession WHERE status = 'active'"),
    extensionIds: db.prepare(
      'SELECT DISTINCT extensionId AS id FROM SessionCount WHERE sessions > 0 ORDER BY id',
    ),
  }
}

function messageStatements(db: Database) {
  return {
    messages: db.prepare(`${MESSAGES} ${IN_ORDER}`),
    messagesAfterSeq: db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedSeq > :changed) ${IN_ORDER}`,
    ),
    messagesAfterTime: db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedAt > :changed) ${IN_ORDER}`,
    ),
    scan: db.prepare(
      `SELECT itemId, turnId, partial, seq, updatedSeq,
         CASE WHEN partial = 1 OR content LIKE :pattern ESCAPE '${LIKE_ESCAPE}' THEN content END AS content
       FROM AgentMessage WHERE ${OF_PART} AND seq < :before ORDER BY seq DESC, id DESC`,
    ),
    scanEdits: db.prepare(
      `SELECT seq, timestamp AS at,
         CASE WHEN role = 'system' AND json_extract(content, '$.kind') IN ('edit', 'delete', 'move') THEN content END AS content
       FROM AgentMessage WHERE sessionId = ? AND seq < ? ORDER BY seq DESC, id DESC`,
    ),
    messageBefore: backStatements(db, OF_PART),
    prompt: db.prepare(
      `SELECT seq FROM AgentMessage WHERE ${OF_PART} AND turnId = :turnId AND role = 'user'`,
    ),
    promptBack: backStatements(db, `${OF_PART} AND role = 'user'`),
  }
}

function backStatements(db: Database, condition: string): BackStatements {
  const before = `FROM AgentMessage WHERE ${condition} AND seq < :before`
  return {
    find: db.prepare(`SELECT seq ${before} ORDER BY seq DESC LIMIT 1 OFFSET :offset`),
    rows: db.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${before} LIMIT :limit)`),
  }
}

/** SQLite has no booleans. Changes the row itself: a list has many. */
function toSummaryRow(found: unknown): SummaryRow | undefined {
  const row = found as { pinned: unknown; archived: unknown } | undefined
  if (row === undefined) return undefined
  row.pinned = row.pinned === 1
  row.archived = row.archived === 1
  return row as SummaryRow
}

function* toMessages<Row = MessageRow>(rows: Iterable<unknown>): Generator<Row> {
  for (const row of rows as Iterable<{ partial: unknown }>) {
    row.partial = row.partial === 1
    yield row as Row
  }
}

function idsOf(rows: unknown[]): string[] {
  return (rows as { id: string }[]).map(({ id }) => id)
}

function seqOf(row: unknown): number | undefined {
  return (row as { seq: number } | undefined)?.seq
}

/** All of them, for a check of the data directory. */
export function listSessionIds(db: Database): string[] {
  return idsOf(db.prepare('SELECT id FROM AgentSession').all())
}
