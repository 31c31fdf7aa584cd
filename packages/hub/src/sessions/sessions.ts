// All sessions, live ones in memory and ended ones in the store. Creates, resumes, changes and ends them.
import type { EventBody } from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import type { KnownSession } from '../agents/connection/connect-session.js'
import { checkSessionSettings } from '../agents/extensions/settings-values.js'
import { settlesWithin } from '../deadline.js'
import { HubError } from '../errors.js'
import type { RepoTrust } from '../repos/repo-trust.js'
import type { Repos } from '../repos/repos.js'
import type { Projection } from './log/projection.js'
import { resolveAgentSetup, resolveWorkplace } from './live/agent-setup.js'
import {
  prepareSession,
  type PrepareSessionDeps,
  type SessionPlan,
} from './live/prepare-session.js'
import type { SessionChanges } from './changes/session-changes.js'
import { Session } from './live/session.js'
import { unaskedNotice } from './live/unasked-notice.js'
import type { KnownTurns } from './live/turn-queue.js'

export type CreateSession = {
  readonly repoId: string
  readonly extensionId?: string | undefined
  readonly title?: string | undefined
  readonly settings?: SessionSettings | undefined
  readonly by: string
}

export type SessionEdit = {
  readonly title?: string | null | undefined
  readonly pinned?: boolean | undefined
  readonly archived?: boolean | undefined
  readonly settings?: SessionSettings | undefined
}

export type SessionsDeps = PrepareSessionDeps & {
  readonly projection: Projection
  readonly repos: Repos
  readonly trust: RepoTrust
  readonly changes: SessionChanges
  /** A session that is being purged must not be resumed. */
  readonly isRemoved: (id: string) => boolean
}

/** New settings, and the result of merging them into the stored ones. */
type SettingsChange = {
  readonly repoId: string
  readonly extensionId: string
  readonly settings: SessionSettings
  readonly merged: SessionSettings
}

/** The past of a session that is resumed. */
type Past = { readonly known: KnownSession | undefined; readonly turns: KnownTurns }

export class Sessions {
  readonly #deps: SessionsDeps
  readonly #live = new Map<string, Session>()
  /** Starting sessions count, so that parallel requests never exceed the limit. */
  readonly #starting = new Map<string, Promise<Session>>()
  /** Parallel requests to resume a session share one resumption. */
  readonly #resuming = new Map<string, Promise<void>>()
  /** The last change of each session that is not committed yet. */
  readonly #changing = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** Resolves with a live session whose agent has answered and whose events are committed. A failure leaves nothing behind. */
  async create(input: CreateSession): Promise<Session> {
    const { repos, agents } = this.#deps
    const { path: cwd } = repos.requireInsideRoot(input.repoId)
    const extension = agents.extensions.require(input.extensionId ?? agents.defaultId)
    const settings = withoutNulls(input.settings ?? {})
    checkSessionSettings(extension, settings)
    await this.#requireTrust(input.repoId, cwd, settings)
    const { repoId, title, by } = input
    const data = {
      repoId,
      extensionId: extension.manifest.id,
      cwd,
      ...(title === undefined ? {} : { title }),
      ...(input.settings === undefined ? {} : { settings }),
      by,
    }
    const plan = { id: uuidv7(), extension, cwd, settings }
    return this.#start(plan, { type: 'session.created', data })
  }

  /** Makes an ended session active again, with the same id, log and queue. Idempotent. Throws `session_ending` when its end takes too long. */
  async resume(id: string, by: string): Promise<void> {
    const live = this.#live.get(id)
    if (live && live.ended === undefined) return
    const resuming =
      this.#resuming.get(id) ?? this.#resume(id, by).finally(() => this.#resuming.delete(id))
    this.#resuming.set(id, resuming)
    await resuming
  }

  async #resume(id: string, by: string): Promise<void> {
    const { config, reader, repos, agents } = this.#deps
    // A session that is ending is resumed after its end.
    const ended = this.#live.get(id)?.ended
    if (ended && !(await settlesWithin(ended, config.startTimeoutMs)))
      throw new HubError('session_ending', { sessionId: id })
    const row = await reader.requireRow(id)
    requireNotArchived(id, row.archived)
    const { path: cwd } = repos.requireInsideRoot(row.repoId)
    const extension = agents.extensions.require(row.extensionId)
    const plan = { id, extension, cwd, settings: row.settings }
    const { acpSessionId } = row
    const known = acpSessionId === null ? undefined : { acpSessionId, startedAt: row.createdAt }
    await this.#requireTrust(row.repoId, cwd, row.settings)
    try {
      const turns = await this.#turnsOf(id)
      this.#requireNotRemoved(id)
      await this.#start(plan, { type: 'session.resumed', data: { by } }, { known, turns })
    } catch (error) {
      this.#deps.projection.forget(id)
      // A session that is removed meanwhile cannot be read.
      this.#requireNotRemoved(id)
      throw error
    }
  }

  async #turnsOf(id: string): Promise<KnownTurns> {
    const { projection, reader } = this.#deps
    const { queue } = await projection.load(id)
    const waiting = [...queue]
    return { waiting, accepted: await reader.promptsOf(id) }
  }

  /** Renames, pins, archives or sets up a session, active or not. Changes run one after the other, because settings are merged. */
  async change(id: string, change: SessionEdit, by: string): Promise<void> {
    const before = this.#changing.get(id) ?? Promise.resolve()
    const changed = before.catch(() => undefined).then(() => this.#change(id, change, by))
    this.#changing.set(id, changed)
    try {
      await changed
    } finally {
      if (this.#changing.get(id) === changed) this.#changing.delete(id)
    }
  }

  async #change(id: string, { settings, ...change }: SessionEdit, by: string): Promise<void> {
    const { reader, eventLog } = this.#deps
    const row = await reader.requireRow(id)
    const merged = settings && withoutNulls({ ...row.settings, ...settings })
    const apply =
      settings && merged && (await this.#prepareSettings(id, { ...row, settings, merged }))
    const changes = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    )
    const data = { ...changes, ...(merged ? { settings: merged } : {}), by }
    this.#requireNotRemoved(id)
    await eventLog.append(id, { type: 'session.updated', data })
    apply?.()
  }

  /** Checks settings and returns the function that applies them to a live session. */
  async #prepareSettings(id: string, change: SettingsChange): Promise<(() => void) | undefined> {
    const { repos, agents, log } = this.#deps
    const { path: cwd } = repos.requireInsideRoot(change.repoId)
    const extension = agents.extensions.require(change.extensionId)
    checkSessionSettings(extension, change.settings)
    await this.#requireTrust(change.repoId, cwd, change.merged)
    if (!this.#live.has(id)) return undefined
    const setup = resolveAgentSetup(agents, { extension, cwd, settings: change.merged }, log)
    return () => this.#live.get(id)?.changeSettings(change.merged, setup)
  }

  /** For the folder that the agent will work in, which must exist. */
  #requireTrust(repoId: string, path: string, settings: SessionSettings): Promise<void> {
    const { trust, log } = this.#deps
    return trust.require(repoId, { path, cwd: resolveWorkplace(path, settings, log).cwd })
  }

  /** Ends a session on request. Idempotent. */
  async end(id: string, status: 'completed' | 'cancelled', by: string): Promise<void> {
    // A session that is being resumed ends afterwards; when that fails, it has ended.
    if (this.#resuming.has(id)) await this.#resuming.get(id)?.catch(() => undefined)
    const live = this.#live.get(id)
    if (live === undefined) await this.#deps.reader.requireSummary(id)
    else await live.end({ status, reason: 'user_request', by })
  }

  /** Throws `session_not_active` with the status of a session that has ended. */
  async requireActive(id: string): Promise<Session> {
    const session = this.#live.get(id)
    if (session) return session
    const summary = await this.#deps.reader.requireSummary(id)
    throw new HubError('session_not_active', { sessionId: id, status: summary.status })
  }

  /** For work that a person gives to the agent. Throws `session_archived` besides. */
  async requireWritable(id: string): Promise<Session> {
    const { projection, reader } = this.#deps
    const isArchived = this.#live.has(id)
      ? projection.findLive(id)?.isArchived
      : (await reader.requireSummary(id)).archived
    requireNotArchived(id, isArchived)
    return this.requireActive(id)
  }

  /** Active or starting. */
  isInUse(id: string): boolean {
    return this.#live.has(id) || this.#starting.has(id)
  }

  get live(): readonly Session[] {
    return [...this.#live.values()]
  }

  findLive(id: string): Session | undefined {
    return this.#live.get(id)
  }

  /** Cancels every session when the hub stops; those that are starting now when they have started. */
  async close(): Promise<void> {
    this.#closing.abort()
    const end = { status: 'cancelled', reason: 'server_shutdown' } as const
    // Recovery at the next start appends ends that cannot be stored now.
    const endLive = () =>
      Promise.allSettled([...this.#live.values()].map((session) => session.end(end)))
    const ended = endLive()
    await Promise.allSettled(this.#starting.values())
    await Promise.all([ended, endLive()])
  }

  /** The limit of active sessions. */
  get maxActive(): number {
    return this.#deps.config.maxSessions
  }

  #requireNotRemoved(id: string): void {
    if (this.#deps.isRemoved(id)) throw new HubError('session_not_found', { sessionId: id })
  }

  #start(plan: SessionPlan, first: EventBody, past?: Past): Promise<Session> {
    this.#requireRoom()
    const start = this.#connect(plan, first, past).finally(() => this.#starting.delete(plan.id))
    this.#starting.set(plan.id, start)
    return start
  }

  #requireRoom(): void {
    const { config, log } = this.#deps
    if (this.#closing.signal.aborted) throw new HubError('shutting_down')
    if (this.#live.size + this.#starting.size < config.maxSessions) return
    log.warn({ limit: config.maxSessions }, 'session limit reached')
    throw new HubError('session_limit', {
      message: `There are ${config.maxSessions} active sessions, which is the limit. End one or wait a minute, then try again.`,
      limit: config.maxSessions,
    })
  }

  async #connect(plan: SessionPlan, first: EventBody, past: Past | undefined): Promise<Session> {
    const { id, cwd, extension } = plan
    const options = prepareSession(this.#deps, plan)
    const { agent, append } = options
    const isEager = past !== undefined || extension.manifest.agent.eagerSessionInit
    const started = isEager ? await agent.connect(past?.known) : undefined
    try {
      // In the same commit: no session is stored without its agent.
      const bodies: EventBody[] = [
        first,
        ...(started ? [{ type: 'agent.started', data: started } as const] : []),
        ...(past === undefined ? this.#unaskedNotice(plan) : []),
      ]
      await Promise.all(bodies.map((body) => append(body)))
    } catch (error) {
      await agent.stop()
      throw error
    }
    const { changes } = this.#deps
    if (past === undefined) agent.waitFor(changes.begin(id, cwd))
    const session = new Session({
      ...options,
      known: past?.turns,
      closing: this.#closing.signal,
      takeSnapshot: () => changes.beginTurn(id, cwd),
      onEnd: () => this.#remove(id),
    })
    this.#live.set(id, session)
    const facts = { sessionId: id, cwd, how: started?.how, active: this.#live.size }
    this.#deps.log.info(facts, 'session is active')
    return session
  }

  #unaskedNotice({ extension, cwd, settings }: SessionPlan): EventBody[] {
    return unaskedNotice(extension, this.#deps.agents.launchOf(extension, cwd, settings))
  }

  #remove(id: string): void {
    this.#live.delete(id)
    this.#deps.log.info({ sessionId: id, active: this.#live.size }, 'session ended')
  }
}

function requireNotArchived(id: string, isArchived = false): void {
  if (!isArchived) return
  throw new HubError('session_archived', {
    message: `The session is archived, so it is read-only. Unarchive it first: on its page, with PATCH {"archived": false}, or with quayside sessions unarchive ${id}.`,
    sessionId: id,
  })
}

/** `null` removes a setting, so that the hub-wide one applies. */
function withoutNulls(settings: SessionSettings): SessionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}
