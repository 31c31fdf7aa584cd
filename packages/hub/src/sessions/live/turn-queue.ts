// The prompts of one session, run one at a time: agents cancel, merge, refuse or forget a second one.
// Waiting prompts can be edited, moved, removed or sent at once. Every change is committed to the log first.
import { isDeepStrictEqual } from 'node:util'
import type { ContentBlock, PromptAccepted, QueuedTurn } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import { logRejection } from '../../log.js'
import { isPromise, type MaybePromise } from '../../store/maybe-promise.js'
import { decodeEvent } from '../log/encoded-events.js'
import type { EventLog } from '../log/event-log.js'
import { Turn, type LiveTurnDeps } from './turn.js'

const MAX_QUEUED = 16

/** The prompts of a session that is resumed. */
export type KnownTurns = {
  readonly waiting: readonly QueuedTurn[]
  /** The seq of the prompt of a turn that was accepted before. */
  readonly findPrompt: (turnId: string) => MaybePromise<number | undefined>
}

export type TurnQueueDeps = LiveTurnDeps & {
  /** The session's id. */
  readonly id: string
  readonly eventLog: Pick<EventLog, 'read'>
  readonly known?: KnownTurns | undefined
}

export class TurnQueue {
  readonly #deps: TurnQueueDeps
  readonly #accepted = new Map<string, Promise<PromptAccepted>>()
  readonly #queue: Turn[] = []
  /** Turns that are accepted and not yet started, including those whose commit is under way. */
  #waitingCount = 0
  #running: Turn | undefined
  /** `paused`: a user stopped the work, and waiting prompts are held back until a user sends one. */
  #state: 'open' | 'paused' | 'closed' = 'open'

  constructor(deps: TurnQueueDeps) {
    this.#deps = deps
    for (const waiting of deps.known?.waiting ?? []) this.#queue.push(new Turn(waiting, deps))
    this.#waitingCount = this.#queue.length
  }

  get running(): Turn | undefined {
    return this.#running
  }

  /** No turn runs and none waits. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#waitingCount === 0
  }

  list(): readonly Turn[] {
    return this.#queue
  }

  /**
   * Resolves when the prompt is committed. Idempotent by `turnId`, also for requests at the same time.
   * Throws `turn_id_taken` when that id has other content.
   */
  accept(
    received: MaybePromise<readonly ContentBlock[]>,
    by: string,
    turnId = uuidv7(),
  ): Promise<PromptAccepted> {
    return isPromise(received)
      ? received.then((prompt) => this.#accept(prompt, by, turnId))
      : this.#accept(received, by, turnId)
  }

  #accept(prompt: readonly ContentBlock[], by: string, turnId: string): Promise<PromptAccepted> {
    const known = this.#accepted.get(turnId)
    if (known) return this.#requireSame(known, prompt)
    const stored = this.#deps.known?.findPrompt(turnId)
    if (stored === undefined) return this.#acceptNew(prompt, by, turnId)
    return Promise.resolve(stored).then((seq) => {
      if (seq !== undefined) return this.#requireSame({ turnId, seq, queued: false }, prompt)
      // The same prompt may have come again while the database was asked.
      const again = this.#accepted.get(turnId)
      return again ? this.#requireSame(again, prompt) : this.#acceptNew(prompt, by, turnId)
    })
  }

  #acceptNew(prompt: readonly ContentBlock[], by: string, turnId: string): Promise<PromptAccepted> {
    if (this.#waitingCount >= MAX_QUEUED)
      throw new HubError('queue_full', { waiting: this.#waitingCount })
    const accepted = this.#enqueue(new Turn({ turnId, prompt, by, at: Date.now() }, this.#deps))
    this.#accepted.set(turnId, accepted)
    accepted.catch(() => this.#accepted.delete(turnId))
    return accepted
  }

  /** Changes the content of a waiting prompt, or moves it before another one (null: last). */
  async edit(
    turnId: string,
    change: { prompt?: readonly ContentBlock[] | undefined; before?: string | null | undefined },
  ): Promise<void> {
    const turn = this.#findWaiting(turnId) ?? (await this.#refuse(turnId))
    const { before, prompt = turn.prompt } = change
    if (typeof before === 'string' && !this.#findWaiting(before)) await this.#refuse(before)
    // Changed before the commit: a turn that starts meanwhile is not lost, and starts with the newest content.
    turn.prompt = prompt
    if (before !== undefined) this.#move(turn, before)
    const order = before === undefined ? {} : { before }
    await this.#deps.append({
      type: 'turn.queued',
      data: { turnId, prompt, ...order, ...by(turn) },
    })
  }

  async remove(turnId: string, user: string): Promise<void> {
    const turn = this.#findWaiting(turnId) ?? (await this.#refuse(turnId))
    this.#queue.splice(this.#queue.indexOf(turn), 1)
    this.#waitingCount -= 1
    await turn.abandon({
      code: 'removed',
      message: `This prompt was removed by ${user} before it was sent.`,
    })
  }

  /** No turn starts from now on. */
  stop(): void {
    this.#state = 'closed'
  }

  /** Abandons waiting turns, or leaves them in the log for a session that failed and may be resumed. */
  async close({ keepsWaiting }: { keepsWaiting: boolean }): Promise<void> {
    this.stop()
    await Promise.allSettled(this.#accepted.values())
    if (keepsWaiting) return
    for (const turn of this.#queue.splice(0)) await turn.abandon()
  }

  /** Ends a pause and starts the next turn. */
  resume(): void {
    if (this.#state === 'paused') this.#state = 'open'
    this.startNext()
  }

  /** Starts the next turn: after a turn, and when a session is resumed. */
  startNext(): void {
    if (this.#running || this.#state !== 'open') return
    const turn = this.#queue.shift()
    if (turn === undefined) return
    this.#waitingCount -= 1
    this.#running = turn
    const run = turn.run().finally(() => {
      this.#running = undefined
      if (this.#state !== 'closed') this.#state = turn.pausesQueue ? 'paused' : 'open'
      this.startNext()
    })
    logRejection(this.#deps.log, 'running a turn', run)
  }

  /** The log has the prompt as it was first sent, also of a session that was resumed. */
  async #requireSame(
    known: PromptAccepted | Promise<PromptAccepted>,
    prompt: readonly ContentBlock[],
  ): Promise<PromptAccepted> {
    const accepted = await known
    const { id, eventLog } = this.#deps
    const [first] = await eventLog.read(id, accepted.seq - 1, 1)
    const event = first && decodeEvent(first)
    if (event?.type === 'turn.queued' && isSameJson(event.data.prompt, prompt)) return accepted
    throw new HubError('turn_id_taken', { turnId: accepted.turnId })
  }

  async #enqueue(turn: Turn): Promise<PromptAccepted> {
    const { turnId, prompt } = turn
    const queued = !this.isIdle
    this.#waitingCount += 1
    try {
      const data = { turnId, prompt, ...by(turn) }
      const { seq } = await this.#deps.append({ type: 'turn.queued', data })
      this.#queue.push(turn)
      // No other prompt is held back, so this one ends the pause.
      if (this.#queue.length === 1) this.resume()
      else this.startNext()
      return { turnId, seq, queued }
    } catch (error) {
      this.#waitingCount -= 1
      throw error
    }
  }

  #move(turn: Turn, before: string | null): void {
    this.#queue.splice(this.#queue.indexOf(turn), 1)
    const position = this.#queue.findIndex(({ turnId }) => turnId === before)
    this.#queue.splice(position < 0 ? this.#queue.length : position, 0, turn)
  }

  #findWaiting(turnId: string): Turn | undefined {
    return this.#queue.find((waiting) => waiting.turnId === turnId)
  }

  async #refuse(turnId: string): Promise<never> {
    const stored = await this.#deps.known?.findPrompt(turnId)
    const isKnown = this.#accepted.has(turnId) || stored !== undefined
    throw new HubError(isKnown ? 'turn_not_waiting' : 'turn_not_found', { turnId })
  }
}

function isSameJson(stored: unknown, sent: unknown): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(sent)))
}

function by(turn: Turn): { by?: string } {
  return turn.by === undefined ? {} : { by: turn.by }
}
