// Something of the hub's that is loaded when a component appears, and again when it is asked for.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { problemOf } from '../shared/problem.js'

export type Loaded<Value> = {
  /** The last one that came; it stays while the next is loaded. */
  readonly value: Value | undefined
  /** Why the last attempt failed. */
  readonly problem: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** `load` must stay the same function as long as the same thing is meant. */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [round, setRound] = useState(0)
  const request = useMemo(() => ({ load, round }), [load, round])
  const [settled, setSettled] = useState<{
    readonly request: object
    readonly value: Value | undefined
    readonly problem: string | undefined
  }>()

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const load = async () => {
      try {
        const value = await request.load(signal)
        if (!signal.aborted) setSettled({ request, value, problem: undefined })
      } catch (error) {
        if (signal.aborted) return
        const problem = problemOf(error)
        setSettled((last) => ({ request, value: last?.value, problem }))
      }
    }
    void load()
    return () => abort.abort()
  }, [request])

  const reload = useCallback(() => setRound((last) => last + 1), [])
  const isLoading = settled?.request !== request
  return { value: settled?.value, problem: settled?.problem, isLoading, reload }
}
