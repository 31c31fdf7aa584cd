// Makes what clients see of a session out of its row. Lists and details share it.
import type { SessionSummary } from '@quayside/protocol'

/** The columns of a `SummaryRow`. */
export const SUMMARY_COLUMNS = `id, repoId, extensionId, status, title, metadata, lastSeq, pinned, archived, turnCount, messageCount,
  createdAt, updatedAt, endedAt`

/** A row of AgentSession; booleans are 0 and 1, times are milliseconds. */
export type SummaryRow = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string
  readonly status: string
  readonly title: string | null
  /** JSON */
  readonly metadata: string
  readonly lastSeq: number
  readonly pinned: number
  readonly archived: number
  readonly turnCount: number
  readonly messageCount: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** What only a live session has. */
export type Doing = Pick<SessionSummary, 'activity' | 'step'>

/** `findDoing` is asked for active sessions only. */
export function toSummary(
  row: SummaryRow,
  findDoing: (sessionId: string) => Doing | undefined,
): SessionSummary {
  const { id, repoId, extensionId, title, lastSeq } = row
  return {
    id,
    repoId,
    extensionId,
    status: row.status as SessionSummary['status'],
    ...(row.status === 'active' ? findDoing(id) : {}),
    title,
    metadata: JSON.parse(row.metadata) as SessionSummary['metadata'],
    lastSeq,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    turnCount: row.turnCount,
    messageCount: row.messageCount,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt).toISOString(),
  }
}
