// The changes of a session that people are notified of: an agent needs them, is done, or failed.
import type { Activity, SessionStatus } from './events.js'

export const ALERT_KINDS = ['needsYou', 'finished', 'failed'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The part of a session that alerts depend on. */
export type AlertState = { readonly status: SessionStatus; readonly activity?: Activity }

/** `before` is missing for a session that was just begun. */
export function alertFor(before: AlertState | undefined, now: AlertState): AlertKind | undefined {
  if (!before) return now.activity === 'waiting' ? 'needsYou' : undefined
  if (now.status === 'error' && before.status === 'active') return 'failed'
  if (now.activity === 'waiting' && before.activity !== 'waiting') return 'needsYou'
  const wasBusy = before.activity === 'working' || before.activity === 'waiting'
  return now.activity === 'idle' && wasBusy ? 'finished' : undefined
}
