// Comparisons: one prompt to several agents, each in a session with a work tree of its own from the same base. The sessions know each other by
// `workspace.comparison`, which is stored with them; there is no other record of a comparison.
import type { ComparedSessions, SessionSummary } from '@quayside/protocol'
import { type CreateComparisonInput, promptBlocks } from '@quayside/protocol/schemas'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import type { LiveSessions } from '../sessions/live/live-sessions.js'
import type { Session } from '../sessions/live/session.js'
import type { SessionReader } from '../sessions/reading/session-reader.js'
import { type SessionEdits, withoutNulls } from '../sessions/session-edits.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Retention } from '../sessions/upkeep/retention.js'
import type { PeopleTerminals } from '../terminals/people/people-terminals.js'
import type { WorkspaceChecks } from '../workspaces/workspace-checks.js'
import type { Compared, Workspaces } from '../workspaces/workspaces.js'

export type ComparisonsDeps = {
  readonly live: LiveSessions
  readonly sessions: Sessions
  readonly reader: SessionReader
  readonly edits: SessionEdits
  readonly retention: Retention
  readonly workspaces: Workspaces
  readonly checks: WorkspaceChecks
  readonly terminals: PeopleTerminals
  readonly log: Log
}

/** A comparison with its sessions, except removed ones. */
export type FoundComparison = {
  readonly comparison: ComparedSessions
  readonly members: readonly SessionSummary[]
}

type Wanted = CreateComparisonInput & { readonly by: string }
type Started = { readonly extensionId: string; readonly session: Session }

export class Comparisons {
  readonly #deps: ComparisonsDeps

  constructor(deps: ComparisonsDeps) {
    this.#deps = deps
  }

  /** Returns the id when every session has the prompt. When a session cannot start, all of them are removed. */
  async create(wanted: Wanted): Promise<string> {
    const { live, workspaces } = this.#deps
    const { repoId, agents, settings, makeRoom, by } = wanted
    if (makeRoom && agents.length <= live.max) await live.makeRoom(by, agents.length)
    live.requireRoom(agents.length)
    await using base = await workspaces.openBase(repoId, settings?.base)
    const sessionIds = agents.map(() => uuidv7())
    const [id = ''] = sessionIds
    const compared = { base, comparison: { id, sessionIds } }
    try {
      const starts = sessionIds.map((sessionId, at) =>
        this.#start(wanted, { ...compared, id: sessionId, extensionId: agents[at] ?? '' }),
      )
      const started = await allOrFirstFailure(starts)
      await allOrFirstFailure(started.map((one) => this.#prompt(wanted, one)))
    } catch (error) {
      const undone = sessionIds.map((sessionId) => this.#undo(sessionId, by))
      // The next start removes a session that is left.
      for (const one of await Promise.allSettled(undone))
        if (one.status === 'rejected')
          this.#deps.log.warn(
            { err: one.reason },
            'could not remove a session of a failed comparison',
          )
      throw error
    }
    return id
  }

  /** Finds a comparison by the id of any of its sessions. Throws `comparison_not_found`. */
  async require(comparisonId: string): Promise<FoundComparison> {
    const comparison = (await this.#find(comparisonId))?.workspace?.comparison
    if (comparison === undefined) throw new HubError('comparison_not_found', { comparisonId })
    const found = await Promise.all(comparison.sessionIds.map((id) => this.#find(id)))
    return { comparison, members: found.filter((one) => one !== undefined) }
  }

  /** Gives up all sessions but one. Their work is kept under references. Throws `session_not_found`, `workspace_missing` and errors of git. */
  async take(comparisonId: string, sessionId: string, by: string): Promise<void> {
    const { comparison, members } = await this.require(comparisonId)
    const taken = members.find(({ id }) => id === sessionId)
    if (taken === undefined) throw new HubError('session_not_found', { sessionId })
    this.#deps.workspaces.require(taken)
    // Recorded first, so that after a crash the next start can finish.
    const choice = { comparison: { ...comparison, isTaken: true } } as const
    await this.#deps.edits.changeWorkspace(sessionId, choice, by)
    const others = members.filter(({ id }) => id !== sessionId)
    const given = others.map((other) => this.#giveUp(other, by))
    await allOrFirstFailure(given)
  }

  /** Finishes what a crash interrupted: comparisons that were being created, and others that were being given up. */
  async finish(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      try {
        await this.#finish(id)
      } catch (error) {
        this.#deps.log.warn({ err: error, sessionId: id }, 'could not finish a comparison')
      }
    }
  }

  async #finish(id: string): Promise<void> {
    const session = await this.#find(id)
    const { comparison, isRemoved } = session?.workspace ?? {}
    if (session === undefined || comparison === undefined || isRemoved) return
    // The comparison was not created completely: the prompt is sent when all sessions have started.
    if (session.turnCount === 0) {
      await this.#undo(id, 'hub')
      return
    }
    const { members } = await this.require(id)
    const isGivenUp = members.some((one) => one.id !== id && one.workspace?.comparison?.isTaken)
    if (isGivenUp) await this.#giveUp(session, 'hub')
  }

  async #start(
    { repoId, settings, by, ...prompt }: Wanted,
    {
      id,
      extensionId,
      ...compared
    }: Compared & { readonly id: string; readonly extensionId: string },
  ): Promise<Started> {
    const [first] = promptBlocks(prompt)
    const words = first?.type === 'text' ? first.text : ''
    const session = await this.#deps.sessions
      .begin({
        id,
        repoId,
        extensionId,
        settings: { ...withoutNulls(settings ?? {}), workspace: 'worktree' },
        branch: `${extensionId} ${words}`,
        compared,
        by,
      })
      .catch(throwFor(extensionId))
    return { extensionId, session }
  }

  async #prompt(wanted: Wanted, { session, extensionId }: Started): Promise<void> {
    try {
      await session.prompt(promptBlocks(wanted), wanted.by)
    } catch (error) {
      throwFor(extensionId)(error)
    }
  }

  /** Removes a session whose agent has done nothing. Idempotent. */
  async #undo(id: string, by: string): Promise<void> {
    const { sessions, workspaces, retention } = this.#deps
    const session = await this.#find(id)
    if (session === undefined) return
    await sessions.end(id, 'cancelled', by)
    await this.#endTerminals(id)
    const { repoId, workspace } = session
    if (workspace) await workspaces.forget(repoId, workspace)
    await retention.purgeSession(id)
  }

  /** Removes the work tree last: until that is recorded, the next start continues here after a crash. */
  async #giveUp({ id, archived }: SessionSummary, by: string): Promise<void> {
    const { sessions, workspaces, edits, reader } = this.#deps
    await sessions.end(id, 'cancelled', by)
    await this.#endTerminals(id)
    if (!archived) await edits.apply(id, { archived: true }, by)
    const session = await reader.requireSummary(id)
    if (session.workspace?.isRemoved) return
    const kept = await workspaces.discard(session)
    await edits.changeWorkspace(id, { isRemoved: true, ...(kept !== undefined && { kept }) }, by)
  }

  /** Otherwise a setup, a check or a shell would write into the removed work tree. */
  async #endTerminals(id: string): Promise<void> {
    const { checks, terminals } = this.#deps
    await checks.stop(id)
    const own = terminals.list().filter(({ sessionId }) => sessionId === id)
    await Promise.all(own.map((terminal) => terminals.end(terminal.id)))
  }

  async #find(id: string): Promise<SessionSummary | undefined> {
    try {
      return await this.#deps.reader.requireSummary(id)
    } catch (error) {
      if (error instanceof HubError && error.code === 'session_not_found') return undefined
      throw error
    }
  }
}

/** Names the agent in the error. */
function throwFor(extensionId: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HubError)) throw error
    const { code, message, details } = error
    throw new HubError(
      code,
      { ...details, extensionId, message: `${extensionId}: ${message}` },
      { cause: error },
    )
  }
}

/** Waits for all of them, also when one has failed. */
async function allOrFirstFailure<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
