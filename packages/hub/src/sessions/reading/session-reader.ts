// Reads sessions and messages for clients: their rows, and the live end of what is still growing from the fold.
import { resolve } from 'node:path'
import type { Message, MessageContent, SessionDetail, SessionSummary } from '@quayside/protocol'
import { messageOf } from '@quayside/protocol'
import type { SessionSettings, Since } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { REPO_COLUMNS, type RepoRow, toRepo } from '../../repos/repos.js'
import type { Database } from '../../store/database.js'
import type { EventLog } from '../log/event-log.js'
import { isTruncated, readWholeText } from '../log/long-texts.js'
import type { Projection } from '../log/projection.js'
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from '../log/session-summary.js'

type SessionRow = SummaryRow & {
  readonly acpSessionId: string | null
  /** JSON */
  readonly settings: string
}

type MessageRow = {
  readonly id: string
  readonly sessionId: string
  readonly itemId: string
  readonly turnId: string | null
  readonly role: string
  /** JSON */
  readonly content: string
  readonly partial: number
  readonly seq: number
  readonly updatedSeq: number
  readonly timestamp: number
  readonly updatedAt: number
}

const MESSAGES = `SELECT id, sessionId, itemId, turnId, role, content, partial, seq, updatedSeq, timestamp, updatedAt
  FROM AgentMessage WHERE sessionId = :sessionId`
const IN_ORDER = 'ORDER BY timestamp, seq, id'

export class SessionReader {
  readonly #projection: Projection
  readonly #eventLog: EventLog
  readonly #session
  readonly #repo
  readonly #prompts
  readonly #messages
  readonly #messagesBySeq
  readonly #messagesByTime

  constructor(db: Database, projection: Projection, eventLog: EventLog) {
    this.#projection = projection
    this.#eventLog = eventLog
    // Not the snapshot: it can be megabytes for a large work tree, and nothing here needs it.
    this.#session = db.prepare(
      `SELECT ${SUMMARY_COLUMNS}, acpSessionId, settings FROM AgentSession WHERE id = ?`,
    )
    this.#repo = db.prepare(`SELECT ${REPO_COLUMNS} FROM Repo WHERE id = ?`)
    this.#prompts = db.prepare(
      `SELECT turnId, seq FROM AgentMessage WHERE sessionId = ? AND role = 'user' AND turnId IS NOT NULL`,
    )
    this.#messages = db.prepare(`${MESSAGES} ${IN_ORDER}`)
    // A message that still grows is always read, because only its live end tells when it last changed.
    this.#messagesBySeq = db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedSeq > :after) ${IN_ORDER}`,
    )
    this.#messagesByTime = db.prepare(
      `${MESSAGES} AND (partial = 1 OR updatedAt > :after) ${IN_ORDER}`,
    )
  }

  async requireSummary(id: string): Promise<SessionSummary> {
    return this.#toSummary(this.#requireSession(id))
  }

  /** What resuming needs to know of a session. */
  async requireRow(id: string): Promise<{
    repoId: string
    extensionId: string
    acpSessionId: string | null
    settings: SessionSettings
    createdAt: number
  }> {
    const row = this.#requireSession(id)
    const { repoId, extensionId, acpSessionId, createdAt } = row
    const settings = JSON.parse(row.settings) as SessionSettings
    return { repoId, extensionId, acpSessionId, settings, createdAt }
  }

  /** All turns that were ever accepted, with the seq of their prompts. */
  async promptsOf(sessionId: string): Promise<Map<string, number>> {
    const rows = this.#prompts.all(sessionId) as { turnId: string; seq: number }[]
    return new Map(rows.map(({ turnId, seq }) => [turnId, seq]))
  }

  /** Where its agent works. */
  async requireFolder(id: string): Promise<string> {
    const { repoId, settings } = this.#requireSession(id)
    const { cwd } = JSON.parse(settings) as SessionSettings
    return resolve(this.#repoOf(repoId).path, cwd ?? '.')
  }

  async requireDetail(id: string): Promise<SessionDetail> {
    const row = this.#requireSession(id)
    const settings = JSON.parse(row.settings) as SessionSettings
    const messages = await this.messages(id)
    return { ...this.#toSummary(row), repo: toRepo(this.#repoOf(row.repoId)), settings, messages }
  }

  /** All messages in order, or those created or changed after `since`. */
  async messages(sessionId: string, since?: Since): Promise<Message[]> {
    const rows = this.#messageRows(sessionId, since)
    const read = rows.map((row) => ({ itemId: row.itemId, message: this.#toMessage(row) }))
    const wanted = since && read.filter(({ message }) => isAfter(message, since))
    return Promise.all(
      (wanted ?? read).map(({ itemId, message }) => this.#withWholeText(itemId, message)),
    )
  }

  #requireSession(id: string): SessionRow {
    const row = this.#session.get(id) as SessionRow | undefined
    if (row === undefined) throw new HubError('session_not_found', { sessionId: id })
    return row
  }

  /** A foreign key keeps it there. */
  #repoOf(id: string): RepoRow {
    return this.#repo.get(id) as RepoRow
  }

  #messageRows(sessionId: string, since: Since | undefined): MessageRow[] {
    if (since === undefined) return this.#messages.all({ sessionId }) as MessageRow[]
    const rows =
      since.by === 'seq'
        ? this.#messagesBySeq.all({ sessionId, after: since.seq })
        : this.#messagesByTime.all({ sessionId, after: since.at })
    return rows as MessageRow[]
  }

  #toSummary(row: SummaryRow): SessionSummary {
    return toSummary(row, (id) => this.#projection.doing(id))
  }

  #toMessage(row: MessageRow): Message {
    const { id, sessionId, turnId, seq } = row
    const live =
      row.partial === 1 ? this.#projection.findLiveItem(sessionId, row.itemId) : undefined
    const content = live && messageOf(live)?.content
    return {
      id,
      sessionId,
      turnId,
      role: row.role as Message['role'],
      content: content ?? (JSON.parse(row.content) as MessageContent),
      seq,
      updatedSeq: live?.updatedSeq ?? row.updatedSeq,
      timestamp: new Date(row.timestamp).toISOString(),
      updatedAt: new Date(live?.updatedAt ?? row.updatedAt).toISOString(),
    }
  }

  async #withWholeText(itemId: string, message: Message): Promise<Message> {
    const { content } = message
    if (content.type !== 'text' && content.type !== 'thought') return message
    const place = { ...message, itemId }
    if (!isTruncated(place, content.text)) return message
    const text = await readWholeText(this.#eventLog, place)
    return { ...message, content: { ...content, text } }
  }
}

function isAfter(message: Message, since: Since): boolean {
  return since.by === 'seq'
    ? message.updatedSeq > since.seq
    : Date.parse(message.updatedAt) > since.at
}
