// The end of a session without an agent, from the last notice about it in its conversation.
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

/** The notice about the end of a session has its status and reason. */
function endOf(item: Item | undefined): SessionEnd | undefined {
  const details = item?.type === 'notice' ? item.details : undefined
  return details?.['status'] === undefined ? undefined : details
}
