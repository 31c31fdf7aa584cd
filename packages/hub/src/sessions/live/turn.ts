// One turn: a prompt handed to the agent and everything until its stop reason. What it gathers ends with it.
import type { ContentBlock, EventBody, EventData, Failure, SessionUpdate } from '@quayside/protocol'
import type { PromptResult } from '../../agents/connection/agent-process.js'
import { TurnSummary } from './turn-summary.js'
import { HubError, messageOfError } from '../../errors.js'

const SESSION_ENDED: Failure = {
  code: 'session_ended',
  message: 'The session ended before this prompt was sent.',
}

/** Who stopped a turn, and whether what waits behind it is stopped too. */
export type Cancelled = { readonly by?: string | undefined; readonly pausesQueue?: boolean }

type End = Omit<EventData['turn.ended'], 'turnId'>

export class Turn {
  readonly turnId: string
  /** May change as long as the turn waits. */
  prompt: readonly ContentBlock[]
  readonly by: string | undefined
  readonly queuedAt: number
  readonly summary = new TurnSummary()
  /** Resolves when the end of the turn is committed. */
  readonly ended: Promise<void>
  readonly #toolCalls = new Set<string>()
  #cancelled: Cancelled | undefined
  #sent = false
  #settle: () => void = () => {}

  constructor(
    turnId: string,
    prompt: readonly ContentBlock[],
    queued: { by: string | undefined; at: number },
  ) {
    this.turnId = turnId
    this.prompt = prompt
    this.by = queued.by
    this.queuedAt = queued.at
    this.ended = new Promise((resolve) => (this.#settle = resolve))
  }

  get isCancelled(): boolean {
    return this.#cancelled !== undefined
  }

  get pausesQueue(): boolean {
    return this.#cancelled?.pausesQueue === true
  }

  /** From now on whatever stop reason the agent gives, the turn was cancelled: some say `end_turn` all the same. */
  markCancelled(cancelled: Cancelled): void {
    this.#cancelled = cancelled
  }

  /** The agent has been asked. */
  get isSent(): boolean {
    return this.#sent
  }

  markSent(): void {
    this.#sent = true
  }

  knowsToolCall(toolCallId: unknown): boolean {
    return typeof toolCallId === 'string' && this.#toolCalls.has(toolCallId)
  }

  record(update: SessionUpdate): void {
    this.summary.update(update)
    const { toolCallId } = update
    if (typeof toolCallId === 'string') this.#toolCalls.add(toolCallId)
  }

  /** Commits the start, asks the agent, commits the end. Never rejects for what the agent does. */
  async run(
    ask: () => Promise<PromptResult>,
    append: (body: EventBody) => Promise<unknown>,
  ): Promise<End> {
    try {
      await append({ type: 'turn.started', data: { turnId: this.turnId } })
      const startedAt = performance.now()
      const end = await this.#outcome(ask)
      const durationMs = Math.round(performance.now() - startedAt)
      await append({ type: 'turn.ended', data: { turnId: this.turnId, ...end, durationMs } })
      return { ...end, durationMs }
    } finally {
      this.#settle()
    }
  }

  /** Ends a turn that never reached the agent, by default because its session ended first. */
  async abandon(
    append: (body: EventBody) => Promise<unknown>,
    error: Failure = SESSION_ENDED,
  ): Promise<void> {
    await append({ type: 'turn.ended', data: { turnId: this.turnId, error } })
    this.#settle()
  }

  /** Leaves a turn that was not sent as it is in the log: it waits until its session comes back. */
  leaveWaiting(): void {
    this.#settle()
  }

  async #outcome(ask: () => Promise<PromptResult>): Promise<End> {
    try {
      const result = await ask()
      return { ...result, ...this.#cancelledEnd() }
    } catch (error) {
      return this.#cancelledEnd() ?? { error: failureOf(error) }
    }
  }

  #cancelledEnd(): End | undefined {
    if (this.#cancelled === undefined) return undefined
    const { by, pausesQueue } = this.#cancelled
    return {
      stopReason: 'cancelled',
      ...(by !== undefined && { by }),
      ...(pausesQueue && { pausesQueue }),
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof HubError) return error.toBody().error
  return { code: 'internal', message: messageOfError(error) }
}
