// The types of a check and its findings.
import type { CheckRun } from './check-run.js'

export type CheckOutcome = 'pass' | 'fail' | 'skipped'

/** `evidence` describes what the check observed. */
export type Finding = { readonly outcome: CheckOutcome; readonly evidence: string }

export type Check = {
  readonly id: string
  /** A sentence that is true for an agent that passes. */
  readonly title: string
  run(run: CheckRun): Promise<Finding>
}

export type CheckResult = Finding & Pick<Check, 'id' | 'title'>

/** Ends the run: the agent cannot do something that all further checks need. */
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
