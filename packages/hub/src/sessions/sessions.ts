// All sessions: the live ones in memory, the ended ones in the store. Creates, resumes, changes and ends them.
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
import {
  placeOf,
  prepareSession,
  type SessionGround,
  type SessionPlan,
  workplaceOf,
} from './live/session-parts.js'
import type { SessionChanges } from './changes/session-changes.js'
import { Session } from './live/session.js'
import type { KnownTurns } from './live/turn-queue.js'

export type CreateSession = {
  readonly repoId: string
  readonly extensionId?: string | undefined
  readonly title?: string | undefined
  readonly settings?: SessionSettings | undefined
  readonly by: string
}

export type SessionChange = {
  readonly title?: string | null | undefined
  readonly pinned?: boolean | undefined
  readonly archived?: boolean | undefined
  readonly settings?: SessionSettings | undefined
}

export type SessionsOptions = SessionGround & {
  readonly projection: Projection
  readonly repos: Repos
  readonly trust: RepoTrust
  readonly changes: SessionChanges
  /** Being purged: it must not come back. */
  readonly isRemoved: (id: string) => boolean
}

/** Settings to be saved, and what they make of those that are stored. */
type SettingsWish = {
  readonly repoId: string
  readonly extensionId: string
  readonly settings: SessionSettings
  readonly merged: SessionSettings
}

/** What a session that comes back was. */
type Past = { readonly known: KnownSession | undefined; readonly turns: KnownTurns }

export class Sessions {
  readonly #options: SessionsOptions
  readonly #live = new Map<string, Session>()
  /** Sessions about to be: they count, so that parallel creates never exceed the limit. */
  readonly #starting = new Map<string, Promise<Session>>()
  /** Everybody who wants a session back waits for the same. */
  readonly #resuming = new Map<string, Promise<void>>()
  /** The last change of each session that is not stored yet. */
  readonly #changing = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Resolves with a live session: its agent has answered and it is committed. In every failure nothing stays. */
  async create(wish: CreateSession): Promise<Session> {
    const { repos, agents, trust } = this.#options
    const { path: cwd } = repos.requireInsideRoot(wish.repoId)
    const extension = agents.extensions.require(wish.extensionId)
    await trust.require(wish.repoId, cwd)
    const settings = withoutNulls(wish.settings ?? {})
    checkSessionSettings(extension, settings)
    const { repoId, title, by } = wish
    const data = {
      repoId,
      extensionId: extension.manifest.id,
      cwd,
      ...(title === undefined ? {} : { title }),
      ...(wish.settings === undefined ? {} : { settings }),
      by,
    }
    const plan = { id: uuidv7(), extension, cwd, settings }
    return this.#start(plan, { type: 'session.created', data })
  }

  /** Back to `active` with the same id and log; what waited in its queue goes on. An active session is left as it is. Throws `session_ending` when its end takes too long. */
  async resume(id: string, by: string): Promise<void> {
    const live = this.#live.get(id)
    if (live && live.ending === undefined) return
    const resuming =
      this.#resuming.get(id) ?? this.#comeBack(id, by).finally(() => this.#resuming.delete(id))
    this.#resuming.set(id, resuming)
    await resuming
  }

  async #comeBack(id: string, by: string): Promise<void> {
    const { config, reader, repos, agents, trust } = this.#options
    // One that is just ending comes back when that is over.
    const ending = this.#live.get(id)?.ending
    if (ending && !(await settlesWithin(ending, config.startTimeoutMs)))
      throw new HubError('session_ending', { sessionId: id })
    const row = await reader.requireRow(id)
    const { path: cwd } = repos.requireInsideRoot(row.repoId)
    const extension = agents.extensions.require(row.extensionId)
    const plan = { id, extension, cwd, settings: row.settings }
    const { acpSessionId } = row
    const known = acpSessionId === null ? undefined : { acpSessionId, startedAt: row.createdAt }
    await trust.require(row.repoId, cwd)
    try {
      const turns = await this.#turnsOf(id)
      this.#requireKept(id)
      await this.#start(plan, { type: 'session.resumed', data: { by } }, { known, turns })
    } catch (error) {
      this.#options.projection.forget(id)
      // What is removed meanwhile cannot be read to its end.
      this.#requireKept(id)
      throw error
    }
  }

  async #turnsOf(id: string): Promise<KnownTurns> {
    const { projection, reader } = this.#options
    const { queue } = await projection.load(id)
    const waiting = [...queue]
    return { waiting, accepted: await reader.promptsOf(id) }
  }

  /** Renames, pins, archives or sets up a session, active or not. One change after the other: settings are merged with those that are stored. */
  async change(id: string, change: SessionChange, by: string): Promise<void> {
    const before = this.#changing.get(id) ?? Promise.resolve()
    const changed = before.catch(() => undefined).then(() => this.#change(id, change, by))
    this.#changing.set(id, changed)
    try {
      await changed
    } finally {
      if (this.#changing.get(id) === changed) this.#changing.delete(id)
    }
  }

  async #change(id: string, { settings, ...change }: SessionChange, by: string): Promise<void> {
    const { reader, eventLog } = this.#options
    const row = await reader.requireRow(id)
    const merged = settings && withoutNulls({ ...row.settings, ...settings })
    const apply = settings && merged && this.#prepareSettings(id, { ...row, settings, merged })
    const said = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    )
    const data = { ...said, ...(merged ? { settings: merged } : {}), by }
    this.#requireKept(id)
    await eventLog.append(id, { type: 'session.updated', data })
    apply?.()
  }

  /** Checks settings; answers with how they come to count for a live session. */
  #prepareSettings(id: string, wish: SettingsWish): (() => void) | undefined {
    const { repos, agents, log } = this.#options
    const { path: cwd } = repos.requireInsideRoot(wish.repoId)
    const extension = agents.extensions.require(wish.extensionId)
    checkSessionSettings(extension, wish.settings)
    if (!this.#live.has(id)) {
      workplaceOf(cwd, wish.merged, log)
      return undefined
    }
    const place = placeOf(agents, { extension, cwd, settings: wish.merged }, log)
    return () => this.#live.get(id)?.changeSettings(wish.merged, place)
  }

  /** Because somebody asked. One that has ended already is left as it is. */
  async end(id: string, status: 'completed' | 'cancelled', by: string): Promise<void> {
    // One that is just coming back ends when it is here; one that fails to has ended.
    if (this.#resuming.has(id)) await this.#resuming.get(id)?.catch(() => undefined)
    const live = this.#live.get(id)
    if (live === undefined) await this.#options.reader.requireSummary(id)
    else await live.end({ status, reason: 'user_request', by })
  }

  /** The live session. Throws `session_not_active` with its status when it has ended. */
  async requireActive(id: string): Promise<Session> {
    const session = this.#live.get(id)
    if (session) return session
    const summary = await this.#options.reader.requireSummary(id)
    throw new HubError('session_not_active', { sessionId: id, status: summary.status })
  }

  /** Active, or about to be. */
  isInUse(id: string): boolean {
    return this.#live.has(id) || this.#starting.has(id)
  }

  get live(): readonly Session[] {
    return [...this.#live.values()]
  }

  findLive(id: string): Session | undefined {
    return this.#live.get(id)
  }

  /** Cancels every session; for the end of the hub. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#starting.values())
    const end = { status: 'cancelled', reason: 'server_shutdown' } as const
    // What cannot be stored now is found at the next start.
    await Promise.allSettled([...this.#live.values()].map((session) => session.end(end)))
  }

  /** How many may be active at once. */
  get maxActive(): number {
    return this.#options.config.maxSessions
  }

  #requireKept(id: string): void {
    if (this.#options.isRemoved(id)) throw new HubError('session_not_found', { sessionId: id })
  }

  #start(plan: SessionPlan, first: EventBody, past?: Past): Promise<Session> {
    this.#requireRoom()
    const start = this.#connect(plan, first, past).finally(() => this.#starting.delete(plan.id))
    this.#starting.set(plan.id, start)
    return start
  }

  #requireRoom(): void {
    const { config, log } = this.#options
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
    const deps = prepareSession(this.#options, plan)
    const { agent, append } = deps
    const isEager = past !== undefined || extension.manifest.agent.eagerSessionInit
    const started = isEager ? await agent.connect(past?.known) : undefined
    try {
      // In the same commit: a session without its agent never is.
      const bodies: EventBody[] = started
        ? [first, { type: 'agent.started', data: started }]
        : [first]
      await Promise.all(bodies.map((body) => append(body)))
    } catch (error) {
      await agent.stop()
      throw error
    }
    const { changes } = this.#options
    if (past === undefined) agent.waitFor(changes.begin(id, cwd))
    const session = new Session({
      ...deps,
      known: past?.turns,
      closing: this.#closing.signal,
      onTurn: () => changes.beginTurn(id, cwd),
      onEnd: () => this.#forget(id),
    })
    this.#live.set(id, session)
    const facts = { sessionId: id, cwd, how: started?.how, active: this.#live.size }
    this.#options.log.info(facts, 'session is active')
    return session
  }

  #forget(id: string): void {
    this.#live.delete(id)
    this.#options.log.info({ sessionId: id, active: this.#live.size }, 'session ended')
  }
}

/** `null` takes a setting back: what counts then is the hub-wide one. */
function withoutNulls(settings: SessionSettings): SessionSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}
