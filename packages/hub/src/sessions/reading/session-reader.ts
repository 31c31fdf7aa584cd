// Reads sessions and messages for clients: their rows, and the end of growing messages from memory.
import { resolve } from 'node:path'
import type { Message, MessageContent, SessionDetail, SessionSummary } from '@quayside/protocol'
import { messageOf } from '@quayside/protocol'
import type { SessionSettings, Since } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { toRepo } from '../../repos/repos.js'
import type { RepoRow } from '../../store/repo-store.js'
import type { MessageRow, SessionRow, SummaryRow } from '../../store/session-store.js'
import type { Store } from '../../store/store.js'
import type { EventLog } from '../log/event-log.js'
import { isTruncated, readWholeText } from '../log/long-texts.js'
import type { Projection } from '../log/projection.js'
import { toSummary } from '../log/session-summary.js'

export type SessionReaderDeps = {
  readonly store: Pick<Store, 'sessions' | 'repos'>
  readonly projection: Projection
  readonly eventLog: EventLog
}

export class SessionReader {
  readonly #store: Pick<Store, 'sessions' | 'repos'>
  readonly #projection: Projection
  readonly #eventLog: EventLog

  constructor({ store, projection, eventLog }: SessionReaderDeps) {
    this.#store = store
    this.#projection = projection
    this.#eventLog = eventLog
  }

  async requireSummary(id: string): Promise<SessionSummary> {
    return this.#toSummary(await this.#requireSession(id))
  }

  /** The facts that resuming needs. */
  async requireRow(id: string): Promise<{
    repoId: string
    extensionId: string
    acpSessionId: string | null
    settings: SessionSettings
    archived: boolean
    createdAt: number
  }> {
    const row = await this.#requireSession(id)
    const { repoId, extensionId, acpSessionId, archived, createdAt } = row
    const settings = JSON.parse(row.settings) as SessionSettings
    return { repoId, extensionId, acpSessionId, settings, archived, createdAt }
  }

  /** All turns that were ever accepted, with the seq of their prompts. */
  async promptsOf(sessionId: string): Promise<Map<string, number>> {
    const rows = await this.#store.sessions.prompts(sessionId)
    return new Map(rows.map(({ turnId, seq }) => [turnId, seq]))
  }

  /** The folder its agent works in. */
  async requireFolder(id: string): Promise<string> {
    const { repoId, settings } = await this.#requireSession(id)
    const { cwd } = JSON.parse(settings) as SessionSettings
    return resolve(this.#repoOf(repoId).path, cwd ?? '.')
  }

  async requireDetail(
    id: string,
    { hasMessages }: { readonly hasMessages: boolean },
  ): Promise<SessionDetail> {
    const row = await this.#requireSession(id)
    const settings = JSON.parse(row.settings) as SessionSettings
    const messages = hasMessages ? await this.messages(id) : []
    return { ...this.#toSummary(row), repo: toRepo(this.#repoOf(row.repoId)), settings, messages }
  }

  /** All messages in order, or those created or changed after `since`. */
  async messages(sessionId: string, since?: Since): Promise<Message[]> {
    const rows = await this.#messageRows(sessionId, since)
    const read = rows.map((row) => ({ itemId: row.itemId, message: this.#toMessage(row) }))
    const changed = since ? read.filter(({ message }) => isAfter(message, since)) : read
    return Promise.all(changed.map(({ itemId, message }) => this.#withWholeText(itemId, message)))
  }

  async #requireSession(id: string): Promise<SessionRow> {
    const row = await this.#store.sessions.find(id)
    if (row === undefined) throw new HubError('session_not_found', { sessionId: id })
    return row
  }

  /** A foreign key keeps it there. */
  #repoOf(id: string): RepoRow {
    return this.#store.repos.find(id) as RepoRow
  }

  async #messageRows(sessionId: string, since: Since | undefined): Promise<readonly MessageRow[]> {
    const { sessions } = this.#store
    return since === undefined
      ? sessions.messages(sessionId)
      : sessions.messagesAfter(sessionId, since)
  }

  #toSummary(row: SummaryRow): SessionSummary {
    return toSummary(row, (id) => this.#projection.activityOf(id))
  }

  #toMessage(row: MessageRow): Message {
    const { id, sessionId, turnId, seq } = row
    const live = row.partial ? this.#projection.findLiveItem(sessionId, row.itemId) : undefined
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
    const span = { ...message, itemId }
    if (!isTruncated(span, content.text)) return message
    const text = await readWholeText(this.#eventLog, span)
    return { ...message, content: { ...content, text } }
  }
}

function isAfter(message: Message, since: Since): boolean {
  return since.by === 'seq'
    ? message.updatedSeq > since.seq
    : Date.parse(message.updatedAt) > since.at
}
