// Checks that the updates of a turn come before its end, and under the id of their own session.
import { HISTORY } from '../connection/update-router.js'
import { messageTextIn } from '../wire/log/wire-recording.js'
import { type Check, CheckStopped, fail, type Finding, pass, skip } from './check.js'
import { type CheckRun, newWord } from './check-run.js'
import type { CheckTurn } from './check-session.js'

const SHORT_COMMAND_SECONDS = 2

export const TURN_CHECKS: readonly Check[] = [
  {
    id: 'order',
    title: 'updates come before the answer to their prompt, none after it',
    run: order,
  },
  { id: 'sessions', title: 'two sessions at work do not mix', run: sessions },
  {
    id: 'second-prompt',
    title: 'a prompt during a turn is answered, and so is the first',
    run: secondPrompt,
  },
]

async function order(run: CheckRun): Promise<Finding> {
  const session = await run.openSession()
  const { recording } = session.agent
  const since = recording.end
  const turn = await session.prompt(run.promptFor('stream'))
  if (turn.is === 'late')
    throw new CheckStopped('The agent did not finish a simple prompt in time.')
  if (turn.is === 'failed')
    throw new CheckStopped(`The agent cannot answer a simple prompt. ${turn.problem}`)
  await run.quiet()
  const answer = recording.findAnswer('session/prompt', since)
  const updates = recording
    .updates(since, session.acpSessionId)
    .filter(({ kind }) => HISTORY.has(kind))
  const late = updates.filter(({ at }) => answer !== undefined && at > answer.at)
  if (late.length > 0)
    return fail(`${late.length} came after the answer, the first of them ${late[0]?.kind ?? ''}`)
  if (updates.length === 0) return fail(`the turn ended (${turn.stopReason}) without any output`)
  return pass(`${updates.length} updates, then ${turn.stopReason}`)
}

async function sessions(run: CheckRun): Promise<Finding> {
  const first = await run.openSession()
  const second = await run.openSession(first.agent)
  const { recording } = first.agent
  const since = recording.end
  const words = [newWord(), newWord()] as const
  const say = (word: string): string => run.promptFor('say', { WORD: word })
  const turns = await Promise.all([first.prompt(say(words[0])), second.prompt(say(words[1]))])
  if (turns.some(({ is }) => is === 'late')) return fail('a turn did not end')
  const failed = turns.find((turn) => turn.is === 'failed')
  if (failed?.is === 'failed') return skip(failed.problem)
  await run.quiet()
  const texts = [first, second].map(({ acpSessionId }) =>
    messageTextIn(recording.updates(since, acpSessionId)),
  )
  if (texts[0]?.includes(words[1]) || texts[1]?.includes(words[0]))
    return fail('the words of one session came under the id of the other')
  const isComplete = texts.every((text, index) => text.includes(words[index] ?? ''))
  return isComplete
    ? pass('each session answered with its own word')
    : skip('the model did not say its word')
}

/** ACP does not define the outcome. But each prompt needs an answer, and a turn that ends normally must be done. */
async function secondPrompt(run: CheckRun): Promise<Finding> {
  const session = await run.openSession()
  const { recording } = session.agent
  const files = { STARTED: 'quayside-second-started.txt', FILE: 'quayside-second.txt' }
  const first = session.prompt(run.promptFor('wait', { ...files, SECONDS: SHORT_COMMAND_SECONDS }))
  if (!(await run.waitForFile(files.STARTED, first))) return skip('the model ran no command')
  const since = recording.end
  const word = newWord()
  const second = session.prompt(run.promptFor('say', { WORD: word }))
  const turns = [await first, await second] as const
  await run.quiet()
  const became = `first: ${describe(turns[0])}, second: ${describe(turns[1])}`
  if (turns.some(({ is }) => is === 'late')) return fail(became)
  const isDone = messageTextIn(recording.updates(since, session.acpSessionId)).includes(word)
  const claimsToBe = turns[1].is === 'ended' && turns[1].stopReason === 'end_turn'
  return claimsToBe && !isDone ? fail(`${became}, but it was not done`) : pass(became)
}

function describe(turn: CheckTurn): string {
  if (turn.is === 'ended') return turn.stopReason
  return turn.is === 'failed' ? turn.problem : 'never answered'
}
