// Checks that `session/load` and `session/resume`, if advertised, restore a session in another process.
import { messageOfError } from '../../errors.js'
import { LENIENT_GRACE } from '../probe/probe.js'
import { HISTORY } from '../connection/update-router.js'
import type { AcpSession } from '../connection/read-agent-messages.js'
import { isObject } from '../../json.js'
import { messageTextIn } from '../wire/log/wire-recording.js'
import { type Check, fail, type Finding, pass, skip } from './check.js'
import { type CheckRun, newWord } from './check-run.js'
import type { WatchedAgent } from './check-session.js'

type Way = 'load' | 'resume'

export const MEMORY_CHECKS: readonly Check[] = [
  {
    id: 'load',
    title: 'session/load replays before its answer, and the agent remembers',
    run: (run) => comesBack(run, 'load'),
  },
  {
    id: 'resume',
    title: 'session/resume replays nothing, and the agent remembers',
    run: (run) => comesBack(run, 'resume'),
  },
]

async function comesBack(run: CheckRun, way: Way): Promise<Finding> {
  // Some agents save their sessions when they exit.
  const first = await run.start({ closeGraceMs: LENIENT_GRACE.closeGraceMs })
  if (!offers(first, way)) {
    await first.process.stop()
    return skip('not advertised')
  }
  const word = newWord()
  const session = await run.openSession(first)
  const turn = await session.prompt(run.promptFor('remember', { WORD: word }))
  await first.process.stop()
  if (turn.is === 'late') return fail('the turn did not end')
  if (turn.is === 'failed') return skip(turn.problem)
  const second = await run.start()
  try {
    return await remembers(run, second, { way, acpSessionId: session.acpSessionId, word })
  } finally {
    await second.process.stop()
  }
}

type Known = { readonly way: Way; readonly acpSessionId: string; readonly word: string }

async function remembers(run: CheckRun, agent: WatchedAgent, known: Known): Promise<Finding> {
  const { way, acpSessionId, word } = known
  let session: AcpSession
  try {
    session = await agent.process.reopenSession(`session/${way}`, acpSessionId, run.workplace)
  } catch (error) {
    return fail(messageOfError(error))
  }
  // Wait for updates that are replayed too late.
  await run.quiet()
  const faults = way === 'load' ? loadFaults(agent, known) : resumeFaults(agent, known)
  if (faults.length > 0) return fail(faults.join('; '))
  const since = agent.recording.end
  const turn = await (await run.attach(agent, session)).prompt(run.promptFor('recall'))
  if (turn.is === 'failed') return skip(`came back, but: ${turn.problem}`)
  const text = messageTextIn(agent.recording.updates(since, acpSessionId))
  return text.includes(word)
    ? pass('another process knew the word')
    : fail(`came back, but did not know the word; it answered: ${text.trim().slice(-120)}`)
}

function loadFaults(agent: WatchedAgent, { acpSessionId, word }: Known): string[] {
  const replayed = replayOf(agent, acpSessionId)
  const answeredAt = agent.recording.findAnswer('session/load')?.at ?? 0
  const late = replayed.filter(({ at }) => at > answeredAt)
  if (late.length > 0)
    return [`${late.length} of ${replayed.length} replayed updates came after the answer`]
  if (replayed.length === 0) return ['replayed nothing']
  const text = messageTextIn(replayed, ['user_message_chunk', 'agent_message_chunk'])
  return text.includes(word) ? [] : ['its replay lacks the conversation']
}

function resumeFaults(agent: WatchedAgent, { acpSessionId }: Known): string[] {
  const replayed = replayOf(agent, acpSessionId)
  return replayed.length === 0
    ? []
    : [`replayed ${replayed.length} updates, which is for session/load`]
}

function replayOf({ recording }: WatchedAgent, acpSessionId: string) {
  return recording.updates(0, acpSessionId).filter(({ kind }) => HISTORY.has(kind))
}

function offers({ process }: WatchedAgent, way: Way): boolean {
  const { loadSession, sessionCapabilities } = process.description.capabilities
  if (way === 'load') return loadSession === true
  return isObject(sessionCapabilities) && isObject(sessionCapabilities['resume'])
}
