// What of a session's changes people want to be told: an agent needs them, is done, or broke down.
import type { SessionSummary } from '../api/api.js'

export const ALERT_KINDS = ['needsYou', 'finished', 'failed'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** What is enough to know of a session to tell what is new. */
export type AlertState = Pick<SessionSummary, 'status' | 'activity'>

/** `before` is missing for a session that was just begun. */
export function alertFor(before: AlertState | undefined, now: AlertState): AlertKind | undefined {
  if (!before) return now.activity === 'waiting' ? 'needsYou' : undefined
  if (now.status === 'error' && before.status === 'active') return 'failed'
  if (now.activity === 'waiting' && before.activity !== 'waiting') return 'needsYou'
  const wasBusy = before.activity === 'working' || before.activity === 'waiting'
  return now.activity === 'idle' && wasBusy ? 'finished' : undefined
}
