// Reads sessions and messages for clients: rows by Prisma, and the live end of what is still growing from the fold.
import { resolve } from 'node:path'
import type { Message, MessageContent, SessionDetail, SessionSummary } from '@quayside/protocol'
import { messageOf } from '@quayside/protocol'
import type { SessionSettings, Since } from '@quayside/protocol/schemas'
import { HubError } from '../errors.js'
import { toRepo } from '../repos/repos.js'
import type { Reader } from '../store/reader.js'
import type { EventLog } from './event-log.js'
import { mayGoOn, readWholeText } from './long-texts.js'
import type { Projection } from './projection.js'
import { toSummary, type SummaryRow } from './session-summary.js'

/** Of no use here, and as long as a working tree is wide. */
const LARGE = { snapshot: true } as const

type MessageRow = Awaited<ReturnType<Reader['agentMessage']['findFirstOrThrow']>>

export class SessionReader {
  readonly #reader: () => Promise<Reader>
  readonly #projection: Projection
  readonly #eventLog: EventLog

  constructor(reader: () => Promise<Reader>, projection: Projection, eventLog: EventLog) {
    this.#reader = reader
    this.#projection = projection
    this.#eventLog = eventLog
  }

  async requireSummary(id: string): Promise<SessionSummary> {
    const reader = await this.#reader()
    const row = await reader.agentSession.findUnique({ where: { id }, omit: LARGE })
    if (row === null) throw new HubError('session_not_found', { sessionId: id })
    return this.#toSummary(row)
  }

  /** What resuming needs to know of a session. */
  async requireRow(id: string): Promise<{
    repoId: string
    extensionId: string
    acpSessionId: string | null
    settings: SessionSettings
    createdAt: number
  }> {
    const reader = await this.#reader()
    const row = await reader.agentSession.findUnique({ where: { id }, omit: LARGE })
    if (row === null) throw new HubError('session_not_found', { sessionId: id })
    const { repoId, extensionId, acpSessionId } = row
    const settings = JSON.parse(row.settings) as SessionSettings
    return { repoId, extensionId, acpSessionId, settings, createdAt: row.createdAt.getTime() }
  }

  /** All turns that were ever accepted, with the seq of their prompts. */
  async promptsOf(sessionId: string): Promise<Map<string, number>> {
    const reader = await this.#reader()
    const rows = await reader.agentMessage.findMany({
      where: { sessionId, role: 'user', turnId: { not: null } },
      select: { turnId: true, seq: true },
    })
    return new Map(rows.map(({ turnId, seq }) => [turnId ?? '', seq]))
  }

  /** Where its agent works. */
  async requireFolder(id: string): Promise<string> {
    const reader = await this.#reader()
    const select = { settings: true, repo: { select: { path: true } } } as const
    const row = await reader.agentSession.findUnique({ where: { id }, select })
    if (row === null) throw new HubError('session_not_found', { sessionId: id })
    const { cwd } = JSON.parse(row.settings) as SessionSettings
    return resolve(row.repo.path, cwd ?? '.')
  }

  async requireDetail(id: string): Promise<SessionDetail> {
    const reader = await this.#reader()
    const row = await reader.agentSession.findUnique({
      where: { id },
      omit: LARGE,
      include: { repo: true },
    })
    if (row === null) throw new HubError('session_not_found', { sessionId: id })
    const { repo, ...session } = row
    const settings = JSON.parse(row.settings) as SessionSettings
    const messages = await this.messages(id)
    return { ...this.#toSummary(session), repo: toRepo(repo), settings, messages }
  }

  /** All messages in order, or those created or changed after `since`. */
  async messages(sessionId: string, since?: Since): Promise<Message[]> {
    const reader = await this.#reader()
    const rows = await reader.agentMessage.findMany({
      where: { sessionId, ...changedAfter(since) },
      orderBy: [{ timestamp: 'asc' }, { seq: 'asc' }, { id: 'asc' }],
    })
    const read = rows.map((row) => ({ itemId: row.itemId, message: this.#toMessage(row) }))
    const wanted = since && read.filter(({ message }) => isAfter(message, since))
    return Promise.all(
      (wanted ?? read).map(({ itemId, message }) => this.#withWholeText(itemId, message)),
    )
  }

  #toSummary(row: SummaryRow): SessionSummary {
    return toSummary(row, (id) => this.#projection.doing(id))
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
      timestamp: row.timestamp.toISOString(),
      updatedAt: live ? new Date(live.updatedAt).toISOString() : row.updatedAt.toISOString(),
    }
  }

  async #withWholeText(itemId: string, message: Message): Promise<Message> {
    const { content } = message
    if (content.type !== 'text' && content.type !== 'thought') return message
    const place = { ...message, itemId }
    if (!mayGoOn(place, content.text)) return message
    const text = await readWholeText(this.#eventLog, place)
    return { ...message, content: { ...content, text } }
  }
}

/** A message that still grows is always read, because only its live end tells when it last changed. */
function changedAfter(since: Since | undefined) {
  if (since === undefined) return {}
  const changed =
    since.by === 'seq'
      ? { updatedSeq: { gt: since.seq } }
      : { updatedAt: { gt: new Date(since.at) } }
  return { OR: [{ partial: true }, changed] }
}

function isAfter(message: Message, since: Since): boolean {
  return since.by === 'seq'
    ? message.updatedSeq > since.seq
    : Date.parse(message.updatedAt) > since.at
}
