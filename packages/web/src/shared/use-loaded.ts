// Something read from the hub when a component appears, and again on demand. What was read stays while it is read again.
import { useCallback, useEffect, useRef, useState } from 'react'
import { problemOf } from './problem.js'

export type Loaded<Value> = {
  readonly value: Value | undefined
  readonly problem: string | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  /** For a command that answers with the new value. */
  readonly set: (value: Value) => void
}

/** `read` must stay the same function as long as the same thing is meant. */
export function useLoaded<Value>(read: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'problem' | 'isLoading'>>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  })
  const reading = useRef<AbortController>(undefined)

  const load = useCallback(() => {
    reading.current?.abort()
    const { signal } = (reading.current = new AbortController())
    read(signal).then(
      (value) => !signal.aborted && setState({ value, problem: undefined, isLoading: false }),
      (error: unknown) => {
        if (signal.aborted) return
        const problem = problemOf(error)
        setState(({ value }) => ({ value, problem, isLoading: false }))
      },
    )
  }, [read])

  useEffect(() => {
    load()
    return () => reading.current?.abort()
  }, [load])

  const reload = useCallback(() => {
    setState(({ value }) => ({ value, problem: undefined, isLoading: true }))
    load()
  }, [load])

  const set = useCallback((value: Value) => {
    setState({ value, problem: undefined, isLoading: false })
  }, [])
  return { ...state, reload, set }
}
