// Forks a session and opens the fork, with a first message if there is one.
import { useHub } from '@quayside/client/react'
import type { ContentBlock } from '@quayside/protocol'
import { useState } from 'react'
import { useHubObjects } from '../../hub/hub-context.js'
import { showToast } from '../../shared/controls/toasts.js'
import { problemOf } from '../../shared/problem.js'
import { navigate, sessionPath } from '../../shared/route.js'

export type ForkRequest = {
  readonly turnId?: string | undefined
  /** The fork begins before the turn. */
  readonly before?: true
  readonly prompt?: readonly ContentBlock[]
}

export function useFork(sessionId: string, onProblem = (text: string) => showToast({ text })) {
  const { http } = useHub()
  const { lists } = useHubObjects()
  const [isForking, setForking] = useState(false)

  async function fork({ turnId, before, prompt }: ForkRequest): Promise<void> {
    setForking(true)
    try {
      const { id } = await http.call('POST /api/sessions/{sessionId}/fork', {
        sessionId,
        ...(turnId !== undefined && { turnId }),
        ...(before && { before }),
        makeRoom: true,
      })
      if (prompt)
        await http.call('POST /api/sessions/{sessionId}/prompt', { sessionId: id, prompt })
      void lists.refresh()
      navigate(sessionPath(id))
    } catch (error) {
      onProblem(problemOf(error))
    } finally {
      setForking(false)
    }
  }

  return { isForking, fork: (request: ForkRequest = {}) => void fork(request) }
}
