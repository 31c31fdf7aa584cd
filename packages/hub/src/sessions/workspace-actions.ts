// Runs a person's action on the work tree of a session: a commit, a merge, a push, a pull request, or its removal.
import type { SessionSummary, WorkspaceAction, WorkspaceResult } from '@quayside/protocol'
import { HubError } from '../errors.js'
import type { Repos } from '../repos/repos.js'
import type { WorkspaceChecks } from '../workspaces/workspace-checks.js'
import type { Workspaces } from '../workspaces/workspaces.js'
import { requireTrust, type TrustDeps } from './live/agent-setup.js'
import type { LiveSessions } from './live/live-sessions.js'
import { draftCommits } from './commit-draft.js'
import type { SessionReader } from './reading/session-reader.js'
import type { Timelines } from './reading/timeline.js'
import type { SessionEdits } from './session-edits.js'
import type { Sessions } from './sessions.js'

export type WorkspaceActionDeps = TrustDeps & {
  readonly live: LiveSessions
  readonly sessions: Sessions
  readonly edits: SessionEdits
  readonly reader: SessionReader
  readonly repos: Repos
  readonly workspaces: Workspaces
  readonly checks: WorkspaceChecks
  readonly timelines: Pick<Timelines, 'read'>
}

type ActionRequest = {
  readonly sessionId: string
  readonly action: WorkspaceAction
  readonly by: string
}

/** Throws `turn_running`, `repo_untrusted`, and as `Workspaces.act` and `Workspaces.require` do. */
export async function runWorkspaceAction(
  deps: WorkspaceActionDeps,
  { sessionId, action, by }: ActionRequest,
): Promise<WorkspaceResult> {
  const { live, sessions, edits, reader, repos, workspaces, checks } = deps
  workspaces.require(await reader.requireSummary(sessionId))
  if (live.find(sessionId)?.isWorking) throw new HubError('turn_running', { sessionId })
  // The folder that the agent and the check run in is removed.
  if (action.action === 'discard') {
    await sessions.end(sessionId, 'completed', by)
    await checks.stop(sessionId)
  }
  const session = await reader.requireSummary(sessionId)
  // The other actions run hooks of the repository.
  if (action.action !== 'discard') {
    const { path } = repos.requireInsideRoot(session.repoId)
    await requireTrust(deps, session.repoId, { path, settings: {} })
  }
  const message = action.message ?? (await draftOf(deps, action, session))
  const result = await workspaces.act({ ...action, message }, session)
  const { isRemoved, kept } = result.workspace
  if (isRemoved) await edits.changeWorkspace(sessionId, { isRemoved, ...(kept && { kept }) }, by)
  return result
}

/** Empty for an action without a commit of its own. */
async function draftOf(
  { timelines, workspaces }: WorkspaceActionDeps,
  { action }: WorkspaceAction,
  session: SessionSummary,
): Promise<string> {
  if (!['commit', 'merge', 'squash'].includes(action)) return ''
  const { id: sessionId, title } = session
  const request = { sessionId, title, workTree: workspaces.require(session) }
  const { commit, bringIn } = await draftCommits(timelines, request)
  return action === 'commit' ? commit : bringIn
}
