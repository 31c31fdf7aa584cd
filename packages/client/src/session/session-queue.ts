// The prompts of a session that wait for their turn. Each change answers with the queue as it is then.
import type { QueuedPrompt } from '@quayside/protocol'
import type { SessionCommand, SessionInput } from './agent-session.js'
import { blocksOf, type Place, type PromptInput } from './prompt-input.js'

type Queue = readonly QueuedPrompt[]
export type QueueCommand = Extract<SessionCommand, `${string}/queue${string}`>
type Call = <Address extends QueueCommand>(
  address: Address,
  input: SessionInput<Address>,
) => Promise<Queue>

export class SessionQueue {
  readonly #call: Call
  readonly #place: Place

  constructor(call: Call, place: Place) {
    this.#call = call
    this.#place = place
  }

  list(): Promise<Queue> {
    return this.#call('GET /api/sessions/{sessionId}/queue', {})
  }

  /** Replaces a prompt that waits. */
  edit(turnId: string, input: PromptInput): Promise<Queue> {
    return this.#edit({ turnId, prompt: blocksOf(input, this.#place) })
  }

  /** Before the turn `before`, or to the end when it is null. */
  move(turnId: string, before: string | null): Promise<Queue> {
    return this.#edit({ turnId, before })
  }

  /** Cancels the running turn and goes first. */
  sendNow(turnId: string): Promise<Queue> {
    return this.#edit({ turnId, now: true })
  }

  remove(turnId: string): Promise<Queue> {
    return this.#call('DELETE /api/sessions/{sessionId}/queue/{turnId}', { turnId })
  }

  clear(): Promise<Queue> {
    return this.#call('DELETE /api/sessions/{sessionId}/queue', {})
  }

  #edit(edit: SessionInput<'PATCH /api/sessions/{sessionId}/queue/{turnId}'>): Promise<Queue> {
    return this.#call('PATCH /api/sessions/{sessionId}/queue/{turnId}', edit)
  }
}
