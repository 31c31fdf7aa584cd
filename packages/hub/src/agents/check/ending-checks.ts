// Checks that the agent exits when asked, leaves no processes, and writes only JSON-RPC to stdout.
import { CAN_LIST_PROCESSES } from '../../process/process-table.js'
import { type Check, fail, type Finding, pass, skip } from './check.js'
import type { CheckRun } from './check-run.js'

/** Runs after all checks that share an agent. */
export const ENDING_CHECKS: readonly Check[] = [
  { id: 'exit', title: 'ends by itself when its stdin is closed', run: exit },
  { id: 'children', title: 'leaves no process behind', run: children },
]

/** Runs last, on the recordings of all other checks. */
export const STDOUT_CHECK: Check = {
  id: 'stdout',
  title: 'writes nothing but JSON-RPC to stdout, and answers only what was asked',
  run: stdout,
}

async function exit(run: CheckRun): Promise<Finding> {
  const { exitCode, signal, signalled, tookMs } = await run.endAgent()
  if (signalled !== undefined) return fail(`stayed until a ${signalled}`)
  if (exitCode === 0) return pass(`exit code 0 after ${tookMs} ms`)
  return fail(signal === null ? `exit code ${exitCode}` : `died of ${signal}`)
}

async function children(run: CheckRun): Promise<Finding> {
  const { left } = await run.endAgent()
  if (left.length > 0) return fail(`still running after the agent: ${left.join(', ')}`)
  return CAN_LIST_PROCESSES
    ? pass('no child process left')
    : skip('this platform does not list processes')
}

async function stdout(run: CheckRun): Promise<Finding> {
  const lines = run.recordings.reduce((sum, { junkLines }) => sum + junkLines, 0)
  if (lines === 0) return pass(`${run.recordings.reduce((sum, { end }) => sum + end, 0)} frames`)
  const [example = ''] = run.recordings.flatMap(({ junk }) => junk)
  return fail(`${lines} odd lines, such as: ${example.slice(0, 100)}`)
}
