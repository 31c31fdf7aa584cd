// Turns a session's row into the summary that clients see, for lists and details.
import type { SessionSummary } from '@quayside/protocol'
import type { SummaryRow } from '../../store/session-store.js'

/** Only live sessions have one. */
export type LiveActivity = Pick<SessionSummary, 'activity' | 'step'>

/** Calls `activityOf` for active sessions only. */
export function toSummary(
  row: SummaryRow,
  activityOf: (sessionId: string) => LiveActivity | undefined,
): SessionSummary {
  const { id, repoId, extensionId, status, title, lastSeq, pinned, archived } = row
  return {
    id,
    repoId,
    extensionId,
    status,
    ...(status === 'active' ? activityOf(id) : {}),
    title,
    metadata: JSON.parse(row.metadata) as SessionSummary['metadata'],
    lastSeq,
    pinned,
    archived,
    turnCount: row.turnCount,
    messageCount: row.messageCount,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt).toISOString(),
  }
}
