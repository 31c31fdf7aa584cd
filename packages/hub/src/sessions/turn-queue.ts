// The prompts of one session, one at a time: agents cancel, merge, refuse or forget a second one.
import type { ContentBlock, EventBody, PromptAccepted, SessionEvent } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { Turn } from './turn.js'

const MAX_QUEUED = 16

export type TurnQueueOptions = {
  readonly append: (body: EventBody) => Promise<SessionEvent>
  /** Runs one turn to its end. */
  readonly run: (turn: Turn) => Promise<void>
  readonly log: Log
}

export class TurnQueue {
  readonly #options: TurnQueueOptions
  readonly #accepted = new Map<string, Promise<PromptAccepted>>()
  readonly #queue: Turn[] = []
  /** Turns queued or about to be: accepted and not yet started. */
  #waiting = 0
  #running: Turn | undefined
  #previous: Turn | undefined
  #isClosed = false

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  get running(): Turn | undefined {
    return this.#running
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  accept(prompt: readonly ContentBlock[], by: string, turnId = uuidv7()): Promise<PromptAccepted> {
    const known = this.#accepted.get(turnId)
    if (known) return known
    if (this.#waiting >= MAX_QUEUED) throw new HubError('queue_full', { waiting: this.#waiting })
    const accepted = this.#enqueue(new Turn(turnId, prompt), by)
    this.#accepted.set(turnId, accepted)
    accepted.catch(() => this.#accepted.delete(turnId))
    return accepted
  }

  /** The turn an update belongs to: late news of a tool call of the turn before stays with that turn. */
  turnOf(sessionUpdate: string, toolCallId: unknown): Turn | undefined {
    const turn = this.#running ?? this.#previous
    if (sessionUpdate !== 'tool_call_update' || turn?.knowsToolCall(toolCallId)) return turn
    return this.#previous?.knowsToolCall(toolCallId) ? this.#previous : turn
  }

  /** Starts nothing more and ends what still waits. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#accepted.values())
    for (const turn of this.#queue.splice(0)) await turn.abandon(this.#options.append)
  }

  async #enqueue(turn: Turn, by: string): Promise<PromptAccepted> {
    const { turnId, prompt } = turn
    const queued = this.#running !== undefined || this.#waiting > 0
    this.#waiting += 1
    try {
      const data = { turnId, prompt, by }
      const { seq } = await this.#options.append({ type: 'turn.queued', data })
      this.#queue.push(turn)
      this.#startNext()
      return { turnId, seq, queued }
    } catch (error) {
      this.#waiting -= 1
      throw error
    }
  }

  #startNext(): void {
    if (this.#running || this.#isClosed) return
    const turn = this.#queue.shift()
    if (turn === undefined) return
    this.#waiting -= 1
    this.#running = turn
    const run = this.#options.run(turn).finally(() => {
      this.#previous = turn
      this.#running = undefined
      this.#startNext()
    })
    logRejection(this.#options.log, 'a turn', run)
  }
}
