// The end of a session without an agent, and of its last turn, from the last rows about them in its conversation.
import { useTimeline, type SessionView } from '@quayside/client/react'
import type { Item } from '@quayside/protocol'
import { useSessionContext } from './session-context.js'

export type SessionEnd = Readonly<Record<string, unknown>>

/** Undefined while the session is active. */
export function useSessionEnd({ status }: SessionView): SessionEnd | undefined {
  const { sessionId } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  return status === 'active' ? undefined : ids.map(item).map(endOf).findLast(Boolean)
}

/** True while nothing runs after a turn whose permission or question was not answered in time. */
export function useTimedOut({ activity }: SessionView): boolean {
  const { sessionId } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  if (activity === 'working' || activity === 'waiting') return false
  const last = ids.findLast((id) => item(id)?.type === 'turn_end')
  const end = last === undefined ? undefined : item(last)
  return end?.type === 'turn_end' && end.reason === 'decision_timeout'
}

/** The notice about the end of a session has its status and reason. */
function endOf(item: Item | undefined): SessionEnd | undefined {
  const details = item?.type === 'notice' ? item.details : undefined
  return details?.['status'] === undefined ? undefined : details
}
