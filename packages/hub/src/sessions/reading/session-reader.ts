// Reads sessions for clients: their rows, and the activity of live ones from memory.
import { resolve } from 'node:path'
import type { SessionDetail, SessionSummary, Workspace } from '@quayside/protocol'
import type { SessionSettings, Since } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { toRepo } from '../../repos/repos.js'
import type { MaybePromise } from '../../store/maybe-promise.js'
import type { RepoRow } from '../../store/repo-store.js'
import type { SessionRow, SummaryRow } from '../../store/session-store.js'
import type { Store } from '../../store/store.js'
import type { EventLog } from '../log/event-log.js'
import type { Projection } from '../log/projection.js'
import { type FindHub, readWorkspace, toSummary } from '../log/session-summary.js'
import { messagesJson } from './session-messages.js'

export type SessionReaderDeps = {
  readonly store: Pick<Store, 'sessions' | 'repos' | 'cluster'>
  readonly projection: Projection
  readonly eventLog: EventLog
  /** Resolves when the session's log is complete: after a crash of the hub its end may be missing. */
  readonly whenClosed?: (id: string) => Promise<void>
  readonly findHub?: FindHub | undefined
}

export class SessionReader {
  readonly #store: Pick<Store, 'sessions' | 'repos' | 'cluster'>
  readonly #projection: Projection
  readonly #eventLog: EventLog
  readonly #whenClosed: SessionReaderDeps['whenClosed']
  readonly #findHub: FindHub | undefined

  constructor({ store, projection, eventLog, whenClosed, findHub }: SessionReaderDeps) {
    this.#store = store
    this.#projection = projection
    this.#eventLog = eventLog
    this.#whenClosed = whenClosed
    this.#findHub = findHub
  }

  async requireSummary(id: string): Promise<SessionSummary> {
    return this.#toSummary(await this.#requireSession(id))
  }

  /** The facts that resuming and forking need. */
  async requireRow(id: string): Promise<{
    repoId: string
    extensionId: string
    title: string | null
    acpSessionId: string | null
    settings: SessionSettings
    workspace: Workspace | undefined
    archived: boolean
    createdAt: number
  }> {
    const row = await this.#requireSession(id)
    const { repoId, extensionId, title, acpSessionId, archived, createdAt } = row
    const settings = JSON.parse(row.settings) as SessionSettings
    const workspace = readWorkspace(row)
    return { repoId, extensionId, title, acpSessionId, settings, workspace, archived, createdAt }
  }

  /** Throws `session_has_forks`: their logs begin with that of the session. */
  async requireNoForks(id: string): Promise<void> {
    const forks = await this.#store.sessions.forkIds(id)
    if (forks.length > 0) throw new HubError('session_has_forks', { sessionId: id, forks })
  }

  /** The seq of a turn's prompt. */
  findPrompt(sessionId: string, turnId: string): MaybePromise<number | undefined> {
    return this.#store.sessions.findPrompt(sessionId, turnId)
  }

  /** The folder its agent works in. */
  async requireFolder(id: string): Promise<string> {
    const row = await this.#requireSession(id)
    const { cwd } = JSON.parse(row.settings) as SessionSettings
    return resolve(readWorkspace(row)?.path ?? (await this.#repoOf(row.repoId)).path, cwd ?? '.')
  }

  /** A session with its repository, without its messages. */
  async requireDetail(id: string): Promise<Omit<SessionDetail, 'messages'>> {
    const row = await this.#requireSession(id)
    const settings = JSON.parse(row.settings) as SessionSettings
    return { ...this.#toSummary(row), repo: toRepo(await this.#repoOf(row.repoId)), settings }
  }

  /** The text of a JSON array: all messages in order, or those created or changed after `since`. */
  messagesJson(
    session: Pick<SessionSummary, 'id' | 'lastSeq'>,
    since?: Since,
  ): AsyncGenerator<string> {
    const store = this.#store.sessions
    const deps = { store, projection: this.#projection, eventLog: this.#eventLog }
    return messagesJson(deps, session, since)
  }

  async #requireSession(id: string): Promise<SessionRow> {
    await this.#whenClosed?.(id)
    const row = await this.#store.sessions.find(id)
    if (row === undefined) throw new HubError('session_not_found', { sessionId: id })
    return row
  }

  /** A foreign key keeps it there. That of another machine is only in the database. */
  async #repoOf(id: string): Promise<RepoRow> {
    const { repos, cluster } = this.#store
    return (repos.find(id) ?? (await cluster?.findRepo(id))) as RepoRow
  }

  #toSummary(row: SummaryRow): SessionSummary {
    return toSummary(row, (id) => this.#projection.activityOf(id), this.#findHub)
  }
}
