// Signs an agent in or out from the hub: the agent's own methods, in a process of its own that ends afterwards.
import { within } from '../deadline.js'
import { HubError } from '../errors.js'
import type { AgentProcess } from './connection/agent-process.js'
import { isObject, type JsonObject } from './wire/frames.js'

type Start = () => Promise<AgentProcess>

/** How the agent's program is started in a terminal for a person to sign in. */
export type TerminalSignIn = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How long a person may take at the page that the agent opened in a browser. */
const PERSON_MS = 10 * 60_000
/** What stands between a client and the hub often ends a request after a minute. */
const ANSWER_WITHIN_MS = 50_000
/** How long whoever was told to ask again has to do so. */
const KEPT_MS = 60_000

export type SignInState =
  | { readonly is: 'signed-in' }
  | { readonly is: 'waiting' }
  | { readonly is: 'in-terminal'; readonly how: TerminalSignIn }

/**
 * The sign-ins that wait for a person. Whoever asks for one that runs joins it, so no request lasts as long as a person takes;
 * how it ended is told to whoever asks next.
 */
export class AgentSignIns {
  readonly #running = new Map<string, Promise<SignInState>>()
  readonly #answerWithinMs: number

  constructor(answerWithinMs = ANSWER_WITHIN_MS) {
    this.#answerWithinMs = answerWithinMs
  }

  /** `waiting` when it still runs as the time for an answer is up: then ask again. `name` says which sign-in it is. */
  async authenticate(name: string, run: () => Promise<SignInState>): Promise<SignInState> {
    const running = this.#running.get(name) ?? this.#start(name, run)
    try {
      const ended = await within(running, this.#answerWithinMs)
      if (ended === undefined) return { is: 'waiting' }
      this.#forget(name, running)
      return ended
    } catch (error) {
      this.#forget(name, running)
      throw error
    }
  }

  #start(name: string, run: () => Promise<SignInState>): Promise<SignInState> {
    const running = run()
    this.#running.set(name, running)
    const forgetLater = () => setTimeout(() => this.#forget(name, running), KEPT_MS).unref()
    running.then(forgetLater, forgetLater)
    return running
  }

  #forget(name: string, running: Promise<SignInState>): void {
    if (this.#running.get(name) === running) this.#running.delete(name)
  }
}

/**
 * Runs `authenticate`. The agent keeps its credentials itself; new sessions of it find them. A method that wants a
 * terminal is only described: ACP forbids to authenticate with it.
 */
export async function authenticate(start: Start, methodId: string): Promise<SignInState> {
  return withAgent(start, async (agent) => {
    const { authMethods } = agent.description
    const method = authMethods.filter(isObject).find(({ id }) => id === methodId)
    if (method === undefined)
      throw new HubError('option_not_found', {
        message: `The agent has no sign-in method "${methodId}".`,
        methods: authMethods,
      })
    if (method['type'] === 'terminal') return { is: 'in-terminal', how: terminalSignIn(method) }
    await agent.request('authenticate', { methodId }, PERSON_MS)
    return { is: 'signed-in' }
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
