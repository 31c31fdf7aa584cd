// The queries that several parts of the page share, so that they share one answer of the hub.
import type { SessionsFilter } from '@quayside/client/react'
import type { ListedSession } from '@quayside/protocol'

/** Every session that is not archived. */
export const ALL_SESSIONS: SessionsFilter = {}
/** There are few live sessions, so one page has them all, however many sessions there are. */
export const LIVE_SESSIONS: SessionsFilter = { status: ['active'], limit: 100 }

export function needsYou({ activity }: ListedSession): boolean {
  return activity === 'waiting'
}
