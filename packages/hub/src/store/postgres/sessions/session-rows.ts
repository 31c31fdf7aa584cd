// Sessions and messages as PostgreSQL reads them for clients.
import { LIKE_ESCAPE, likePattern } from '../../like-pattern.js'
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
} from '../../session-store.js'
import type { Connections, Statement, Values } from '../connections.js'
import { ofMachine, type Ownership } from '../ownership.js'
import { SUMMARY_COLUMNS } from './filter-sql.js'
import { SessionPages } from './session-pages.js'

export class SessionRows implements SessionStore {
  readonly #db: Connections
  readonly #ownership: Ownership
  readonly #pages: SessionPages

  constructor(db: Connections, ownership: Ownership) {
    this.#db = db
    this.#ownership = ownership
    this.#pages = new SessionPages(db)
  }

  findSummary(id: string): Promise<SummaryRow | undefined> {
    return this.#db.readOne(SUMMARY, [id])
  }

  async findSummaries(ids: readonly string[]): Promise<SummaryRow[]> {
    const rows = await this.#db.read<SummaryRow>(SUMMARIES, [ids])
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  find(id: string): Promise<SessionRow | undefined> {
    return this.#db.readOne(SESSION, [id])
  }

  async findSnapshot(id: string): Promise<string | undefined> {
    const row = await this.#db.readOne<{ snapshot: string | null }>(SNAPSHOT, [id])
    return row?.snapshot ?? undefined
  }

  page(request: PageRequest): Promise<SummaryRow[]> {
    return this.#pages.read(request)
  }

  pageWithTotal(request: PageRequest): Promise<SessionPage> {
    return this.#pages.readWithTotal(request)
  }

  async activeIds(): Promise<string[]> {
    const { hubId, volumes, hub } = this.#ownership
    const rows = await this.#db.read<{ id: string }>(ACTIVE, [hubId, volumes, hub.machineId])
    return rows.map(({ id }) => id)
  }

  async forkIds(id: string): Promise<string[]> {
    return (await this.#db.read<{ id: string }>(FORKS, [id])).map((row) => row.id)
  }

  async extensionIds(): Promise<string[]> {
    return (await this.#db.read<{ id: string }>(EXTENSION_IDS, [])).map(({ id }) => id)
  }

  messages(sessionId: string, range: MessageRange): Promise<MessageRow[]> {
    const { after, until, changedAfter } = range
    const values = [sessionId, after, Math.min(until, MAX_SEQ)]
    if (changedAfter === undefined) return this.#db.read(MESSAGES, values)
    return 'seq' in changedAfter
      ? this.#db.read(MESSAGES_AFTER_SEQ, [...values, changedAfter.seq])
      : this.#db.read(MESSAGES_AFTER_TIME, [...values, changedAfter.at])
  }

  scanMessages(sessionId: string, before: number, wanted: string): Promise<ScannedMessage[]> {
    return this.#db.read(SCAN, [sessionId, Math.min(before, MAX_SEQ), likePattern(wanted)])
  }

  async scanEdits(sessionId: string, before: number): Promise<ScannedEdit[]> {
    const rows = await this.#db.read<ScannedEdit>(SCAN_EDITS, [
      sessionId,
      Math.min(before, MAX_SEQ),
    ])
    return rows.map((row) => (isEdit(row.content) ? row : { ...row, content: null }))
  }

  findMessageBefore(sessionId: string, before: number, count: number): Promise<number | undefined> {
    return this.#findSeq(MESSAGE_BEFORE, [sessionId, Math.min(before, MAX_SEQ), count - 1])
  }

  findPrompt(sessionId: string, turnId: string): Promise<number | undefined> {
    return this.#findSeq(PROMPT, [sessionId, turnId])
  }

  findPromptBack(sessionId: string, until: number, count: number): Promise<number | undefined> {
    return this.#findSeq(PROMPT_BACK, [sessionId, Math.min(until, MAX_SEQ), count - 1])
  }

  async #findSeq(statement: Statement, values: Values): Promise<number | undefined> {
    return (await this.#db.readOne<{ seq: number }>(statement, values))?.seq
  }
}

const EDIT_KINDS = ['edit', 'delete', 'move']

function isEdit(content: string | null): boolean {
  if (content === null) return false
  const { kind } = JSON.parse(content) as { readonly kind?: unknown }
  return EDIT_KINDS.some((edit) => edit === kind)
}

/** The column is an integer of four bytes; callers may ask for events up to Infinity. */
const MAX_SEQ = 2 ** 31 - 1

const FORKS = {
  name: 'session_forks',
  text: 'SELECT "id" FROM "AgentSession" WHERE "forkedFrom" = $1 ORDER BY "id"',
}
const SUMMARY = {
  name: 'session_summary',
  text: `SELECT ${SUMMARY_COLUMNS} FROM "AgentSession" WHERE "id" = $1`,
}
const SUMMARIES = {
  name: 'session_summaries',
  text: `SELECT ${SUMMARY_COLUMNS} FROM "AgentSession" WHERE "id" = ANY ($1::text[])`,
}
const SESSION = {
  name: 'session',
  text: `SELECT ${SUMMARY_COLUMNS}, "acpSessionId", "settings" FROM "AgentSession" WHERE "id" = $1`,
}
const SNAPSHOT = {
  name: 'session_snapshot',
  text: 'SELECT "snapshot" FROM "AgentSession" WHERE "id" = $1',
}
const ACTIVE = {
  name: 'session_active',
  text: `SELECT "id" FROM "AgentSession" AS s WHERE "status" = 'active' AND ${ofMachine('$2', '$3')} AND NOT EXISTS (
    SELECT 1 FROM "Hub" AS h WHERE h."id" = s."owner" AND h."id" <> $1 AND NOT h."dead")`,
}
/** One look into the index for each agent, instead of one for each session. */
const EXTENSION_IDS = {
  name: 'session_extension_ids',
  text: `WITH RECURSIVE found("id") AS (
      SELECT min("extensionId") FROM "AgentSession"
      UNION ALL
      SELECT (SELECT min("extensionId") FROM "AgentSession" WHERE "extensionId" > found."id") FROM found WHERE found."id" IS NOT NULL
    ) SELECT "id" FROM found WHERE "id" IS NOT NULL`,
}

/**
 * The messages of a session, or those that its fork shares. A fork does not share a prompt that was still queued at the fork: the event
 * that started it is missing or comes later.
 */
const OF_PART = `m."sessionId" = p."owner" AND m."seq" <= p."until" AND (p."isOwn" OR m."role" <> 'user' OR m."turnId" IS NULL
  OR (m."updatedSeq" > m."seq" AND m."updatedSeq" <= p."until"))`
const FROM_LOG = `FROM "logParts"($1) AS p JOIN "AgentMessage" AS m ON ${OF_PART}`

const MESSAGES_TEXT = `SELECT m."id", $1::text AS "sessionId", m."itemId", m."turnId", m."role", m."content", m."partial", m."seq",
    m."updatedSeq", m."timestamp", m."updatedAt"
  ${FROM_LOG} WHERE m."seq" > $2 AND m."seq" <= $3`
const IN_ORDER = 'ORDER BY m."seq", m."id"'
const MESSAGES = { name: 'messages', text: `${MESSAGES_TEXT} ${IN_ORDER}` }
const MESSAGES_AFTER_SEQ = {
  name: 'messages_after_seq',
  text: `${MESSAGES_TEXT} AND (m."partial" OR m."updatedSeq" > $4) ${IN_ORDER}`,
}
const MESSAGES_AFTER_TIME = {
  name: 'messages_after_time',
  text: `${MESSAGES_TEXT} AND (m."partial" OR m."updatedAt" > $4) ${IN_ORDER}`,
}
const SCAN = {
  name: 'messages_scan',
  text: `SELECT m."itemId", m."turnId", m."partial", m."seq", m."updatedSeq",
      CASE WHEN m."partial" OR m."content" ILIKE $3 ESCAPE '${LIKE_ESCAPE}' THEN m."content" END AS "content"
    ${FROM_LOG} WHERE m."seq" < $2 ORDER BY m."seq" DESC, m."id" DESC`,
}
/** Contents that may be such calls: PostgreSQL's JSON functions refuse a NUL anywhere in a text. */
const SCAN_EDITS = {
  name: 'messages_scan_edits',
  text: `SELECT m."seq", m."timestamp" AS "at",
      CASE WHEN m."role" = 'system' AND m."content" ~ '"kind":"(${EDIT_KINDS.join('|')})"' THEN m."content" END AS "content"
    ${FROM_LOG} WHERE m."seq" < $2 ORDER BY m."seq" DESC, m."id" DESC`,
}
const MESSAGE_BEFORE = { name: 'message_before', text: backText('m."seq" < $2') }
const PROMPT = {
  name: 'message_prompt',
  text: `SELECT m."seq" ${FROM_LOG} WHERE m."turnId" = $2 AND m."role" = 'user' ORDER BY m."seq" DESC LIMIT 1`,
}
const PROMPT_BACK = {
  name: 'message_prompt_back',
  text: backText(`m."role" = 'user' AND m."seq" <= $2`),
}

/** Reads no more of each part than is wanted. */
function backText(condition: string): string {
  return `SELECT m."seq" FROM "logParts"($1) AS p CROSS JOIN LATERAL (
      SELECT m."seq" FROM "AgentMessage" AS m WHERE ${OF_PART} AND ${condition} ORDER BY m."seq" DESC LIMIT $3 + 1
    ) AS m ORDER BY m."seq" DESC LIMIT 1 OFFSET $3`
}
