// The time for which a decision has been waiting or, near its end, the time that is left.
import { strings } from '../strings/strings.js'
import { useElapsed, useRemaining } from './clock.js'
import { age, countdown } from './text/times.js'

const NEAR_MS = 10 * 60_000
const SHOWN_FROM_MS = 60_000

type WaitedProps = {
  readonly since: number
  readonly expiresAt?: string | undefined
  /** Before the words, when there are any. */
  readonly prefix?: string
}

export function Waited({ since, expiresAt, prefix = '' }: WaitedProps) {
  const elapsed = useElapsed(since)
  const remaining = useRemaining(expiresAt === undefined ? Infinity : Date.parse(expiresAt))
  if (remaining < NEAR_MS) return `${prefix}${strings.states.timesOutIn(countdown(remaining))}`
  return elapsed < SHOWN_FROM_MS ? null : `${prefix}${strings.states.waiting(age(elapsed))}`
}
