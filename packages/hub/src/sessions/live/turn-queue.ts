// The prompts of one session, one at a time: agents cancel, merge, refuse or forget a second one.
// What waits can be edited, moved, removed or sent at once; all of it is in the log first.
import type {
  ContentBlock,
  EventBody,
  PromptAccepted,
  QueuedTurn,
  SessionEvent,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { turnOfUpdate } from './turn-of-update.js'
import { Turn } from './turn.js'

const MAX_QUEUED = 16

/** What a session that comes back knows of its prompts. */
export type KnownTurns = {
  readonly waiting: readonly QueuedTurn[]
  /** All turns ever accepted, by id, with the seq of their prompts. */
  readonly accepted: ReadonlyMap<string, number>
}

export type TurnQueueOptions = {
  readonly append: (body: EventBody) => Promise<SessionEvent>
  /** Runs one turn to its end. */
  readonly run: (turn: Turn) => Promise<void>
  readonly known?: KnownTurns | undefined
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
  /** Somebody stopped the work: what waits is held back until somebody sends it. */
  #isPaused = false

  constructor(options: TurnQueueOptions) {
    this.#options = options
    for (const [turnId, seq] of options.known?.accepted ?? [])
      this.#accepted.set(turnId, Promise.resolve({ turnId, seq, queued: false }))
    for (const { turnId, prompt, by, at } of options.known?.waiting ?? [])
      this.#queue.push(new Turn(turnId, prompt, { by, at }))
    this.#waiting = this.#queue.length
  }

  get running(): Turn | undefined {
    return this.#running
  }

  /** Nothing runs, nothing waits. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#waiting === 0
  }

  list(): readonly Turn[] {
    return this.#queue
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  accept(prompt: readonly ContentBlock[], by: string, turnId = uuidv7()): Promise<PromptAccepted> {
    const known = this.#accepted.get(turnId)
    if (known) return known
    if (this.#waiting >= MAX_QUEUED) throw new HubError('queue_full', { waiting: this.#waiting })
    const accepted = this.#enqueue(new Turn(turnId, prompt, { by, at: Date.now() }))
    this.#accepted.set(turnId, accepted)
    accepted.catch(() => this.#accepted.delete(turnId))
    return accepted
  }

  /** Changes what a waiting prompt says, or which one it comes before (null: last). */
  async edit(
    turnId: string,
    change: { prompt?: readonly ContentBlock[] | undefined; before?: string | null | undefined },
  ): Promise<void> {
    const turn = this.#requireWaiting(turnId)
    const { before, prompt = turn.prompt } = change
    if (typeof before === 'string') this.#requireWaiting(before)
    // Changed before the commit: a turn that starts meanwhile is not lost, and starts as it was last told.
    turn.prompt = prompt
    if (before !== undefined) this.#move(turn, before)
    const place = before === undefined ? {} : { before }
    await this.#options.append({
      type: 'turn.queued',
      data: { turnId, prompt, ...place, ...by(turn) },
    })
  }

  async remove(turnId: string, who: string): Promise<void> {
    const turn = this.#requireWaiting(turnId)
    this.#queue.splice(this.#queue.indexOf(turn), 1)
    this.#waiting -= 1
    const error = {
      code: 'removed',
      message: `This prompt was removed by ${who} before it was sent.`,
    }
    await turn.abandon(this.#options.append, error)
  }

  turnOf(sessionUpdate: string, toolCallId: unknown): Turn | undefined {
    const turns = { running: this.#running, previous: this.#previous }
    return turnOfUpdate(turns, sessionUpdate, toolCallId)
  }

  /** From now on nothing starts. */
  stop(): void {
    this.#isClosed = true
  }

  /** What waits stays in the log when the session failed, else it ends here. */
  async close({ keepsWaiting }: { keepsWaiting: boolean }): Promise<void> {
    this.stop()
    await Promise.allSettled(this.#accepted.values())
    if (keepsWaiting) return
    for (const turn of this.#queue.splice(0)) await turn.abandon(this.#options.append)
  }

  /** Goes on with what waits although it was held back. */
  resume(): void {
    this.#isPaused = false
    this.startNext()
  }

  /** Goes on with what waits: after a turn, and when a session comes back. */
  startNext(): void {
    if (this.#running || this.#isClosed || this.#isPaused) return
    const turn = this.#queue.shift()
    if (turn === undefined) return
    this.#waiting -= 1
    this.#running = turn
    const run = this.#options.run(turn).finally(() => {
      this.#previous = turn
      this.#running = undefined
      this.#isPaused = turn.pausesQueue
      this.startNext()
    })
    logRejection(this.#options.log, 'a turn', run)
  }

  async #enqueue(turn: Turn): Promise<PromptAccepted> {
    const { turnId, prompt } = turn
    const queued = !this.isIdle
    this.#waiting += 1
    try {
      const data = { turnId, prompt, ...by(turn) }
      const { seq } = await this.#options.append({ type: 'turn.queued', data })
      this.#queue.push(turn)
      // With nothing else to hold back there is no pause.
      if (this.#queue.length === 1) this.resume()
      else this.startNext()
      return { turnId, seq, queued }
    } catch (error) {
      this.#waiting -= 1
      throw error
    }
  }

  #move(turn: Turn, before: string | null): void {
    this.#queue.splice(this.#queue.indexOf(turn), 1)
    const place = this.#queue.findIndex(({ turnId }) => turnId === before)
    this.#queue.splice(place < 0 ? this.#queue.length : place, 0, turn)
  }

  #requireWaiting(turnId: string): Turn {
    const turn = this.#queue.find((waiting) => waiting.turnId === turnId)
    if (turn !== undefined) return turn
    const isKnown = this.#accepted.has(turnId)
    throw new HubError(isKnown ? 'turn_not_waiting' : 'turn_not_found', { turnId })
  }
}

function by(turn: Turn): { by?: string } {
  return turn.by === undefined ? {} : { by: turn.by }
}
