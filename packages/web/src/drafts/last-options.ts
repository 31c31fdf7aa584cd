// The last known options of each agent, kept in this browser so that they can be chosen before the agent runs.
import type { AgentOption } from '@quayside/protocol'

const KEY = 'quayside.agent-options'

type Kept = Readonly<Record<string, readonly AgentOption[]>>

export function lastOptionsOf(agentId: string): readonly AgentOption[] {
  const options = read()[agentId]
  return Array.isArray(options) ? options.filter(isOption) : []
}

export function keepOptions(agentId: string, options: readonly AgentOption[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [agentId]: options }))
  } catch {
    // Without storage the options appear once the agent runs.
  }
}

function read(): Kept {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? '{}')) as Kept
  } catch {
    return {}
  }
}

/** Another version of the app may have stored another format. */
function isOption(option: Partial<AgentOption> | null): boolean {
  if (typeof option?.id !== 'string' || typeof option.name !== 'string') return false
  const isValue = typeof option.value === 'string' || typeof option.value === 'boolean'
  return isValue && Array.isArray(option.choices)
}
