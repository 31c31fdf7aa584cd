// Signs an agent in or out by its own ACP methods, in a separate process that ends afterwards.
import { within } from '../deadline.js'
import { HubError } from '../errors.js'
import type { AgentProcess } from './connection/agent-process.js'
import { isObject, type JsonObject } from '../json.js'

type Start = () => Promise<AgentProcess>

/** Arguments and variables of the agent's program for signing in from a terminal. */
export type TerminalSignIn = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Time for a person to finish on the page that the agent opened in a browser. */
const PERSON_DEADLINE_MS = 10 * 60_000
/** Proxies between a client and the hub often end a request after a minute. */
const ANSWER_WITHIN_MS = 50_000
/** A result is kept this long for a client that was answered `waiting`. */
const RESULT_KEPT_MS = 60_000

export type SignInState =
  | { readonly is: 'signed-in' }
  | { readonly is: 'waiting' }
  | { readonly is: 'in-terminal'; readonly how: TerminalSignIn }

/**
 * The sign-ins that wait for a person. A request for a running sign-in joins it and is answered in time; the result is
 * kept for the next request.
 */
export class AgentSignIns {
  readonly #running = new Map<string, Promise<SignInState>>()
  readonly #answerWithinMs: number

  constructor(answerWithinMs = ANSWER_WITHIN_MS) {
    this.#answerWithinMs = answerWithinMs
  }

  /** Returns `waiting` when the sign-in still runs at the deadline; the client then asks again. `name` identifies it. */
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
    const forgetLater = () => setTimeout(() => this.#forget(name, running), RESULT_KEPT_MS).unref()
    running.then(forgetLater, forgetLater)
    return running
  }

  #forget(name: string, running: Promise<SignInState>): void {
    if (this.#running.get(name) === running) this.#running.delete(name)
  }
}

/**
 * Runs `authenticate`. The agent stores its credentials itself, for new sessions to use. A terminal method is only
 * described: ACP forbids to call `authenticate` with it.
 */
export async function authenticate(start: Start, methodId: string): Promise<SignInState> {
  return withAgent(start, async (agent) => {
    const { authMethods } = agent.description
    const method = authMethods.filter(isObject).find(({ id }) => id === methodId)
    if (method === undefined)
      throw new HubError('option_not_found', {
        message: `The agent has no sign-in method "${methodId}". Choose one of its own methods.`,
        methods: authMethods,
      })
    if (method['type'] === 'terminal') return { is: 'in-terminal', how: terminalSignIn(method) }
    await agent.request('authenticate', { methodId }, PERSON_DEADLINE_MS)
    return { is: 'signed-in' }
  })
}

export function signOut(start: Start): Promise<void> {
  return withAgent(start, async (agent) => {
    const { auth } = agent.description.capabilities
    if (!isObject(auth) || !isObject(auth['logout']))
      throw new HubError('option_not_found', {
        message: 'The agent does not support signing out over ACP. Sign out with its own program.',
      })
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
