// The one clock of the page: everything that shows a running time is drawn once a second, not each by a timer of its own.
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

/** Draws the component again with every minute that begins. */
export function useMinutes(): void {
  useSyncExternalStore(subscribe, () => Math.floor(now / 60_000))
}

/** Milliseconds until `end`, shrinking to nothing while the component is there. */
export function useRemaining(end: number): number {
  const at = useSyncExternalStore(subscribe, () => now)
  return Math.max(0, end - at)
}

/** Milliseconds since `start`, growing while the component is there. */
export function useElapsed(start: number): number {
  const at = useSyncExternalStore(subscribe, () => now)
  return Math.max(0, at - start)
}
