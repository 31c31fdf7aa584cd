// What a check is, and what it can find.
import type { CheckRun } from './check-run.js'

export type CheckOutcome = 'pass' | 'fail' | 'skipped'

/** `evidence` says what was seen. */
export type Finding = { readonly outcome: CheckOutcome; readonly evidence: string }

export type Check = {
  readonly id: string
  /** A sentence that is true of an agent that passes. */
  readonly title: string
  run(run: CheckRun): Promise<Finding>
}

export type CheckResult = Finding & Pick<Check, 'id' | 'title'>

/** The agent cannot do what all further checks need, so nothing can be said of them. */
export class CheckStopped extends Error {
  override readonly name = 'CheckStopped'
}

export function pass(evidence: string): Finding {
  return { outcome: 'pass', evidence }
}

export function fail(evidence: string): Finding {
  return { outcome: 'fail', evidence }
}

/** Not offered by the agent, or not done by its model. */
export function skip(evidence: string): Finding {
  return { outcome: 'skipped', evidence }
}
