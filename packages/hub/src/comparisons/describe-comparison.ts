// A comparison as clients see it: each of its sessions with its outcome, its time and its changes.
import type { ComparedSession, Comparison, SessionSummary, TurnEndItem } from '@quayside/protocol'
import type { Log } from '../log.js'
import type { Repos } from '../repos/repos.js'
import type { SessionChanges } from '../sessions/changes/session-changes.js'
import type { Timelines } from '../sessions/reading/timeline.js'
import type { Workspaces } from '../workspaces/workspaces.js'
import type { Comparisons } from './comparisons.js'

export type ComparisonViewDeps = {
  readonly comparisons: Comparisons
  readonly repos: Repos
  readonly timelines: Timelines
  readonly changes: SessionChanges
  readonly workspaces: Workspaces
  readonly log: Log
}

/** The end of the latest turn is among this many latest items; only notices follow it. */
const LATEST_ITEMS = 40

/** Describes a comparison by the id of any of its sessions. Throws `comparison_not_found`. */
export async function describeComparison(
  deps: ComparisonViewDeps,
  comparisonId: string,
): Promise<Comparison> {
  const { comparisons, repos } = deps
  const { comparison, members } = await comparisons.require(comparisonId)
  const taken = members.find(({ workspace }) => workspace?.comparison?.isTaken)
  const repoId = members[0]?.repoId ?? ''
  const { check } = repos.requireInsideRoot(repoId).settings
  return {
    id: comparison.id,
    repoId,
    ...(check !== undefined && { check }),
    ...(taken && { taken: taken.id }),
    sessions: await Promise.all(members.map((session) => withResult(deps, session))),
  }
}

async function withResult(
  deps: ComparisonViewDeps,
  session: SessionSummary,
): Promise<ComparedSession> {
  const { id } = session
  const { items, state } = await deps.timelines.read(id, LATEST_ITEMS)
  const end = items.findLast((item) => item.type === 'turn_end')
  const { turn } = state
  const ms = turn ? undefined : end?.durationMs
  const changes = await countChanges(deps, session)
  return {
    ...session,
    outcome: outcomeOf(session, end),
    ...(turn && { startedAt: new Date(turn.startedAt).toISOString() }),
    ...(ms !== undefined && { seconds: Math.round(ms / 100) / 10 }),
    ...(changes && { changes }),
  }
}

function outcomeOf(
  { status, activity }: SessionSummary,
  end: TurnEndItem | undefined,
): ComparedSession['outcome'] {
  if (activity === 'waiting') return 'waiting'
  if (activity === 'working' || activity === 'starting') return 'working'
  if (end?.error || status === 'error') return 'failed'
  if (end?.stopReason === 'cancelled') return 'cancelled'
  if (end) return 'done'
  return status === 'active' ? 'working' : 'cancelled'
}

/** Undefined when the work tree cannot be compared: it was removed, or its beginning is not known. */
async function countChanges(
  { changes, workspaces, log }: ComparisonViewDeps,
  session: SessionSummary,
): Promise<ComparedSession['changes'] | undefined> {
  const { id, workspace } = session
  if (workspace === undefined || workspace.isRemoved) return undefined
  try {
    const path = workspaces.require(session)
    const found = await changes.read(id, path, { since: 'session', withPatches: false })
    if (found.is !== 'known') return undefined
    return { files: found.total, added: found.added, removed: found.removed }
  } catch (error) {
    log.warn({ err: error, sessionId: id }, 'the changes of a session cannot be counted')
    return undefined
  }
}
