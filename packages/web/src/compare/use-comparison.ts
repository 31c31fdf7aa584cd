// The sessions of a comparison: loaded again when one of them changes, and now and then while an agent works.
import { useHub, useSessions } from '@quayside/client/react'
import type { Comparison, ListedSession } from '@quayside/protocol'
import { useCallback, useEffect, useRef } from 'react'
import { ALL_SESSIONS } from '../sessions/session-queries.js'
import { useLoaded, type Loaded } from '../shared/use-loaded.js'

/** Files change without a notification. */
const LOOK_AGAIN_MS = 3_000

export function useComparison(id: string): Loaded<Comparison> {
  const { http } = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      http.call('GET /api/comparisons/{comparisonId}', { comparisonId: id }, { signal }),
    [http, id],
  )
  const loaded = useLoaded(load)
  const { value, reload } = loaded
  const { sessions } = useSessions(ALL_SESSIONS)
  const members = new Set(value?.sessions.map((session) => session.id))
  const state = sessions
    .filter((session) => members.has(session.id))
    .map(stateOf)
    .join(' ')
  const last = useRef(state)

  useEffect(() => {
    if (last.current !== state) reload()
    last.current = state
  }, [state, reload])

  const isWorking = value?.sessions.some(({ outcome }) => outcome === 'working') === true
  useEffect(() => {
    if (!isWorking) return undefined
    const timer = setInterval(reload, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isWorking, reload])

  return loaded
}

function stateOf({ id, status, activity, workspace, turnCount }: ListedSession): string {
  return [id, status, activity, workspace?.check?.state, workspace?.isRemoved, turnCount].join()
}
