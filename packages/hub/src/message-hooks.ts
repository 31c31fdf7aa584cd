// The JSON-RPC messages of agents and of WebSocket clients, for programs that embed a hub to observe or change.
import { EventEmitter } from 'node:events'

type Message = Readonly<Record<string, unknown>>

export type AgentMessage = {
  readonly extensionId: string
  readonly pid: number | undefined
  readonly message: Message
}

/** `message` is unparsed input of the client, possibly a batch. */
export type ClientMessage = { readonly by: string; readonly message: unknown }

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
}

export type MessageEvents = {
  'agent:message': [AgentMessage]
  'client:message': [ClientMessage]
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
}
