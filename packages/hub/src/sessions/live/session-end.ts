// The end of a live session: on request, after its agent's exit, or after a failed start. Each ends the turns, then the
// agent, then the log; `session.ended` is the last event.
import type { EndedStatus } from '@quayside/protocol'
import { describeExit } from '../../agents/connection/acp-errors.js'
import { HubError, messageOfError } from '../../errors.js'
import { logRejection } from '../../log.js'
import type { AgentExit } from '../../process/agent-child.js'
import type { Decisions } from '../decisions/decisions.js'
import { type ClosingEvents, type EndedSession, storeEnd } from '../log/close-log.js'
import type { IdleWatch } from './idle-watch.js'
import type { SessionAgent } from './session-agent.js'
import type { TurnQueue } from './turn-queue.js'

export type EndRequest = {
  readonly status: EndedStatus
  readonly reason: string
  readonly by?: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type SessionEndDeps = EndedSession & {
  readonly agent: SessionAgent
  readonly turns: TurnQueue
  readonly decisions: Decisions
  readonly idle: IdleWatch
  /** Cancels the running turn and waits for its end. */
  readonly cancelTurn: (by: string | undefined) => Promise<void>
}

type State =
  | { readonly is: 'active' }
  /** An event could not be stored. The agent is killed, and its exit ends the session. */
  | { readonly is: 'storageFailed' }
  /** `ending` on request, `failed` without one. With gaps, events before the end are missing in the log. */
  | {
      readonly is: 'ending' | 'failed'
      readonly ended: Promise<void>
      readonly hasGaps: boolean
    }

export class SessionEnd {
  readonly #deps: SessionEndDeps
  #state: State = { is: 'active' }

  constructor(deps: SessionEndDeps) {
    this.#deps = deps
  }

  get state(): 'active' | 'ending' | 'failed' {
    return this.#state.is === 'storageFailed' ? 'active' : this.#state.is
  }

  /** Undefined while the session is active. Rejects when the end could not be stored at once; the hub then retries. */
  get ended(): Promise<void> | undefined {
    return 'ended' in this.#state ? this.#state.ended : undefined
  }

  requireActive(): void {
    if (this.ended === undefined) return
    const message = 'The session is ending.'
    throw new HubError('session_not_active', { message, sessionId: this.#deps.id })
  }

  /** Idempotent: a second request waits for the same end. */
  request(request: EndRequest): Promise<void> {
    return this.ended ?? this.#begin('ending', () => this.#endOnRequest(request))
  }

  /** An exit while the session is active is a failure, whatever its code. */
  agentExited(exit: AgentExit): void {
    this.#fail(() => this.#endAfterExit(exit))
  }

  agentNotStarted(error: unknown): void {
    this.#fail(() => this.#endAfterFailedStart(error))
  }

  /** An event could not be stored: an agent whose work cannot be stored must not go on. */
  failStorage(): void {
    const { id, eventLog, agent, turns } = this.#deps
    turns.stop()
    eventLog.noteNotStored(id)
    if ('ended' in this.#state) {
      this.#state = { ...this.#state, hasGaps: true }
    } else if (this.#state.is === 'active') {
      this.#state = { is: 'storageFailed' }
      agent.kill('storage_failed')
    }
  }

  async orFailStorage(stored: Promise<unknown>): Promise<void> {
    try {
      await stored
    } catch {
      // The event log has logged the cause.
      this.failStorage()
    }
  }

  #fail(end: () => Promise<void>): void {
    if (this.ended === undefined)
      logRejection(this.#deps.log, 'ending the session', this.#begin('failed', end))
  }

  #begin(is: 'ending' | 'failed', end: () => Promise<void>): Promise<void> {
    const ended = end()
    this.#state = { is, ended, hasGaps: this.#state.is === 'storageFailed' }
    return ended
  }

  async #endOnRequest({ status, reason, by, details }: EndRequest): Promise<void> {
    const { agent, turns, cancelTurn, log } = this.#deps
    // No waiting prompt may start when the running turn is over.
    turns.stop()
    // Also without a turn: an agent may do work of its own, and clients expect the session's cancel to reach it.
    if (turns.running === undefined) logRejection(log, 'sending session/cancel', agent.cancel())
    await cancelTurn(by)
    const exit = await agent.stop()
    await this.orFailStorage(turns.close({ keepsWaiting: false }))
    await this.orFailStorage(agent.close('stopped', exit))
    const ended = { status, reason, ...(by !== undefined && { by }), ...(details && { details }) }
    await this.#store(ended, { reason: 'stopped', ...exit })
  }

  async #endAfterExit(exit: AgentExit): Promise<void> {
    const { agent, turns, decisions, log } = this.#deps
    const { exitCode, signal } = exit
    log.error({ exitCode, signal, cause: exit.cause }, 'the agent exited')
    turns.stop()
    // Ends the rest of its process tree.
    await agent.endProcess()
    await this.orFailStorage(decisions.cancelAll('agent_exited'))
    await this.#endTurns()
    const { cause, ...details } = exit
    const reason = cause === undefined ? 'crashed' : 'stopped'
    await this.orFailStorage(agent.close(reason, exit))
    const message = describeExit(exit)
    const ended = { status: 'error', reason: cause ?? 'agent_exited', message, details } as const
    await this.#store(ended, { reason, ...exit })
  }

  async #endAfterFailedStart(error: unknown): Promise<void> {
    this.#deps.turns.stop()
    await this.#endTurns()
    const message = `The agent could not be started: ${messageOfError(error)}`
    const isStorage = error instanceof HubError && error.code === 'storage_failed'
    const reason = isStorage ? error.code : 'agent_exited'
    const ended = { status: 'error', reason, message } as const
    await this.#store(ended, { reason: 'crashed' })
  }

  /** After a failure, prompts that were not sent wait in the log until the session is resumed. */
  async #endTurns(): Promise<void> {
    const { turns } = this.#deps
    await turns.running?.ended
    await turns.close({ keepsWaiting: true })
  }

  #store(ended: ClosingEvents['ended'], exited: ClosingEvents['exited']): Promise<void> {
    this.#deps.idle.stop()
    const hasGaps = 'ended' in this.#state && this.#state.hasGaps
    return storeEnd(this.#deps, { ended, exited, hasGaps })
  }
}
