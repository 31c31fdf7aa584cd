// All sessions, active ones in memory and ended ones in the store. Creates, resumes and ends them.
import type { ForkPoint } from '@quayside/protocol'
import type { CreateSessionInput, SessionSettings } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import type { AgentRuntime } from '../agents/agent-runtime.js'
import type { ServerSecrets } from '../agents/mcp/server-secrets.js'
import { checkSessionSettings } from '../agents/extensions/settings-values.js'
import type { Config } from '../config/config.js'
import { settlesWithin } from '../deadline.js'
import { HubError } from '../errors.js'
import type { Repos } from '../repos/repos.js'
import { requireTrust, type TrustDeps } from './live/agent-setup.js'
import type { LiveSessions, Past } from './live/live-sessions.js'
import type { Session } from './live/session.js'
import type { KnownTurns } from './live/turn-queue.js'
import { appendMissingEnds, type ClosingEvents, lostEnds, requestedEnds } from './log/close-log.js'
import type { EventLog } from './log/event-log.js'
import type { Projection } from './log/projection.js'
import type { SessionReader } from './reading/session-reader.js'
import { withoutNulls } from './session-edits.js'
import type { Retention } from './upkeep/retention.js'
import type { WorktreeFiles } from '../workspaces/make-worktree.js'
import type { WorkspaceSetups } from '../workspaces/workspace-setups.js'
import type { Compared, Workspaces } from '../workspaces/workspaces.js'

export type SessionsDeps = TrustDeps & {
  readonly config: Config
  readonly live: LiveSessions
  readonly projection: Projection
  readonly eventLog: EventLog
  readonly reader: SessionReader
  readonly repos: Repos
  readonly agents: AgentRuntime
  readonly secrets: ServerSecrets
  readonly retention: Retention
  readonly workspaces: Workspaces
  readonly setups: WorkspaceSetups
}

export type NewSession = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string | undefined
  readonly title?: string | undefined
  /** Words that name the branch of its own work tree. By default those of the title. */
  readonly branch?: string | undefined
  readonly settings: SessionSettings
  readonly makeRoom?: boolean | undefined
  readonly fork?: {
    readonly from: ForkPoint
    readonly files: WorktreeFiles
    readonly past: Past
  }
  /** For a session that is compared with others, which know its id. */
  readonly compared?: Compared
  readonly by: string
}

export type ResumeOptions = {
  readonly makeRoom?: boolean
  /** The session is resumed when it resolves; a request to end it waits for that. */
  readonly after?: () => Promise<void>
}

const LOST = 'The machine of the session stopped answering before it was resumed.'

export class Sessions {
  readonly #deps: SessionsDeps
  /** Parallel requests to resume a session share one resumption. */
  readonly #resuming = new Map<string, Promise<void>>()
  /** The last end of each log whose hub is gone: a person, a resume and a takeover may want it at the same time. */
  readonly #ending = new Map<string, Promise<boolean>>()

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** Resolves with a live session whose agent has answered and whose events are committed. A failure leaves nothing behind. */
  create(input: CreateSessionInput & { readonly by: string }): Promise<Session> {
    const { extensionId = this.#deps.agents.defaultId, settings = {} } = input
    return this.begin({ ...input, id: uuidv7(), extensionId, settings: withoutNulls(settings) })
  }

  /** The same for a fork, whose settings and files are those of another session, and for compared sessions. */
  async begin(wanted: NewSession): Promise<Session> {
    const { live, repos, agents, secrets, workspaces, setups } = this.#deps
    const { id, repoId, title, branch: words = title, settings, fork, compared, by } = wanted
    const { path } = repos.requireInsideRoot(repoId)
    const extension = agents.extensions.require(wanted.extensionId)
    checkSessionSettings(extension, settings)
    await requireTrust(this.#deps, repoId, { path, settings })
    if (wanted.makeRoom) await live.makeRoom(by)
    live.requireRoom()
    const request = { id, repoId, words, settings, files: fork?.files, compared }
    const { workspace, warning, setup } = await workspaces.create(request)
    const { path: cwd } = workspace
    const hidden = secrets.keep(id, settings)
    const data = {
      repoId,
      extensionId: extension.manifest.id,
      cwd,
      workspace,
      ...(title === undefined ? {} : { title }),
      ...(Object.keys(hidden).length > 0 && { settings: hidden }),
      ...(fork && { forkedFrom: fork.from }),
      by,
    }
    try {
      const plan = { id, extension, cwd, settings }
      const session = await live.start(plan, { type: 'session.created', data }, fork?.past)
      if (warning !== undefined) await this.#warn(id, warning)
      if (setup !== undefined) setups.begin({ sessionId: id, repoId, path: cwd, command: setup })
      return session
    } catch (error) {
      secrets.remove(id)
      await workspaces.forget(repoId, workspace)
      throw error
    }
  }

  async #warn(id: string, message: string): Promise<void> {
    const data = { severity: 'warning', code: 'workspace_incomplete', message } as const
    await this.#deps.eventLog.append(id, { type: 'notice', data })
  }

  /** Makes an ended session active again, with the same id, log and queue. Idempotent. Throws `session_ending` when its end takes too long. */
  async resume(
    id: string,
    by: string,
    { makeRoom = false, after }: ResumeOptions = {},
  ): Promise<void> {
    const { live } = this.#deps
    const session = live.find(id)
    if (session && session.ended === undefined) return
    if (makeRoom) await live.makeRoom(by)
    const resuming =
      this.#resuming.get(id) ?? this.#resume(id, by, after).finally(() => this.#resuming.delete(id))
    this.#resuming.set(id, resuming)
    await resuming
  }

  async #resume(id: string, by: string, after?: () => Promise<void>): Promise<void> {
    await after?.()
    const { config, live, reader, workspaces, agents, secrets, retention } = this.#deps
    // A session that is ending is resumed after its end.
    const ended = live.find(id)?.ended
    if (ended && !(await settlesWithin(ended, config.startTimeoutMs)))
      throw new HubError('session_ending', { sessionId: id })
    const row = await reader.requireRow(id)
    requireNotArchived(id, row.archived)
    const cwd = workspaces.require(row)
    // Only when several hubs share the database: the one that had it is gone, and no other has taken it over yet.
    await this.endLost(id, lostEnds(LOST))
    const extension = agents.extensions.require(row.extensionId)
    const plan = { id, extension, cwd, settings: secrets.reveal(id, row.settings) }
    const { acpSessionId } = row
    const known = acpSessionId === null ? undefined : { acpSessionId, startedAt: row.createdAt }
    await requireTrust(this.#deps, row.repoId, { path: cwd, settings: row.settings })
    try {
      const turns = await this.#turnsOf(id)
      retention.requireNotRemoved(id)
      await live.start(plan, { type: 'session.resumed', data: { by } }, { known, turns })
    } catch (error) {
      this.#deps.projection.forget(id)
      // A session that is removed meanwhile cannot be read.
      retention.requireNotRemoved(id)
      throw error
    }
  }

  /** Ends the log of a session whose hub is gone. False when it has ended already, with other ends. */
  async endLost(id: string, ends: ClosingEvents): Promise<boolean> {
    const before = this.#ending.get(id) ?? Promise.resolve(false)
    const ending = before.catch(() => false).then(() => this.#endLost(id, ends))
    this.#ending.set(id, ending)
    try {
      return await ending
    } finally {
      if (this.#ending.get(id) === ending) this.#ending.delete(id)
    }
  }

  async #endLost(id: string, ends: ClosingEvents): Promise<boolean> {
    const { reader, projection } = this.#deps
    if ((await reader.requireSummary(id)).status !== 'active') return false
    projection.forget(id)
    return appendMissingEnds(this.#deps, id, ends)
  }

  async #turnsOf(id: string): Promise<KnownTurns> {
    const { projection, reader } = this.#deps
    const { queue } = await projection.load(id)
    return { waiting: [...queue], findPrompt: (turnId) => reader.findPrompt(id, turnId) }
  }

  /** Ends a session on request. Idempotent. */
  async end(id: string, status: 'completed' | 'cancelled', by: string): Promise<void> {
    // A session that is being resumed ends afterwards; when that fails, it has ended.
    if (this.#resuming.has(id)) await this.#resuming.get(id)?.catch(() => undefined)
    const { live, reader } = this.#deps
    const end = { status, reason: 'user_request', by } as const
    const session = live.find(id)
    if (session) return session.end(end)
    // It is active when its hub is gone and no other one has taken it over yet: without its end that would resume it.
    if (live.isInUse(id)) await reader.requireSummary(id)
    else if (!(await this.endLost(id, requestedEnds(end, LOST))) && this.#resuming.has(id))
      // A takeover was faster, and resumes it.
      await this.end(id, status, by)
  }

  /** Throws `session_not_active` with the status of a session that has ended. */
  async requireActive(id: string): Promise<Session> {
    const { live, reader } = this.#deps
    const session = live.find(id)
    if (session) return session
    const summary = await reader.requireSummary(id)
    throw new HubError('session_not_active', { sessionId: id, status: summary.status })
  }

  /** For work that a person gives to the agent. Throws `session_archived` and `hub_draining` besides. */
  async requireWritable(id: string): Promise<Session> {
    const { live, projection, reader } = this.#deps
    live.requireAccepting()
    const isArchived = live.find(id)
      ? projection.findLive(id)?.isArchived
      : (await reader.requireSummary(id)).archived
    requireNotArchived(id, isArchived)
    return this.requireActive(id)
  }
}

function requireNotArchived(id: string, isArchived = false): void {
  if (!isArchived) return
  throw new HubError('session_archived', {
    message: `The session is archived, so it is read-only. Unarchive it first: on its page, with PATCH {"archived": false}, or with quayside sessions unarchive ${id}.`,
    sessionId: id,
  })
}
