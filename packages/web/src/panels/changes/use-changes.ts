// The changes of a repository: loaded when the panel opens, and again when a turn ends or is undone.
import type { SessionChanges } from '@quayside/client'
import { useHub, useSession } from '@quayside/client/react'
import { useCallback, useEffect, useRef } from 'react'
import { useRestores } from '../../session/undo/undone-turns.js'
import { useLoaded, type Loaded } from '../../shared/use-loaded.js'

/** The changes since the session began. */
export function useChanges(sessionId: string): Loaded<SessionChanges> {
  const client = useHub()
  const load = useCallback(
    (signal: AbortSignal) => client.sessions.changes(sessionId, { patches: false }, { signal }),
    [client, sessionId],
  )
  return useLoadedAfterTurns(sessionId, load)
}

/** The changes since its latest turn began. */
export function useTurnChanges(sessionId: string): Loaded<SessionChanges> {
  const client = useHub()
  const load = useCallback(
    (signal: AbortSignal) =>
      client.sessions.changes(sessionId, { since: 'turn', patches: false }, { signal }),
    [client, sessionId],
  )
  return useLoadedAfterTurns(sessionId, load, { alsoBefore: true })
}

/** The running turn, or the last one that ended. */
export function useLatestTurn(sessionId: string): string | undefined {
  const { turnId, lastTurnId } = useSession(sessionId)
  return turnId ?? lastTurnId
}

/** All changes in its work tree since the last commit, also those of other people and programs. */
export function useTreeChanges(sessionId: string, repoId: string): Loaded<SessionChanges> {
  const client = useHub()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const diff = await client.repos.diff(repoId, { sessionId, patches: false }, { signal })
      return { is: 'known', ...diff } as const
    },
    [client, sessionId, repoId],
  )
  return useLoadedAfterTurns(sessionId, load)
}

function useLoadedAfterTurns(
  sessionId: string,
  load: (signal: AbortSignal) => Promise<SessionChanges>,
  { alsoBefore } = { alsoBefore: false },
): Loaded<SessionChanges> {
  const { lastTurnId } = useSession(sessionId)
  const latest = useLatestTurn(sessionId)
  const changes = useLoaded(load)
  const { reload } = changes
  const restored = useRestores(sessionId).at(-1)?.id
  const reason = `${alsoBefore ? latest : ''} ${lastTurnId} ${restored}`
  const last = useRef(reason)

  useEffect(() => {
    if (last.current !== reason) reload()
    last.current = reason
  }, [reason, reload])

  return changes
}
