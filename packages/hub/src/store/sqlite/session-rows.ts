// Sessions and messages as SQLite reads them for clients.
import type {
  MessageRow,
  PageRequest,
  PromptRow,
  SessionFilter,
  SessionRow,
  SessionStore,
  SummaryRow,
} from '../session-store.js'
import type { Database } from './database.js'
import { pageSql, SUMMARY_COLUMNS, totalSql } from './session-sql.js'
import { StatementCache } from './statement-cache.js'

const MESSAGES = `SELECT id, sessionId, itemId, turnId, role, content, partial, seq, updatedSeq, timestamp, updatedAt
  FROM AgentMessage WHERE sessionId = :sessionId`
const IN_ORDER = 'ORDER BY timestamp, seq, id'

export class SessionRows implements SessionStore {
  readonly #lists: StatementCache
  readonly #statements

  constructor(db: Database) {
    this.#lists = new StatementCache(db)
    this.#statements = { ...sessionStatements(db), ...messageStatements(db) }
  }

  findSummary(id: string): SummaryRow | undefined {
    return toSummaryRow(this.#statements.summary.get(id))
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

  count(filter: SessionFilter): number {
    const row = this.#lists.prepare(totalSql(filter)).get(filter.scope) as { total: number }
    return row.total
  }

  activeIds(): string[] {
    return idsOf(this.#statements.active.all())
  }

  extensionIds(): string[] {
    return idsOf(this.#statements.extensionIds.all())
  }

  messages(sessionId: string): MessageRow[] {
    return toMessages(this.#statements.messages.all({ sessionId }))
  }

  messagesAfter(sessionId: string, after: { seq: number } | { at: number }): MessageRow[] {
    const { messagesAfterSeq, messagesAfterTime } = this.#statements
    const rows =
      'seq' in after
        ? messagesAfterSeq.all({ sessionId, after: after.seq })
        : messagesAfterTime.all({ sessionId, after: after.at })
    return toMessages(rows)
  }

  findMessageBefore(sessionId: string, before: number, count: number): number | undefined {
    return seqOf(this.#statements.messageBefore.get(sessionId, before, count - 1))
  }

  prompts(sessionId: string): PromptRow[] {
    return this.#statements.prompts.all(sessionId) as PromptRow[]
  }

  promptsUntil(sessionId: string, seq: number): PromptRow[] {
    return this.#statements.promptsUntil.all(sessionId, seq) as PromptRow[]
  }

  findPromptBack(sessionId: string, until: number, count: number): number | undefined {
    return seqOf(this.#statements.promptBack.get(sessionId, until, count - 1))
  }
}

function sessionStatements(db: Database) {
  return {
    summary: db.prepare(`SELECT ${SUMMARY_COLUMNS} FROM AgentSession WHERE id = ?`),
    session: db.prepare(
      `SELECT ${SUMMARY_COLUMNS}, acpSessionId, settings FROM AgentSession WHERE id = ?`,
    ),
    snapshot: db.prepare('SELECT snapshot FROM AgentSession WHERE id = ?'),
    active: db.prepare("SELECT id FROM AgentSession WHERE status = 'active'"),
    extensionIds: db.prepare(
      'SELECT DISTINCT extensionId AS id FROM SessionCount WHERE sessions > 0 ORDER BY id',
    ),
  }
}

function messageStatements(db: Database) {
  const isTurnsPrompt = "role = 'user' AND turnId IS NOT NULL"
  return {
    messages: db.prepare(`${MESSAGES} ${IN_ORDER}`),
    messagesAfterSeq: db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedSeq > :after) ${IN_ORDER}`,
    ),
    messagesAfterTime: db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedAt > :after) ${IN_ORDER}`,
    ),
    messageBefore: db.prepare(
      `SELECT seq FROM AgentMessage WHERE sessionId = ? AND seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    ),
    prompts: db.prepare(
      `SELECT turnId, seq FROM AgentMessage WHERE sessionId = ? AND ${isTurnsPrompt}`,
    ),
    promptsUntil: db.prepare(
      `SELECT seq, turnId FROM AgentMessage
       WHERE sessionId = ? AND seq <= ? AND ${isTurnsPrompt} ORDER BY seq DESC LIMIT 50`,
    ),
    promptBack: db.prepare(
      `SELECT seq FROM AgentMessage WHERE sessionId = ? AND role = 'user' AND seq <= ?
       ORDER BY seq DESC LIMIT 1 OFFSET ?`,
    ),
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

function toMessages(rows: unknown[]): MessageRow[] {
  for (const row of rows as { partial: unknown }[]) row.partial = row.partial === 1
  return rows as MessageRow[]
}

function idsOf(rows: unknown[]): string[] {
  return (rows as { id: string }[]).map(({ id }) => id)
}

function seqOf(row: unknown): number | undefined {
  return (row as { seq: number } | undefined)?.seq
}
