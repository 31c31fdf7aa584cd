// Failures that end a turn together with its session.
import type { Failure } from './events.js'

const CODES: ReadonlySet<string> = new Set([
  'hub_crash',
  'hub_lost',
  'lease_lost',
  'storage_failed',
])

/** True for a turn that failed because the agent exited, or the hub or its disk failed: the end of the session has the reason. */
export function isSessionFailure({ code, details }: Failure): boolean {
  return CODES.has(code) || (details !== undefined && 'exitCode' in details)
}
