// Checks the work of sessions with the check command of their repository: on request, and after each turn of a compared session.
import type { CheckRun } from '@quayside/protocol'
import { HubError } from '../errors.js'
import { logRejection } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { CommandRequest } from '../workspaces/command-terminal.js'
import type { WorkspaceChecks } from '../workspaces/workspace-checks.js'
import type { Workspaces } from '../workspaces/workspaces.js'
import type { SessionChanges } from './changes/session-changes.js'
import { requireTrust, type TrustDeps } from './live/agent-setup.js'
import type { EventLog } from './log/event-log.js'
import type { Projection } from './log/projection.js'
import type { SessionReader } from './reading/session-reader.js'

export type SessionChecksDeps = TrustDeps & {
  readonly eventLog: EventLog
  readonly projection: Projection
  readonly reader: SessionReader
  readonly repos: Repos
  readonly workspaces: Workspaces
  readonly checks: WorkspaceChecks
  readonly changes: Pick<SessionChanges, 'settle'>
}

export class SessionChecks {
  readonly #deps: SessionChecksDeps
  /** The latest turn of live sessions that has ended. */
  readonly #lastTurns = new Map<string, string | undefined>()
  readonly #stopListening: () => void

  constructor(deps: SessionChecksDeps) {
    this.#deps = deps
    this.#stopListening = deps.eventLog.onChange((id) => this.#note(id))
  }

  /** Throws `check_not_set`, `workspace_shared`, `workspace_missing`, `repo_untrusted`, and as `Repos.requireInsideRoot` does. */
  async run(sessionId: string): Promise<CheckRun> {
    return this.#deps.checks.start(await this.#prepare(sessionId))
  }

  async #prepare(sessionId: string): Promise<CommandRequest> {
    const { reader, repos, workspaces } = this.#deps
    const { repoId, workspace, settings } = await reader.requireRow(sessionId)
    const { path: repository, settings: ofRepo } = repos.requireInsideRoot(repoId)
    if (workspace?.kind !== 'worktree') throw new HubError('workspace_shared')
    const { check: command } = ofRepo
    if (command === undefined) throw new HubError('check_not_set', { repoId })
    const path = workspaces.require({ repoId, workspace })
    await requireTrust(this.#deps, repoId, { path: repository, settings })
    return { sessionId, repoId, path, command }
  }

  /** Follows the checks that ran when an earlier hub ended. `ids` are the sessions with a work tree of their own. */
  async resume(ids: readonly string[]): Promise<void> {
    const { reader, checks, log } = this.#deps
    for (const id of ids) {
      try {
        const { check } = (await reader.requireRow(id)).workspace ?? {}
        if (check?.state !== 'running') continue
        checks.follow(id, { ...check, terminalId: check.terminalId ?? '' })
      } catch (error) {
        if (error instanceof HubError && error.code === 'session_not_found') continue
        log.warn({ err: error, sessionId: id }, 'could not read a check')
      }
    }
  }

  /** Checks that run go on in their terminals. */
  close(): void {
    this.#stopListening()
    this.#deps.checks.close()
  }

  #note(id: string): void {
    const transcript = this.#deps.projection.findLive(id)
    if (transcript === undefined) {
      this.#lastTurns.delete(id)
      return
    }
    const { lastTurnId, turn, queue } = transcript
    const isKnown = this.#lastTurns.has(id)
    if (isKnown && this.#lastTurns.get(id) === lastTurnId) return
    this.#lastTurns.set(id, lastTurnId)
    // The first event of a session that is resumed is no end of a turn, and the next turn changes the files again.
    if (!isKnown || turn !== null || queue.length > 0) return
    logRejection(this.#deps.log, 'checking a session', this.#checkTurn(id))
  }

  async #checkTurn(id: string): Promise<void> {
    const { reader, repos, changes, checks, projection } = this.#deps
    const { repoId, workspace } = await reader.requireRow(id)
    if (workspace?.comparison === undefined || workspace.isRemoved) return
    const { check: command } = repos.requireInsideRoot(repoId).settings
    if (command === undefined) return
    // Files that the check writes are no changes of the turn.
    await changes.settle(id)
    try {
      const request = await this.#prepare(id)
      // When the session has ended meanwhile, its work tree may be about to be removed.
      if (projection.findLive(id)) await checks.start(request)
    } catch (error) {
      await checks.refuse(id, command, error)
    }
  }
}
