// All sessions: the live ones in memory, the ended ones in the store. Creates, resumes, changes and ends them.
import type { EventBody } from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import type { KnownSession } from '../agents/connect-session.js'
import { checkSessionSettings } from '../agents/settings-values.js'
import { HubError } from '../errors.js'
import type { RepoTrust } from '../repos/repo-trust.js'
import type { Repos } from '../repos/repos.js'
import { foldLog } from './fold-log.js'
import { lightenEvent } from './light-event.js'
import {
  prepareSession,
  type SessionGround,
  type SessionPlan,
  workplaceOf,
} from './session-parts.js'
import type { SessionChanges } from './session-changes.js'
import { Session } from './session.js'
import type { KnownTurns } from './turn-queue.js'

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
  readonly repos: Repos
  readonly trust: RepoTrust
  readonly changes: SessionChanges
  /** Being purged: it must not come back. */
  readonly isRemoved: (id: string) => boolean
}

/** What a session that comes back was. */
type Past = { readonly known: KnownSession | undefined; readonly turns: KnownTurns }

export class Sessions {
  readonly #options: SessionsOptions
  readonly #live = new Map<string, Session>()
  /** Sessions about to be: they count, so that parallel creates never exceed the limit. */
  readonly #starting = new Map<string, Promise<Session>>()
  #closing = false

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

  /** Back to `active` with the same id and log; what waited in its queue goes on. An active session is left as it is. */
  async resume(id: string, by: string): Promise<void> {
    if (this.#live.has(id)) return
    const starting = this.#starting.get(id)
    if (starting) return void (await starting)
    const { reader, repos, agents, eventLog, trust } = this.#options
    const row = await reader.requireRow(id)
    if (this.#live.has(id) || this.#starting.has(id)) return this.resume(id, by)
    const { path: cwd } = repos.requireInsideRoot(row.repoId)
    const extension = agents.extensions.require(row.extensionId)
    const plan = { id, extension, cwd, settings: row.settings }
    const { acpSessionId } = row
    const { queue, items } = foldLog(eventLog, id)
    const prompts = items.filter(({ type }) => type === 'user')
    const past = {
      known: acpSessionId === null ? undefined : { acpSessionId, startedAt: row.createdAt },
      turns: {
        waiting: queue,
        accepted: new Map(prompts.map(({ turnId, seq }) => [turnId ?? '', seq])),
      },
    }
    await trust.require(row.repoId, cwd)
    if (this.isInUse(id)) return this.resume(id, by)
    this.#requireKept(id)
    await this.#start(plan, { type: 'session.resumed', data: { by } }, past)
  }

  /** Renames, pins, archives or sets up a session, active or not. */
  async change(id: string, { settings, ...change }: SessionChange, by: string): Promise<void> {
    const { reader, repos, agents, eventLog } = this.#options
    const row = await reader.requireRow(id)
    const merged = settings && withoutNulls({ ...row.settings, ...settings })
    if (merged) {
      checkSessionSettings(agents.extensions.require(row.extensionId), settings)
      const { path } = repos.requireInsideRoot(row.repoId)
      this.#live.get(id)?.changeSettings(merged, workplaceOf(path, merged))
    }
    const said = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    )
    const data = { ...said, ...(merged ? { settings: merged } : {}), by }
    this.#requireKept(id)
    await eventLog.append(id, { type: 'session.updated', data })
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
    this.#closing = true
    await Promise.allSettled(this.#starting.values())
    const end = { status: 'cancelled', reason: 'server_shutdown' } as const
    await Promise.all([...this.#live.values()].map((session) => session.end(end)))
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
    if (this.#closing) throw new HubError('shutting_down')
    if (this.#live.size + this.#starting.size < config.maxSessions) return
    log.warn({ limit: config.maxSessions }, 'session limit reached')
    throw new HubError('session_limit', {
      message: `There are ${config.maxSessions} active sessions, which is the limit. End one or wait a minute, then try again.`,
      limit: config.maxSessions,
    })
  }

  async #connect(plan: SessionPlan, first: EventBody, past: Past | undefined): Promise<Session> {
    const { eventLog, log } = this.#options
    const { id, cwd } = plan
    const parts = prepareSession(this.#options, plan)
    const started = await parts.agent.connect(past?.known)
    try {
      const second: EventBody = { type: 'agent.started', data: started }
      // In the same commit: a session without its agent never is.
      await Promise.all([
        eventLog.append(id, first),
        eventLog.append(id, lightenEvent(second, parts.putMedia)),
      ])
    } catch (error) {
      await parts.agent.stop()
      throw error
    }
    const onEnd = (): void => this.#forget(id)
    const ready = past === undefined ? this.#options.changes.begin(id, cwd) : undefined
    const session = new Session({ ...parts, known: past?.turns, ready, onEnd })
    this.#live.set(id, session)
    const { how } = started
    log.info({ sessionId: id, cwd, how, active: this.#live.size }, 'session is active')
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
