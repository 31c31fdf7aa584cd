// Makes what clients see of a session out of its row. Lists and details share it.
import type { SessionSummary } from '@quayside/protocol'

export type SummaryRow = {
  readonly id: string
  readonly repoId: string
  readonly extensionId: string
  readonly status: string
  readonly title: string | null
  /** JSON */
  readonly metadata: string
  readonly lastSeq: number
  readonly pinned: boolean
  readonly archived: boolean
  readonly turnCount: number
  readonly messageCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
}

/** What only a live session has. */
export type Doing = Pick<SessionSummary, 'activity' | 'step'>

/** `findDoing` is asked for active sessions only. */
export function toSummary(
  row: SummaryRow,
  findDoing: (sessionId: string) => Doing | undefined,
): SessionSummary {
  const { id, repoId, extensionId, title, lastSeq, pinned, archived } = row
  return {
    id,
    repoId,
    extensionId,
    status: row.status as SessionSummary['status'],
    ...(row.status === 'active' ? findDoing(id) : {}),
    title,
    metadata: JSON.parse(row.metadata) as SessionSummary['metadata'],
    lastSeq,
    pinned,
    archived,
    turnCount: row.turnCount,
    messageCount: row.messageCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
