// The workspace of a session. It is read from the list of sessions, because the session's own view is not notified of its removal.
import { useSessions, type SessionView } from '@quayside/client/react'
import type { Workspace } from '@quayside/protocol'
import { ALL_SESSIONS } from '../../sessions/session-queries.js'

/** Renders the component again when any session changes. */
export function useWorkspace({ info }: SessionView): Workspace | undefined {
  const { sessions } = useSessions(ALL_SESSIONS)
  return (sessions.find(({ id }) => id === info?.id) ?? info)?.workspace
}
