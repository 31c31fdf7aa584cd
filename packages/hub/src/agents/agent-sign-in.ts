// Signs an agent in or out from the hub: the agent's own methods, in a process of its own that ends afterwards.
import { HubError } from '../errors.js'
import type { AgentProcess } from './agent-process.js'
import { isObject } from './wire/frames.js'

type Start = () => Promise<AgentProcess>

/** Runs `authenticate`. The agent keeps its credentials itself; new sessions of it find them. */
export function authenticate(start: Start, methodId: string): Promise<void> {
  return withAgent(start, async (agent) => {
    const { authMethods } = agent.description
    const method = authMethods.filter(isObject).find(({ id }) => id === methodId)
    if (method === undefined)
      throw new HubError('option_not_found', {
        message: `The agent has no sign-in method "${methodId}".`,
        methods: authMethods,
      })
    if (method['type'] === 'terminal')
      throw new HubError('agent_auth_required', {
        message:
          'This method wants a terminal: run the agent once in a terminal and sign in there.',
        method,
      })
    await agent.request('authenticate', { methodId })
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

async function withAgent(
  start: Start,
  work: (agent: AgentProcess) => Promise<void>,
): Promise<void> {
  const agent = await start()
  try {
    await work(agent)
  } finally {
    await agent.stop()
  }
}
