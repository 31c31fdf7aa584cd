// Signs an agent in or out from the hub: the agent's own methods, in a process of its own that ends afterwards.
import { HubError } from '../errors.js'
import type { AgentProcess } from './agent-process.js'
import { isObject, type JsonObject } from './wire/frames.js'

type Start = () => Promise<AgentProcess>

/** How the agent's program is started in a terminal for a person to sign in. */
export type TerminalSignIn = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs `authenticate`. The agent keeps its credentials itself; new sessions of it find them. A method that wants a
 * terminal is only described: ACP forbids to authenticate with it.
 */
export async function authenticate(
  start: Start,
  methodId: string,
): Promise<TerminalSignIn | undefined> {
  return withAgent(start, async (agent) => {
    const { authMethods } = agent.description
    const method = authMethods.filter(isObject).find(({ id }) => id === methodId)
    if (method === undefined)
      throw new HubError('option_not_found', {
        message: `The agent has no sign-in method "${methodId}".`,
        methods: authMethods,
      })
    if (method['type'] === 'terminal') return terminalSignIn(method)
    await agent.request('authenticate', { methodId })
    return undefined
  })
}

export function signOut(start: Start): Promise<void> {
  return withAgent(start, async (agent) => {
    const { auth } = agent.description.capabilities
    if (!isObject(auth) || !isObject(auth['logout']))
      throw new HubError('option_not_found', { message: 'The agent does not offer to sign out.' })
    await agent.request('logout', {})
  })
}

function terminalSignIn({ args, env }: JsonObject): TerminalSignIn {
  const variables = isObject(env) ? Object.entries(env) : []
  return {
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
  }
}

async function withAgent<T>(start: Start, work: (agent: AgentProcess) => Promise<T>): Promise<T> {
  const agent = await start()
  try {
    return await work(agent)
  } finally {
    await agent.stop()
  }
}
