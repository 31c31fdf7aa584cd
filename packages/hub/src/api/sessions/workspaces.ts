// Implements the commands for the work tree of a session: its checkpoints, undo and redo, its way to the merge, and its check.
import type { Handlers, workspaceCommands } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import type { Caller } from '../../http/access/principal.js'
import { draftCommits } from '../../sessions/commit-draft.js'
import { runWorkspaceAction } from '../../sessions/workspace-actions.js'
import { throwPathError } from '../repo-errors.js'
import type { ApiDeps, Room } from '../room.js'

export const workspaces: Room<typeof workspaceCommands> = (deps) => {
  const { live, reader, workspaces, undo, sessionChecks, log } = deps
  const workTreeOf = async (sessionId: string) => {
    const summary = await reader.requireSummary(sessionId)
    const { id } = summary
    const isWorking = () => live.find(id)?.isWorking === true
    return { sessionId: id, workTree: workspaces.require(summary), isWorking }
  }
  return {
    ...readingHandlers(deps),
    'session/checkpoints': async ({ sessionId }) => {
      const { id } = await reader.requireSummary(sessionId)
      return undo.list(id)
    },
    'session/undo': async ({ sessionId, turnId, force }, { by }) => {
      const request = { ...(await workTreeOf(sessionId)), force, by }
      return undo.undo(turnId, request).catch(throwPathError(undefined, log))
    },
    'session/redo': async ({ sessionId, force }, { by }) => {
      const request = { ...(await workTreeOf(sessionId)), force, by }
      return undo.redo(request).catch(throwPathError(undefined, log))
    },
    'session/workspace': async ({ sessionId, ...action }, { by }) => {
      const result = runWorkspaceAction(deps, { sessionId, action, by })
      return result.catch(throwPathError(undefined, log))
    },
    'session/check': async ({ sessionId }) => {
      const { sessionId: id, isWorking } = await workTreeOf(sessionId)
      if (isWorking()) throw new HubError('turn_running', { sessionId: id })
      return sessionChecks.run(id)
    },
  }
}

type Read = 'repo/worktrees' | 'session/draft' | 'session/unsaved'

function readingHandlers({
  repos,
  reader,
  workspaces,
  timelines,
  log,
}: ApiDeps): Handlers<Pick<typeof workspaceCommands, Read>, Caller> {
  return {
    'repo/worktrees': async ({ repoId }) => {
      const { id } = await repos.require(repoId)
      return { worktrees: workspaces.inProgress(id) }
    },
    'session/draft': async ({ sessionId }) => {
      const summary = await reader.requireSummary(sessionId)
      const { id, title } = summary
      const request = { sessionId: id, title, workTree: workspaces.require(summary) }
      return draftCommits(timelines, request).catch(throwPathError(undefined, log))
    },
    'session/unsaved': async ({ sessionId }) => {
      const session = await reader.requireSummary(sessionId)
      return workspaces.findUnsaved(session).catch(throwPathError(undefined, log))
    },
  }
}
