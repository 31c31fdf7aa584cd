// The workspace of a session, as the list has it: the session's view does not follow its removal.
import { useSessions, type SessionView } from '@quayside/client/react'
import type { Workspace } from '@quayside/protocol'
import { ALL_SESSIONS } from '../../sessions/session-queries.js'

/** Draws the component again with every change of a session. */
export function useWorkspace({ info }: SessionView): Workspace | undefined {
  const { sessions } = useSessions(ALL_SESSIONS)
  return (sessions.find(({ id }) => id === info?.id) ?? info)?.workspace
}
