// One running prompt: words and the tour use it to send updates, wait and ask; everything can be cancelled.
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
import { remember } from './sessions/conversation.js'
import type { RememberedTurn } from './sessions/conversation.js'
import type { Lifetime } from './lifetime.js'
import type { Session } from './sessions/session.js'
import type { Settings } from './settings.js'
import type { StdoutWire } from './stdout-wire.js'

/** Rejects with the signal's reason when it aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export interface TurnDeps {
  readonly session: Session
  /** The session id of the updates; another session's only by a fault. */
  readonly updateSessionId: () => string
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

  constructor(readonly deps: TurnDeps) {
    const { signal } = deps
    this.#cancelled = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    this.#cancelled.catch(() => {})
  }

  get session(): Session {
    return this.deps.session
  }

  get signal(): AbortSignal {
    return this.deps.signal
  }

  async update(update: SessionUpdate) {
    remember(this.deps.memory, update)
    await this.updateUnremembered(update)
  }

  /** Sends an update without storing it: it is too large, or not part of the conversation. */
  async updateUnremembered(update: SessionUpdate) {
    this.signal.throwIfAborted()
    const { client, updateSessionId } = this.deps
    await client.notify(methods.client.session.update, { sessionId: updateSessionId(), update })
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

  /** A pause that makes streaming visible, scaled by QUAYSIDE_DEMO_PACE. */
  async pause(ms: number) {
    const { pace } = this.deps.settings
    if (pace > 0) await this.wait(ms * pace)
  }

  async wait(ms: number) {
    await this.deps.sleep(ms, this.signal)
  }

  async unlessCancelled<Result>(work: Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted()
    return Promise.race([work, this.#cancelled])
  }
}
