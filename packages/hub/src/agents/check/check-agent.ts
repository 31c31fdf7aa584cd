// The agent check: runs all checks on an agent, one after another, and reports the finding of each.
import { HubError } from '../../errors.js'
import { CANCEL_CHECK } from './cancel-check.js'
import { type Check, type CheckResult, fail, type Finding } from './check.js'
import { CheckRun, type CheckRunOptions } from './check-run.js'
import { ENDING_CHECKS, STDOUT_CHECK } from './ending-checks.js'
import { HANDSHAKE_CHECKS } from './handshake-checks.js'
import { MEMORY_CHECKS } from './memory-checks.js'
import { PERMISSION_CHECKS } from './permission-checks.js'
import { TURN_CHECKS } from './turn-checks.js'

/** In this order: the handshake first, and the end of the shared agent after the last check that needs it. */
export const CHECKS: readonly Check[] = [
  ...HANDSHAKE_CHECKS,
  ...TURN_CHECKS,
  ...PERMISSION_CHECKS,
  CANCEL_CHECK,
  ...ENDING_CHECKS,
  ...MEMORY_CHECKS,
  STDOUT_CHECK,
]

/**
 * Yields results as they come, and leaves nothing behind. Throws a HubError when the agent cannot be started or needs a
 * sign-in, and CheckStopped when its model does not answer.
 */
export async function* checkAgent(options: CheckRunOptions): AsyncGenerator<CheckResult, void> {
  const run = await CheckRun.open(options)
  try {
    await run.openSession()
    for (const check of CHECKS) {
      const { id, title } = check
      yield { id, title, ...(await find(check, run)) }
    }
  } finally {
    await run.close()
  }
}

/** An error in the middle of a check is a finding. */
async function find(check: Check, run: CheckRun): Promise<Finding> {
  try {
    return await check.run(run)
  } catch (error) {
    if (error instanceof HubError) return fail(error.message)
    throw error
  }
}
