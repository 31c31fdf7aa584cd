// Turns a session's row into the summary that clients see, for lists and details.
import type { HubPlace, SessionSummary, Workspace } from '@quayside/protocol'
import type { SessionOwner } from '../../store/cluster-store.js'
import type { SummaryRow } from '../../store/session-store.js'

/** Only live sessions have one. */
export type LiveActivity = Pick<SessionSummary, 'activity' | 'step' | 'notStored' | 'cost'>

/** The machine that a session runs on; undefined when there is one hub. */
export type FindHub = (session: SessionOwner) => HubPlace | undefined

/** Stored when a session ends: the facts about its end, and its cost. */
export type EndMetadata = Record<string, unknown> & Pick<SessionSummary, 'cost'>

/** Undefined in sessions of older hubs, which work in the repository's own work tree. */
export function readWorkspace({ workspace }: Pick<SummaryRow, 'workspace'>): Workspace | undefined {
  return workspace === null ? undefined : (JSON.parse(workspace) as Workspace)
}

/** Calls `activityOf` for active sessions only. */
export function toSummary(
  row: SummaryRow,
  activityOf: (sessionId: string) => LiveActivity | undefined,
  findHub: FindHub | undefined,
): SessionSummary {
  const workspace = readWorkspace(row)
  const { id, repoId, extensionId, status, title, lastSeq, pinned, archived } = row
  const { cost, ...metadata } = JSON.parse(row.metadata) as EndMetadata
  return {
    id,
    repoId,
    extensionId,
    status,
    ...(status === 'active' ? (activityOf(id) ?? storedActivity(row)) : cost && { cost }),
    title,
    metadata,
    lastSeq,
    pinned,
    archived,
    turnCount: row.turnCount,
    messageCount: row.messageCount,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt).toISOString(),
    ...(workspace && { workspace }),
    ...forkOf(row),
    ...placeOf(row, findHub),
  }
}

/** Of a session that another hub runs. */
function storedActivity({ activity }: SummaryRow): LiveActivity {
  return activity ? (JSON.parse(activity) as LiveActivity) : {}
}

function placeOf(
  { owner = null, volume }: SummaryRow,
  findHub: FindHub | undefined,
): Pick<SessionSummary, 'hub'> {
  const hub = volume === undefined ? undefined : findHub?.({ owner, volume })
  return hub ? { hub } : {}
}

function forkOf({
  forkedFrom,
  forkedSeq,
  forkedTurn,
}: SummaryRow): Pick<SessionSummary, 'forkedFrom'> {
  if (forkedFrom === null || forkedSeq === null) return {}
  const turn = forkedTurn !== null && { turnId: forkedTurn }
  return { forkedFrom: { sessionId: forkedFrom, ...turn, seq: forkedSeq } }
}
