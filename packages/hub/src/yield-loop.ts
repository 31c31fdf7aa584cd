// Shares the event loop between reads of many pages: replays, exports, downloads.
const READING_MS = 5

const waiting: (() => void)[] = []
let endsAt: number | undefined

/**
 * Resolves in a later event-loop tick, for the caller that has waited longest. In one tick so many callers continue as fit into
 * a few milliseconds, however many read: everything else waits for a tick, not for all of them.
 */
export function yieldLoop(): Promise<void> {
  setImmediate(continueOldest)
  return new Promise((resolve) => waiting.push(resolve))
}

function continueOldest(): void {
  if (isTimeUp()) setImmediate(continueOldest)
  else waiting.shift()?.()
}

function isTimeUp(): boolean {
  const now = performance.now()
  if (endsAt === undefined) {
    endsAt = now + READING_MS
    // Runs first in the next tick.
    setImmediate(() => (endsAt = undefined))
  }
  return now >= endsAt
}
