// Queries of the session list that several components share, so that the client loads each once.
import type { SessionsFilter } from '@quayside/client/react'
import type { ListedSession } from '@quayside/protocol'

/** Every session that is not archived. */
export const ALL_SESSIONS: SessionsFilter = {}
/** Live sessions are few, so one page contains them all. */
export const LIVE_SESSIONS: SessionsFilter = { status: ['active'], limit: 100 }

export function needsYou({ activity }: ListedSession): boolean {
  return activity === 'waiting'
}

export function isAtWork({ activity }: ListedSession): boolean {
  return activity === 'working' || activity === 'starting'
}
