// The JSON-RPC messages of agents and of WebSocket clients, and the prompts of all clients, for programs that embed a hub to
// observe or change.
import { EventEmitter } from 'node:events'
import type { ContentBlock } from '@quayside/protocol'
import { HubError } from './errors.js'

type Message = Readonly<Record<string, unknown>>

export type AgentMessage = {
  readonly extensionId: string
  readonly pid: number | undefined
  readonly message: Message
}

/** `message` is unparsed input of the client, possibly a batch. */
export type ClientMessage = { readonly by: string; readonly message: unknown }

/** `prompt` is new, or an edit of a queued one, from any client: REST, WebSocket or ACP. */
export type ClientPrompt = {
  readonly by: string
  readonly sessionId: string
  readonly prompt: readonly ContentBlock[]
}

/**
 * Called with every message before the hub handles it. The hub uses the returned message instead; undefined drops it.
 * Synchronous on purpose: the order of messages matters.
 */
export type Middleware = {
  readonly agentMessage?: (
    message: Message,
    from: Omit<AgentMessage, 'message'>,
  ) => Message | undefined
  readonly clientMessage?: (message: unknown, from: Omit<ClientMessage, 'message'>) => unknown
  /** Sees each prompt before it is stored and sent. `undefined` refuses it: the client gets `prompt_refused`. */
  readonly prompt?: (
    prompt: readonly ContentBlock[],
    from: Omit<ClientPrompt, 'prompt'>,
  ) => readonly ContentBlock[] | undefined
}

export type MessageEvents = {
  'agent:message': [AgentMessage]
  'client:message': [ClientMessage]
  'client:prompt': [ClientPrompt]
}

export class MessageHooks {
  readonly events = new EventEmitter<MessageEvents>()
  readonly #middleware: readonly Middleware[]

  constructor(middleware: readonly Middleware[] = []) {
    this.#middleware = middleware
  }

  /** With listeners, agents' messages are parsed one by one instead of joined unparsed. */
  get hasAgentListeners(): boolean {
    return (
      this.events.listenerCount('agent:message') > 0 ||
      this.#middleware.some(({ agentMessage }) => agentMessage !== undefined)
    )
  }

  agentMessage(message: Message, from: Omit<AgentMessage, 'message'>): Message | undefined {
    let passed: Message | undefined = message
    for (const { agentMessage } of this.#middleware) {
      passed = agentMessage ? agentMessage(passed, from) : passed
      if (passed === undefined) return undefined
    }
    this.events.emit('agent:message', { ...from, message: passed })
    return passed
  }

  clientMessage(message: unknown, by: string): unknown {
    let passed = message
    for (const { clientMessage } of this.#middleware) {
      passed = clientMessage ? clientMessage(passed, { by }) : passed
      if (passed === undefined) return undefined
    }
    this.events.emit('client:message', { by, message: passed })
    return passed
  }

  /** Throws `prompt_refused`. */
  prompt(
    prompt: readonly ContentBlock[],
    from: Omit<ClientPrompt, 'prompt'>,
  ): readonly ContentBlock[] {
    let passed: readonly ContentBlock[] | undefined = prompt
    for (const middleware of this.#middleware) {
      passed = middleware.prompt ? middleware.prompt(passed, from) : passed
      if (passed === undefined) throw new HubError('prompt_refused', { sessionId: from.sessionId })
    }
    this.events.emit('client:prompt', { ...from, prompt: passed })
    return passed
  }
}
