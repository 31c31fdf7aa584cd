// The resume ladder: connects an agent to a session by `session/resume`, else `session/load`, else a new ACP session. A fork is connected
// by `session/fork`, else a new one.
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { AgentProcess, Workplace } from './agent-process.js'
import { hasSessionMethod } from './handshake.js'
import type { AcpSession } from './read-agent-messages.js'
import type { Quirks } from '../extensions/quirks.js'

const REPLAY_TIMEOUT_MS = 5_000
/** A person can sign in, and a slow agent may answer next time: a new ACP session would give up the agent's memory for good. */
const TO_RETRY: readonly string[] = ['agent_auth_required', 'agent_timeout']

export type Connected = AcpSession & { readonly how: 'new' | 'resume' | 'load' | 'fork' | 'primer' }

/** The agent's session before it was restarted. */
export type KnownSession = { readonly acpSessionId: string; readonly startedAt: number }

/** The session that a fork shares its conversation with. Its agent's session is named only when the fork shares all of it. */
export type ForkedSession = { readonly acpSessionId: string | undefined }

export type ConnectOptions = {
  readonly workplace: Workplace
  readonly quirks: Quirks
  readonly known?: KnownSession | undefined
  readonly forkOf?: ForkedSession | undefined
  readonly log: Log
}

/** Throws when another attempt may succeed. `primer`: the agent has no memory of the session, so the next prompt must include the conversation. */
export async function connectSession(
  agent: AgentProcess,
  { workplace, quirks, known, forkOf, log }: ConnectOptions,
): Promise<Connected> {
  if (forkOf) return connectFork(agent, forkOf, { workplace, log })
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

async function connectFork(
  agent: AgentProcess,
  { acpSessionId }: ForkedSession,
  { workplace, log }: Pick<ConnectOptions, 'workplace' | 'log'>,
): Promise<Connected> {
  try {
    if (acpSessionId !== undefined && hasSessionMethod(agent.description, 'fork'))
      return { ...(await agent.newSession({ sessionId: acpSessionId, ...workplace })), how: 'fork' }
  } catch (error) {
    if (error instanceof HubError && TO_RETRY.includes(error.code)) throw error
    log.warn({ err: error }, 'the agent could not fork its session')
  }
  return { ...(await agent.newSession(workplace)), how: 'primer' }
}

function waysBack(agent: AgentProcess, quirks: Quirks, known: KnownSession): ('resume' | 'load')[] {
  const { loadSession } = agent.description.capabilities
  const isTooEarly = quirks.noLoadInSameMinute === true && isSameMinute(known.startedAt, Date.now())
  return [
    ...(hasSessionMethod(agent.description, 'resume') ? (['resume'] as const) : []),
    ...(loadSession === true && !isTooEarly ? (['load'] as const) : []),
  ]
}

function isSameMinute(one: number, other: number): boolean {
  return Math.floor(one / 60_000) === Math.floor(other / 60_000)
}
