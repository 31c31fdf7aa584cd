// One turn: a prompt handed to the agent and everything until its stop reason.
import type { ContentBlock, EventBody, EventData, Failure } from '@quayside/protocol'
import type { AgentProcess } from '../agents/agent-process.js'
import { HubError, messageOfError } from '../errors.js'

export class Turn {
  readonly turnId: string
  readonly prompt: readonly ContentBlock[]
  /** Resolves when the end of the turn is committed. */
  readonly ended: Promise<void>
  #cancelled = false
  #settle: () => void = () => {}

  constructor(turnId: string, prompt: readonly ContentBlock[]) {
    this.turnId = turnId
    this.prompt = prompt
    this.ended = new Promise((resolve) => (this.#settle = resolve))
  }

  get isCancelled(): boolean {
    return this.#cancelled
  }

  /** From now on whatever stop reason the agent gives, the turn was cancelled: some say `end_turn` all the same. */
  markCancelled(): void {
    this.#cancelled = true
  }

  /** Commits the start, asks the agent, commits the end. Never rejects for what the agent does. */
  async run(
    agent: AgentProcess,
    acpSessionId: string,
    append: (body: EventBody) => Promise<unknown>,
  ): Promise<void> {
    try {
      await append({ type: 'turn.started', data: { turnId: this.turnId } })
      const startedAt = performance.now()
      const end = await this.#askAgent(agent, acpSessionId)
      const durationMs = Math.round(performance.now() - startedAt)
      await append({ type: 'turn.ended', data: { turnId: this.turnId, ...end, durationMs } })
    } finally {
      this.#settle()
    }
  }

  /** Ends a turn that never reached the agent. */
  async abandon(error: Failure, append: (body: EventBody) => Promise<unknown>): Promise<void> {
    await append({ type: 'turn.ended', data: { turnId: this.turnId, error } })
    this.#settle()
  }

  async #askAgent(
    agent: AgentProcess,
    acpSessionId: string,
  ): Promise<Omit<EventData['turn.ended'], 'turnId'>> {
    try {
      const result = await agent.prompt(acpSessionId, this.prompt)
      return this.#cancelled ? { ...result, stopReason: 'cancelled' } : result
    } catch (error) {
      return this.#cancelled ? { stopReason: 'cancelled' } : { error: failureOf(error) }
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof HubError) return error.toBody().error
  return { code: 'internal', message: messageOfError(error) }
}
