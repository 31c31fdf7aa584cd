// The changes of a session that notify people: an agent needs a decision, is done, or failed.
import type { SessionSummary } from '../api/api.js'

export const ALERT_KINDS = ['needsYou', 'finished', 'failed'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The fields of a session that decide whether it causes an alert. */
export type AlertState = Pick<SessionSummary, 'status' | 'activity'>

/** `before` is undefined for a new session. */
export function alertFor(before: AlertState | undefined, now: AlertState): AlertKind | undefined {
  if (!before) return now.activity === 'waiting' ? 'needsYou' : undefined
  if (now.status === 'error' && before.status === 'active') return 'failed'
  if (now.activity === 'waiting' && before.activity !== 'waiting') return 'needsYou'
  const wasBusy = before.activity === 'working' || before.activity === 'waiting'
  return now.activity === 'idle' && wasBusy ? 'finished' : undefined
}
