// Checks that a cancel ends the turn in time, and also the command that the turn started.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Check, fail, type Finding, pass, skip } from './check.js'
import type { CheckRun } from './check-run.js'
import type { CheckTurn } from './check-session.js'
import { within } from '../../deadline.js'

export const CANCEL_CHECK: Check = {
  id: 'cancel',
  title: 'session/cancel ends the turn as cancelled, and its command',
  run: cancel,
}

const STARTED = 'quayside-cancel-started.txt'
const FILE = 'quayside-cancel.txt'
/** Extra time for a command that ends late on a busy machine. */
const LATE_MS = 1_500

async function cancel(run: CheckRun): Promise<Finding> {
  const { cancelMs, commandSeconds } = run.times
  const session = await run.openSession()
  const values = { STARTED, FILE, SECONDS: commandSeconds }
  const turn = session.prompt(run.promptFor('wait', values))
  if (!(await run.waitForFile(STARTED, turn))) return skip('the model ran no command')
  const commandEnds = sleep(commandSeconds * 1_000 + LATE_MS)
  const cancelledAt = performance.now()
  await session.cancel()
  const ended = await within(turn, cancelMs)
  const took = Math.round(performance.now() - cancelledAt)
  await commandEnds
  const faults = [
    ...endFaults(ended, cancelMs),
    ...(run.has(FILE) ? ['the command ran on to its end'] : []),
  ]
  // An agent that ignored the cancel must not disturb the next check.
  if (ended === undefined && (await within(turn, cancelMs)) === undefined) await session.giveUp()
  return faults.length > 0
    ? fail(faults.join('; '))
    : pass(`cancelled after ${took} ms, the command ended`)
}

function endFaults(ended: CheckTurn | undefined, cancelMs: number): string[] {
  if (ended === undefined || ended.is === 'late')
    return [`the turn went on ${cancelMs / 1_000} s after the cancel`]
  if (ended.is === 'failed') return [`the prompt answered an error: ${ended.problem}`]
  return ended.stopReason === 'cancelled' ? [] : [`the turn ended with ${ended.stopReason}`]
}
