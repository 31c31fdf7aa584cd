// One turn: a prompt sent to the agent and everything until its stop reason.
import type { ContentBlock, EventBody, EventData, Failure, SessionEvent } from '@quayside/protocol'
import type { PromptResult } from '../../agents/connection/agent-process.js'
import type { Redactor } from '../../agents/wire/redact/redact.js'
import type { LogLevel } from '../../config/config.js'
import { within } from '../../deadline.js'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { SESSION_ENDED } from '../log/close-log.js'
import type { PromptMedia } from '../media/prompt-media.js'
import type { SessionAgent } from './session-agent.js'
import { TurnSummary } from './turn-summary.js'
import type { UpdateRecorder } from './update-recorder.js'

/** The same for all turns of a session. */
export type LiveTurnDeps = {
  readonly agent: SessionAgent
  readonly recorder: UpdateRecorder
  readonly promptMedia: PromptMedia
  readonly append: (body: EventBody) => Promise<SessionEvent>
  /** Waits for the setup of a new work tree, then keeps the files as they are before the agent can change them. Never rejects. */
  readonly prepareWorkTree: (turn: Pick<Turn, 'turnId' | 'ended'>) => Promise<void>
  readonly sessionState: () => 'active' | 'ending' | 'failed'
  /** An event of the turn could not be stored. */
  readonly onNotStored: () => void
  readonly redactor: Redactor
  readonly log: Log
}

export type NewTurn = {
  readonly turnId: string
  readonly prompt: readonly ContentBlock[]
  readonly by?: string | undefined
  readonly at: number
}

/** The user who stopped a turn, or the reason; `pausesQueue` also holds back the prompts behind it. */
export type Cancelled = {
  readonly by?: string | undefined
  readonly pausesQueue?: boolean
  readonly reason?: 'decision_timeout'
}

type End = Omit<EventData['turn.ended'], 'turnId'>

export class Turn {
  readonly turnId: string
  /** May change while the turn waits. */
  prompt: readonly ContentBlock[]
  readonly by: string | undefined
  readonly queuedAt: number
  readonly summary = new TurnSummary()
  /** Resolves when the end of the turn is committed, or when its session ends first. */
  readonly ended: Promise<void>
  readonly #deps: LiveTurnDeps
  #cancelled: Cancelled | undefined
  /** Resolves when the turn is cancelled. */
  readonly #cancelling: Promise<undefined>
  #noteCancelled: () => void = () => {}
  #isSent = false
  #settle: () => void = () => {}

  constructor({ turnId, prompt, by, at }: NewTurn, deps: LiveTurnDeps) {
    this.turnId = turnId
    this.prompt = prompt
    this.by = by
    this.queuedAt = at
    this.#deps = deps
    this.ended = new Promise((resolve) => (this.#settle = resolve))
    this.#cancelling = new Promise((resolve) => (this.#noteCancelled = () => resolve(undefined)))
  }

  get isCancelled(): boolean {
    return this.#cancelled !== undefined
  }

  get pausesQueue(): boolean {
    return this.#cancelled?.pausesQueue === true
  }

  /** Waits for the agent, commits the start, sends the prompt, commits the end. Rejects only when an event cannot be stored. */
  async run(): Promise<void> {
    const { agent, recorder, prepareWorkTree, sessionState, onNotStored } = this.#deps
    try {
      await Promise.all([agent.ready(), prepareWorkTree(this)])
      const state = sessionState()
      if (state === 'active') await this.#runWithAgent()
      // After a failure the prompt stays queued in the log until the session is resumed.
      else if (state === 'ending') await this.abandon()
    } catch (error) {
      onNotStored()
      throw error
    } finally {
      recorder.closeTurn()
      this.#settle()
    }
  }

  /** Ends a turn that never reached the agent, by default because its session ended first. */
  async abandon(error: Failure = SESSION_ENDED): Promise<void> {
    try {
      await this.#deps.append({ type: 'turn.ended', data: { turnId: this.turnId, error } })
    } finally {
      this.#settle()
    }
  }

  /** From now on the turn counts as cancelled, also when the agent reports another stop reason: some answer `end_turn`. */
  markCancelled(cancelled: Cancelled): void {
    this.#cancelled = cancelled
    this.#noteCancelled()
  }

  /**
   * Resolves when the turn has ended. A prompt that the agent has is cancelled by `session/cancel`, and an agent that does not
   * end it in time is replaced; any other prompt is not sent.
   */
  async interrupt(graceMs: number): Promise<void> {
    const { agent, log } = this.#deps
    if (this.#isSent) {
      this.summary.frame('out', 'notification')
      logRejection(log, 'sending session/cancel', agent.cancel())
    }
    await within(this.ended, graceMs, () => this.#replaceAgent())
    await this.ended
  }

  async #runWithAgent(): Promise<void> {
    const { append, redactor, log } = this.#deps
    const { turnId } = this
    await append({ type: 'turn.started', data: { turnId } })
    const startedAt = performance.now()
    const outcome = await this.#outcome()
    const end = { ...outcome, durationMs: Math.round(performance.now() - startedAt) }
    await append({ type: 'turn.ended', data: { turnId, ...end } })
    const line = this.summary.toLogLine(end, log.level as LogLevel, redactor)
    log.info({ turnId, ...line }, 'turn ended')
  }

  async #outcome(): Promise<End> {
    try {
      const result = await this.#send()
      return { ...result, ...this.#cancelledEnd() }
    } catch (error) {
      return this.#cancelledEnd() ?? { error: failureOf(error) }
    }
  }

  async #send(): Promise<PromptResult> {
    const { agent, recorder } = this.#deps
    // Cancelled while it waited for its agent, or while its media are read, which may take for ever.
    const prompt = await Promise.race([this.#cancelling, this.#readPrompt()])
    if (prompt === undefined || this.isCancelled) return { stopReason: 'cancelled' }
    try {
      this.#isSent = true
      recorder.startTurn(this.turnId, this.summary)
      this.summary.frame('out', 'request')
      const result = await agent.prompt(prompt)
      this.summary.frame('in', 'response')
      return result
    } finally {
      recorder.flush()
    }
  }

  async #readPrompt(): Promise<readonly ContentBlock[]> {
    const { agent, promptMedia } = this.#deps
    const restored = await promptMedia.restore(this.prompt)
    // Another agent may have been started since the prompt was accepted.
    agent.requireAccepted(restored)
    return agent.withPrimer(restored, this.turnId)
  }

  #replaceAgent(): void {
    const { agent, sessionState, log } = this.#deps
    if (!this.#isSent) return
    log.warn({ turnId: this.turnId }, 'the agent did not answer session/cancel')
    if (sessionState() === 'active') agent.replace()
    else logRejection(log, 'stopping the agent', agent.endProcess())
  }

  #cancelledEnd(): End | undefined {
    if (this.#cancelled === undefined) return undefined
    const { by, pausesQueue, reason } = this.#cancelled
    return {
      stopReason: 'cancelled',
      ...(by !== undefined && { by }),
      ...(pausesQueue && { pausesQueue }),
      ...(reason && { reason }),
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof HubError) return error.toBody().error
  return { code: 'internal', message: messageOfError(error) }
}
