// `--config mode=code`: modes, models and other options of an agent, set before it is prompted.
import { type AgentSession, ClientError } from '@quayside/client'
import { type AgentOption, agentOptionsOf, type SessionState } from '@quayside/protocol'
import { InvalidArgumentError } from 'commander'
import { oneLine } from '../io/one-line.js'
import { CommandError, EXIT } from '../io/exit-codes.js'

const NOT_OFFERED = ['option_not_found', 'invalid_settings']

export type ConfigWish = { readonly id: string; readonly value: string }

/** For an option that is given several times. */
export function readConfigWish(text: string, before: readonly ConfigWish[] = []): ConfigWish[] {
  const [, id, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (id === undefined || value === undefined)
    throw new InvalidArgumentError('An option and its value, such as mode=code.')
  return [...before, { id: id.trim(), value: value.trim() }]
}

export async function setConfig(
  session: AgentSession,
  wishes: readonly ConfigWish[],
  state: SessionState | undefined,
): Promise<void> {
  const offered = state
    ? agentOptionsOf({ options: state.configOptions, modes: state.modes, agent: state.agent })
    : []
  // All of them before the first: half of what was wanted is not what was wanted.
  const chosen = wishes.map((wish) => [wish.id, choose(wish, offered)] as const)
  for (const [id, value] of chosen) await set(session, id, value)
}

async function set(session: AgentSession, id: string, value: string | boolean): Promise<void> {
  try {
    await session.setConfig(id, value)
  } catch (error) {
    if (!(error instanceof ClientError) || !NOT_OFFERED.includes(error.code)) throw error
    throw new CommandError(`The agent has no ${id}=${value}.`, EXIT.usage)
  }
}

/** An agent that lists nothing yet is asked as it is. */
function choose({ id, value }: ConfigWish, offered: readonly AgentOption[]): string | boolean {
  if (offered.length === 0) return value
  const option = offered.find((known) => known.id === id)
  if (option === undefined) throw unknown(`The agent has no option "${id}".`, offered)
  if (typeof option.value === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
  } else if (option.choices.some((choice) => choice.value === value)) return value
  throw unknown(`"${id}" cannot be "${value}".`, [option])
}

function unknown(problem: string, offered: readonly AgentOption[]): CommandError {
  const lines = offered.map((option) => `  ${describe(option)}`)
  return new CommandError(`${problem} There is:\n${lines.join('\n')}`, EXIT.usage)
}

function describe({ id, value, choices }: AgentOption): string {
  const values = choices.length === 0 ? ['true', 'false'] : choices.map((choice) => choice.value)
  return `${oneLine(id)}=${values.map(oneLine).join('|')} (now ${oneLine(String(value))})`
}
