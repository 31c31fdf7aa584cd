// The parts of a session's log. The log of a fork begins with the events of the session that was forked, which may be a fork itself.
import type { Database } from './database.js'

export type LogPart = {
  /** The session whose rows these are. */
  readonly sessionId: string
  /** The last event of that session that belongs to the log. */
  readonly until: number
  /** False for the rows of a session that was forked. */
  readonly isOwn: boolean
}

/**
 * The messages of a session, or those that its fork shares. A fork does not share a prompt that was still queued at the fork: the event
 * that started it is missing or comes later.
 */
export const OF_PART = `sessionId = :owner AND (:shared IS NULL OR role <> 'user' OR turnId IS NULL
  OR (updatedSeq > seq AND updatedSeq <= :shared))`

/** Parameters of `OF_PART`. */
export function ownerOf({ sessionId, until, isOwn }: LogPart) {
  return { owner: sessionId, shared: isOwn ? null : until }
}

export class LogParts {
  readonly #statement

  constructor(db: Database) {
    this.#statement = db.prepare(
      `WITH RECURSIVE part (sessionId, until, depth) AS (
         SELECT ?, ${Number.MAX_SAFE_INTEGER}, 0
         UNION ALL
         SELECT forkedFrom, min(forkedSeq, until), depth + 1
         FROM part JOIN AgentSession ON id = sessionId WHERE forkedFrom IS NOT NULL)
       SELECT sessionId, until FROM part ORDER BY depth DESC`,
    )
  }

  /** Oldest first. A session that is not a fork has one part. */
  of(sessionId: string): readonly LogPart[] {
    const rows = this.#statement.all(sessionId) as { sessionId: string; until: number }[]
    return rows.map((row) => ({ ...row, isOwn: row.sessionId === sessionId }))
  }
}
