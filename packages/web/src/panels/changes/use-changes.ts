// What a session changed: loaded when the panels open, and again when a turn ends.
import type { SessionChanges } from '@quayside/client'
import { useClient, useSession } from '@quayside/client/react'
import { useCallback, useEffect, useRef } from 'react'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

export function useChanges(sessionId: string): Loaded<SessionChanges> {
  const client = useClient()
  const { activity } = useSession(sessionId)
  const wasBusy = useRef(false)
  const load = useCallback(
    (signal: AbortSignal) => client.sessions.changes(sessionId, { patches: false }, { signal }),
    [client, sessionId],
  )
  const changes = useLoaded(load)
  const { reload } = changes

  useEffect(() => {
    const isBusy = activity === 'working' || activity === 'waiting'
    if (wasBusy.current && !isBusy) reload()
    wasBusy.current = isBusy
  }, [activity, reload])

  return changes
}
