// Something of the hub's that is loaded when a component appears, and again when it is asked for.
import { useCallback, useEffect, useState } from 'react'
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
  const [value, setValue] = useState<Value>()
  const [problem, setProblem] = useState<string>()
  const [isLoading, setLoading] = useState(true)
  const [round, setRound] = useState(0)

  useEffect(() => {
    const abort = new AbortController()
    const settle = (act: () => void) => {
      if (abort.signal.aborted) return
      setLoading(false)
      act()
    }
    setLoading(true)
    load(abort.signal).then(
      (loaded) =>
        settle(() => {
          setValue(loaded)
          setProblem(undefined)
        }),
      (error: unknown) => settle(() => setProblem(problemOf(error))),
    )
    return () => abort.abort()
  }, [load, round])

  const reload = useCallback(() => setRound((last) => last + 1), [])
  return { value, problem, isLoading, reload }
}
