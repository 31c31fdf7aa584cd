// The shared clock of the page: everything that shows a running time renders on one timer.
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, 1_000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** Renders the component again at every full minute. */
export function useMinutes(): void {
  useSyncExternalStore(subscribe, () => Math.floor(now / 60_000))
}

/** Milliseconds until `end`, down to 0. */
export function useRemaining(end: number): number {
  const at = useSyncExternalStore(subscribe, () => now)
  return Math.max(0, end - at)
}

/** Milliseconds since `start`. */
export function useElapsed(start: number): number {
  const at = useSyncExternalStore(subscribe, () => now)
  return Math.max(0, at - start)
}
