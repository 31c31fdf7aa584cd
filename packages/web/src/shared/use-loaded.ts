// Loads a value from the hub on mount and on demand. The old value stays during a reload.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { problemOf } from './problem.js'

export type Loaded<Value> = {
  /** The last loaded value. */
  readonly value: Value | undefined
  /** The error message of the last attempt. */
  readonly problem: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  /** For a command that returns the new value. */
  readonly set: (value: Value) => void
}

type Settled<Value> = Pick<Loaded<Value>, 'value' | 'problem'> & { readonly request?: object }

/** `read` must be stable (`useCallback`); a new function loads again. */
export function useLoaded<Value>(read: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [round, setRound] = useState(0)
  const request = useMemo(() => ({ read, round }), [read, round])
  const [settled, setSettled] = useState<Settled<Value>>({ value: undefined, problem: undefined })

  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    request.read(signal).then(
      (value) => !signal.aborted && setSettled({ request, value, problem: undefined }),
      (error: unknown) => {
        if (signal.aborted) return
        const problem = problemOf(error)
        setSettled(({ value }) => ({ request, value, problem }))
      },
    )
    return () => abort.abort()
  }, [request])

  const reload = useCallback(() => {
    setSettled(({ value }) => ({ value, problem: undefined }))
    setRound((last) => last + 1)
  }, [])
  const set = useCallback(
    (value: Value) => setSettled({ request, value, problem: undefined }),
    [request],
  )
  const { value, problem } = settled
  return { value, problem, isLoading: settled.request !== request, reload, set }
}
