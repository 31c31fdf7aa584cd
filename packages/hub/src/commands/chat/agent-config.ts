// `--config mode=code`: sets modes, models and other options of an agent before the prompt.
import { type AgentSession, ClientError } from '@quayside/client'
import { type AgentOption, agentOptionsOf, type SessionState } from '@quayside/protocol'
import { InvalidArgumentError } from 'commander'
import { oneLine } from '../io/one-line.js'
import { CommandError, EXIT } from '../io/exit-codes.js'

const NOT_OFFERED = ['option_not_found', 'invalid_settings']

export type ConfigInput = { readonly id: string; readonly value: string }

/** Collects an option that may be given several times. */
export function readConfigInput(text: string, before: readonly ConfigInput[] = []): ConfigInput[] {
  const [, id, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (id === undefined || value === undefined)
    throw new InvalidArgumentError('Use an option and its value, such as mode=code.')
  return [...before, { id: id.trim(), value: value.trim() }]
}

export async function setConfig(
  session: AgentSession,
  inputs: readonly ConfigInput[],
  { configOptions: options, modes, agent }: SessionState,
): Promise<void> {
  const offered = agentOptionsOf({ options, modes, agent })
  // Check all of them before setting the first, so that either all are set or none.
  const chosen = inputs.map((input) => [input.id, choose(input, offered)] as const)
  for (const [id, value] of chosen) await set(session, id, value)
}

async function set(session: AgentSession, id: string, value: string | boolean): Promise<void> {
  try {
    await session.setConfig(id, value)
  } catch (error) {
    if (!(error instanceof ClientError) || !NOT_OFFERED.includes(error.code)) throw error
    throw new CommandError(`The agent does not accept ${id}=${value}.`, EXIT.usage)
  }
}

/** The value to set. An agent that has not listed its options yet gets the text as it is. */
function choose({ id, value }: ConfigInput, offered: readonly AgentOption[]): string | boolean {
  if (offered.length === 0) return value
  const option = offered.find((known) => known.id === id)
  if (option === undefined) throw notOffered(`The agent has no option "${id}".`, offered)
  if (typeof option.value === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
  } else if (option.choices.some((choice) => choice.value === value)) return value
  throw notOffered(`"${id}" cannot be "${value}".`, [option])
}

function notOffered(problem: string, offered: readonly AgentOption[]): CommandError {
  const lines = offered.map((option) => `  ${describe(option)}`)
  return new CommandError(`${problem} Choose from:\n${lines.join('\n')}`, EXIT.usage)
}

function describe({ id, value, choices }: AgentOption): string {
  const values = choices.length === 0 ? ['true', 'false'] : choices.map((choice) => choice.value)
  return `${oneLine(id)}=${values.map(oneLine).join('|')} (now ${oneLine(String(value))})`
}
