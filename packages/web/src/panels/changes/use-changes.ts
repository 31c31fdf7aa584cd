// What changed in a repository: loaded when the panels open, and again when a turn ends.
import type { SessionChanges } from '@quayside/client'
import { useClient, useSession } from '@quayside/client/react'
import { useCallback, useEffect, useRef } from 'react'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

/** Since the session began. */
export function useChanges(sessionId: string): Loaded<SessionChanges> {
  const client = useClient()
  const load = useCallback(
    (signal: AbortSignal) => client.sessions.changes(sessionId, { patches: false }, { signal }),
    [client, sessionId],
  )
  return useLoadedAfterTurns(sessionId, load)
}

/** Since the last commit, whoever changed it. */
export function useTreeChanges(sessionId: string, repoId: string): Loaded<SessionChanges> {
  const client = useClient()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const diff = await client.repos.diff(repoId, { patches: false }, { signal })
      return { is: 'known', ...diff } as const
    },
    [client, repoId],
  )
  return useLoadedAfterTurns(sessionId, load)
}

function useLoadedAfterTurns(
  sessionId: string,
  load: (signal: AbortSignal) => Promise<SessionChanges>,
): Loaded<SessionChanges> {
  const { activity } = useSession(sessionId)
  const wasBusy = useRef(false)
  const changes = useLoaded(load)
  const { reload } = changes

  useEffect(() => {
    const isBusy = activity === 'working' || activity === 'waiting'
    if (wasBusy.current && !isBusy) reload()
    wasBusy.current = isBusy
  }, [activity, reload])

  return changes
}
