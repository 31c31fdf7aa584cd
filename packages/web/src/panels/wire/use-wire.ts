// The frames of a session while the panel is open: polled often while the agent works, rarely otherwise, and never
// while the page is hidden or the list paused.
import { useHub, useSession } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import { problemOf } from '../../shared/problem.js'
import { type WireEntry, withFrames } from './wire-frames.js'

const KEPT_BY_HUB = 200
const BUSY_MS = 1_000
const CALM_MS = 10_000

export type Wire = {
  readonly entries: readonly WireEntry[] | undefined
  readonly problem: string | undefined
}

export function useWire(sessionId: string, isPaused: boolean): Wire {
  const client = useHub()
  const { activity } = useSession(sessionId)
  const [entries, setEntries] = useState<readonly WireEntry[]>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (isPaused) return undefined
    const abort = new AbortController()
    const { signal } = abort
    const poll = async () => {
      try {
        const frames = await client.sessions.wire(sessionId, { limit: KEPT_BY_HUB, signal })
        setEntries((known = []) => withFrames(known, frames))
        setProblem(undefined)
      } catch (error) {
        if (!signal.aborted) setProblem(problemOf(error))
      }
    }
    const lookIfSeen = () => {
      if (document.visibilityState === 'visible') void poll()
    }
    void poll()
    const timer = setInterval(lookIfSeen, activity === 'working' ? BUSY_MS : CALM_MS)
    document.addEventListener('visibilitychange', lookIfSeen)
    return () => {
      abort.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookIfSeen)
    }
  }, [client, sessionId, isPaused, activity])

  return { entries, problem }
}
