// The machine that runs a session, when several share the hub's database.
import { useSessions, type SessionView } from '@quayside/client/react'
import type { HubPlace } from '@quayside/protocol'
import { LIVE_SESSIONS } from '../../sessions/session-queries.js'

/** As the list has it, which learns of machines that come and go. */
export function useMachine(sessionId: string, view: SessionView): HubPlace | undefined {
  const { sessions } = useSessions(LIVE_SESSIONS)
  const listed = sessions.find(({ id }) => id === sessionId)
  return listed?.hub ?? view.info?.hub
}
