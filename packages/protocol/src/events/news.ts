// What of a session's changes people want to be told: an agent needs them, is done, or broke down.
import type { SessionSummary } from '../api/api.js'

export const NEWS_KINDS = ['needsYou', 'finished', 'failed'] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

/** What is enough to know of a session to tell what is new. */
export type NewsState = Pick<SessionSummary, 'status' | 'activity'>

/** `before` is missing for a session that was just begun. */
export function newsOf(before: NewsState | undefined, now: NewsState): NewsKind | undefined {
  if (!before) return now.activity === 'waiting' ? 'needsYou' : undefined
  if (now.status === 'error' && before.status === 'active') return 'failed'
  if (now.activity === 'waiting' && before.activity !== 'waiting') return 'needsYou'
  const wasBusy = before.activity === 'working' || before.activity === 'waiting'
  return now.activity === 'idle' && wasBusy ? 'finished' : undefined
}
