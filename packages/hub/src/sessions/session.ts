// A live session: it takes commands, drives one agent, and appends what happens to the log.
// Prompts wait in a queue of ours, because agents cancel, merge or refuse a second one.
import type {
  ContentBlock,
  EndedStatus,
  EventBody,
  EventData,
  PendingPermission,
  PermissionOutcome,
  PromptAccepted,
  SessionUpdate,
} from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { AgentExit } from '../agents/agent-child.js'
import { type AgentProcess, describeExit, type PermissionRequest } from '../agents/agent-process.js'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import type { EventLog } from './event-log.js'
import { PendingPermissions } from './pending-permissions.js'
import { Turn } from './turn.js'

const MAX_QUEUED = 16

export type SessionOptions = {
  readonly id: string
  readonly agent: AgentProcess
  readonly acpSessionId: string
  readonly eventLog: EventLog
  readonly log: Log
  readonly permissionTimeoutMs: number
  readonly cancelGraceMs: number
  /** Called once, when the session is no longer active. */
  readonly onEnd: () => void
}

type End = { readonly status: EndedStatus; readonly reason: string; readonly by?: string }

export class Session {
  readonly id: string
  readonly #options: SessionOptions
  readonly #permissions: PendingPermissions
  readonly #accepted = new Map<string, Promise<PromptAccepted>>()
  readonly #queue: Turn[] = []
  /** Turns queued or about to be: accepted and not yet started. */
  #waiting = 0
  #running: Turn | undefined
  /** Late updates still belong to the turn that ended last. */
  #lastTurnId: string | undefined
  #ending: Promise<void> | undefined

  constructor(options: SessionOptions) {
    this.id = options.id
    this.#options = options
    this.#permissions = new PendingPermissions({
      append: (body) => this.#append(body),
      timeoutMs: options.permissionTimeoutMs,
      onTimeout: () => logRejection(options.log, 'cancelling after a timeout', this.cancel()),
    })
    options.agent.attach(options.acpSessionId, {
      onUpdate: (update) => this.#receiveUpdate(update),
      onPermission: (request) => this.#askPermission(request),
    })
    logRejection(options.log, 'ending the session', this.#endWithAgent())
  }

  get permissions(): readonly PendingPermission[] {
    return this.#permissions.list()
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  prompt(prompt: readonly ContentBlock[], by: string, turnId = uuidv7()): Promise<PromptAccepted> {
    const known = this.#accepted.get(turnId)
    if (known) return known
    if (this.#ending) throw new HubError('session_not_active', { sessionId: this.id })
    if (this.#waiting >= MAX_QUEUED) throw new HubError('queue_full', { waiting: this.#waiting })
    const accepted = this.#enqueue(new Turn(turnId, prompt), by)
    this.#accepted.set(turnId, accepted)
    accepted.catch(() => this.#accepted.delete(turnId))
    return accepted
  }

  async answerPermission(
    permissionId: string,
    outcome: PermissionOutcome,
    by: string,
  ): Promise<EventData['permission.resolved']> {
    return this.#permissions.answer(permissionId, outcome, by)
  }

  /** Stops the running turn; the session stays active. Resolves when the turn has ended. */
  async cancel(): Promise<void> {
    const turn = this.#running
    if (turn === undefined) return
    const { agent, acpSessionId, cancelGraceMs, log } = this.#options
    turn.markCancelled()
    await this.#permissions.cancelAll('turn_cancelled')
    logRejection(log, 'telling the agent to cancel', agent.cancel(acpSessionId))
    const timer = setTimeout(() => {
      log.warn({ sessionId: this.id, cancelGraceMs }, 'the agent did not answer session/cancel')
      logRejection(log, 'stopping the agent', agent.stop())
    }, cancelGraceMs)
    await turn.ended
    clearTimeout(timer)
  }

  /** Cancels what runs, ends the agent and the session. Calling it again waits for the same end. */
  end(end: End): Promise<void> {
    this.#ending ??= this.#end(end)
    return this.#ending
  }

  async #end({ status, reason, by }: End): Promise<void> {
    const { agent, onEnd } = this.#options
    await this.cancel()
    const exit = await agent.stop()
    await this.#abandonQueue()
    await this.#append({ type: 'agent.exited', data: { reason: 'stopped', ...exit } })
    const who = by === undefined ? {} : { by }
    await this.#append({ type: 'session.ended', data: { status, reason, ...who } })
    onEnd()
  }

  /** Whatever the exit code: an agent that goes while its session is active has failed it. */
  async #endWithAgent(): Promise<void> {
    const exit = await this.#options.agent.exited
    this.#ending ??= this.#endAfterCrash(exit)
    await this.#ending
  }

  async #endAfterCrash(exit: AgentExit): Promise<void> {
    // What is left of its process group goes with it.
    await this.#options.agent.stop()
    await this.#permissions.cancelAll('agent_exited')
    await this.#running?.ended
    await this.#abandonQueue()
    await this.#append({ type: 'agent.exited', data: { reason: 'crashed', ...exit } })
    await this.#append({
      type: 'session.ended',
      data: { status: 'error', reason: 'agent_exited', message: describeExit(exit) },
    })
    this.#options.onEnd()
  }

  async #enqueue(turn: Turn, by: string): Promise<PromptAccepted> {
    const { turnId, prompt } = turn
    const queued = this.#running !== undefined || this.#waiting > 0
    this.#waiting += 1
    try {
      const { seq } = await this.#append({ type: 'turn.queued', data: { turnId, prompt, by } })
      this.#queue.push(turn)
      this.#startNext()
      return { turnId, seq, queued }
    } catch (error) {
      this.#waiting -= 1
      throw error
    }
  }

  #startNext(): void {
    if (this.#running || this.#ending) return
    const turn = this.#queue.shift()
    if (turn === undefined) return
    this.#waiting -= 1
    this.#running = turn
    this.#lastTurnId = turn.turnId
    const { agent, acpSessionId, log } = this.#options
    const run = turn.run(agent, acpSessionId, (body) => this.#append(body))
    logRejection(
      log,
      'a turn',
      run.finally(() => {
        this.#running = undefined
        this.#startNext()
      }),
    )
  }

  async #abandonQueue(): Promise<void> {
    await Promise.allSettled(this.#accepted.values())
    const error = {
      code: 'session_ended',
      message: 'The session ended before this prompt was sent.',
    }
    for (const turn of this.#queue.splice(0))
      await turn.abandon(error, (body) => this.#append(body))
  }

  #receiveUpdate(update: SessionUpdate): void {
    const turn = this.#lastTurnId === undefined ? {} : { turnId: this.#lastTurnId }
    this.#options.eventLog.write(
      this.id,
      { type: 'acp.update', data: { ...turn, update } },
      // An agent whose work cannot be recorded must not go on.
      () => this.#options.agent.kill(),
    )
  }

  #askPermission(request: PermissionRequest): Promise<PermissionOutcome> {
    if (this.#ending || this.#running?.isCancelled) return Promise.resolve({ outcome: 'cancelled' })
    return this.#permissions.ask(request, this.#running?.turnId)
  }

  #append(body: EventBody) {
    return this.#options.eventLog.append(this.id, body)
  }
}
