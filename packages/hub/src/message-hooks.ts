// For programs that embed a hub: the JSON-RPC messages of agents and of WebSocket clients, to listen to or to change.
import { EventEmitter } from 'node:events'

type Message = Readonly<Record<string, unknown>>

export type AgentMessage = {
  readonly extensionId: string
  readonly pid: number | undefined
  readonly message: Message
}

/** `message` is whatever the client sent, a batch too. */
export type ClientMessage = { readonly by: string; readonly message: unknown }

/**
 * Sees every message before the hub does. What it returns counts instead: the same message, another one, or undefined for
 * none. It answers at once: the order of messages is their meaning.
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

  /** Somebody wants to see what agents write, message by message. */
  get hearsAgents(): boolean {
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
