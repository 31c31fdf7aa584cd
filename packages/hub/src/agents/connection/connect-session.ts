// The resume ladder: connects an agent to a session by `session/resume`, else `session/load`, else a new ACP session.
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { AgentProcess, Workplace } from './agent-process.js'
import type { AcpSession } from './read-agent-messages.js'
import { isObject } from '../../json.js'
import type { Quirks } from '../extensions/quirks.js'

const REPLAY_TIMEOUT_MS = 5_000
/** A person can sign in, and a slow agent may answer next time: a new ACP session would give up the agent's memory for good. */
const TO_RETRY: readonly string[] = ['agent_auth_required', 'agent_timeout']

export type Connected = AcpSession & { readonly how: 'new' | 'resume' | 'load' | 'primer' }

/** The agent's session before it was restarted. */
export type KnownSession = { readonly acpSessionId: string; readonly startedAt: number }

export type ConnectOptions = {
  readonly workplace: Workplace
  readonly quirks: Quirks
  readonly known?: KnownSession | undefined
  readonly log: Log
}

/** Throws when another attempt may succeed. `primer`: the agent has no memory of the session, so the next prompt must include the conversation. */
export async function connectSession(
  agent: AgentProcess,
  { workplace, quirks, known, log }: ConnectOptions,
): Promise<Connected> {
  if (known === undefined) return { ...(await agent.newSession(workplace)), how: 'new' }
  for (const how of waysBack(agent, quirks, known)) {
    try {
      const session = await agent.reopenSession(`session/${how}`, known.acpSessionId, workplace)
      if (how === 'load' && quirks.replayEndsWith !== undefined) {
        const { replayEndsWith } = quirks
        await agent.updates.replayReaches(known.acpSessionId, replayEndsWith, REPLAY_TIMEOUT_MS)
      }
      return { ...session, how }
    } catch (error) {
      if (error instanceof HubError && TO_RETRY.includes(error.code)) throw error
      log.warn({ err: error, how }, 'the agent could not reopen its session')
    }
  }
  return { ...(await agent.newSession(workplace)), how: 'primer' }
}

function waysBack(
  { description: { capabilities } }: AgentProcess,
  quirks: Quirks,
  known: KnownSession,
): ('resume' | 'load')[] {
  const { sessionCapabilities, loadSession } = capabilities
  const canResume = isObject(sessionCapabilities) && isObject(sessionCapabilities['resume'])
  const isTooEarly = quirks.noLoadInSameMinute === true && isSameMinute(known.startedAt, Date.now())
  return [
    ...(canResume ? (['resume'] as const) : []),
    ...(loadSession === true && !isTooEarly ? (['load'] as const) : []),
  ]
}

function isSameMinute(one: number, other: number): boolean {
  return Math.floor(one / 60_000) === Math.floor(other / 60_000)
}
