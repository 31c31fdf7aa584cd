// One running prompt: what words and the tour use to speak, wait and ask, all of it cancellable.
import { methods } from '@agentclientprotocol/sdk'
import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  JsonRpcId,
  PlanEntry,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { remember } from './conversation.js'
import type { RememberedTurn } from './conversation.js'
import type { Lifetime } from './lifetime.js'
import type { Session } from './session.js'
import type { Settings } from './settings.js'
import type { StdoutWire } from './stdout-wire.js'

/** Rejects with the signal's reason when it aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface TurnDeps {
  readonly session: Session
  /** Whose updates these are; another session's only by a fault. */
  readonly speaksAs: () => string
  readonly memory: RememberedTurn
  readonly prompt: readonly ContentBlock[]
  readonly signal: AbortSignal
  readonly client: AgentContext
  readonly clientCapabilities: ClientCapabilities
  readonly requestId: JsonRpcId
  readonly wire: StdoutWire
  readonly lifetime: Lifetime
  readonly settings: Settings
  readonly sleep: Sleep
}

/** Every wait throws the signal's reason as soon as the turn is cancelled; `agent.ts` turns that into a stop reason. */
export class Turn {
  readonly #cancelled: Promise<never>
  #lastToolCall = 0

  constructor(readonly parts: TurnDeps) {
    const { signal } = parts
    this.#cancelled = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    this.#cancelled.catch(() => {})
  }

  get session(): Session {
    return this.parts.session
  }

  get signal(): AbortSignal {
    return this.parts.signal
  }

  async update(update: SessionUpdate) {
    remember(this.parts.memory, update)
    await this.updateUnremembered(update)
  }

  /** For what is too large to keep, or not part of the conversation. */
  async updateUnremembered(update: SessionUpdate) {
    this.signal.throwIfAborted()
    const { client, speaksAs } = this.parts
    await client.notify(methods.client.session.update, { sessionId: speaksAs(), update })
  }

  async say(text: string) {
    await this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  }

  async think(text: string) {
    await this.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
  }

  async plan(entries: PlanEntry[]) {
    await this.update({ sessionUpdate: 'plan', entries })
  }

  /** Ids are unique in the session: a client keeps tool calls by id. */
  newToolCallId(): string {
    return `call-${this.session.conversation.turns.length}-${++this.#lastToolCall}`
  }

  async toolCall(toolCall: ToolCall) {
    await this.update({ sessionUpdate: 'tool_call', ...toolCall })
  }

  async toolCallUpdate(toolCall: ToolCallUpdate) {
    await this.update({ sessionUpdate: 'tool_call_update', ...toolCall })
  }

  /** A pause for the eyes of a reader, scaled by QUAYSIDE_DEMO_PACE. */
  async pause(ms: number) {
    const { pace } = this.parts.settings
    if (pace > 0) await this.wait(ms * pace)
  }

  async wait(ms: number) {
    await this.parts.sleep(ms, this.signal)
  }

  async unlessCancelled<Result>(work: Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted()
    return Promise.race([work, this.#cancelled])
  }
}
