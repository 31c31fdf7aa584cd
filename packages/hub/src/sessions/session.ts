// A live session: it takes commands, drives one agent, and appends what happens to the log.
import type {
  ContentBlock,
  EndedStatus,
  EventBody,
  EventData,
  PermissionOutcome,
  PromptAccepted,
  SessionUpdate,
} from '@quayside/protocol'
import { describeExit } from '../agents/acp-errors.js'
import type { AgentExit } from '../agents/agent-child.js'
import type { AcpSessionHandlers } from '../agents/agent-process.js'
import type { PermissionRequest, QuestionAnswer } from '../agents/agent-requests.js'
import type { Quirks } from '../agents/quirks.js'
import type { Redactor } from '../agents/redact.js'
import { HubError, messageOfError } from '../errors.js'
import { type Log, type LogLevel, logRejection } from '../log.js'
import type { ConfinedFiles } from '../repos/confined-files.js'
import type { AgentTerminals } from '../terminals/agent-terminals.js'
import type { PutMedia } from './data-uris.js'
import type { EventLog } from './event-log.js'
import { PendingPermissions } from './pending-permissions.js'
import { PendingQuestions } from './pending-questions.js'
import type { PermissionPolicy } from './permission-policy.js'
import type { SessionAgent } from './session-agent.js'
import { SilenceWatch } from './silence-watch.js'
import type { Turn } from './turn.js'
import { TurnQueue } from './turn-queue.js'
import { takeMediaOut } from './update-media.js'
import { UpdateRecorder } from './update-recorder.js'

export type SessionOptions = {
  readonly id: string
  readonly agent: SessionAgent
  readonly eventLog: EventLog
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  readonly redactor: Redactor
  readonly files: ConfinedFiles
  /** Once for each agent of the session: what one opened ends with it. */
  readonly openTerminals: () => AgentTerminals
  readonly policy: PermissionPolicy
  readonly limits: SessionLimits
  readonly log: Log
  /** Called once, when the session is no longer active. */
  readonly onEnd: () => void
}

export type SessionLimits = {
  readonly permissionTimeoutMs: number
  readonly cancelGraceMs: number
  readonly promptSilenceMs: number
}

type End = { readonly status: EndedStatus; readonly reason: string; readonly by?: string }

export class Session {
  readonly id: string
  readonly permissions: PendingPermissions
  readonly questions: PendingQuestions
  readonly #options: SessionOptions
  readonly #turns: TurnQueue
  readonly #updates: UpdateRecorder
  readonly #silence: SilenceWatch
  /** A restart of the agent that prompts have to wait for. */
  #ready: Promise<unknown> = Promise.resolve()
  #terminals: AgentTerminals
  #ending: Promise<void> | undefined

  constructor(options: SessionOptions) {
    const { log, limits, policy } = options
    this.id = options.id
    this.#options = options
    const append = (body: EventBody) => this.#append(body)
    this.permissions = new PendingPermissions({
      append,
      policy,
      timeoutMs: limits.permissionTimeoutMs,
      onTimeout: () => logRejection(log, 'cancelling after a timeout', this.cancel()),
    })
    this.questions = new PendingQuestions(append, limits.permissionTimeoutMs)
    this.#turns = new TurnQueue({ append, run: (turn) => this.#runTurn(turn), log })
    this.#updates = new UpdateRecorder({
      ...options,
      sessionId: this.id,
      turns: this.#turns,
      onLost: () => options.agent.kill(),
    })
    this.#silence = new SilenceWatch({
      limitMs: limits.promptSilenceMs,
      isExcused: () => this.#isWaiting(),
      onSilence: (silentMs) => this.#noticeSilence(silentMs),
    })
    this.#terminals = options.openTerminals()
    this.#attach()
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  prompt(prompt: readonly ContentBlock[], by: string, turnId?: string): Promise<PromptAccepted> {
    if (this.#ending) throw new HubError('session_not_active', { sessionId: this.id })
    return this.#turns.accept(prompt, by, turnId)
  }

  answerPermission(
    permissionId: string,
    outcome: PermissionOutcome,
    by: string,
  ): Promise<EventData['permission.resolved']> {
    return this.permissions.answer(permissionId, outcome, by)
  }

  answerQuestion(
    questionId: string,
    answer: QuestionAnswer,
    by: string,
  ): Promise<EventData['question.answered']> {
    return this.questions.answer(questionId, answer, by)
  }

  async setOption(
    optionId: string,
    value: string | boolean,
    by: string,
  ): Promise<EventData['option.set']> {
    await this.#ready
    const set = { optionId, value, ...(await this.#options.agent.setOption(optionId, value)), by }
    await this.#append({ type: 'option.set', data: set })
    return set
  }

  /** Stops the running turn; the session stays active. Resolves when the turn has ended. */
  async cancel(): Promise<void> {
    const turn = this.#turns.running
    if (turn === undefined) return
    const { agent, limits, log } = this.#options
    turn.markCancelled()
    turn.summary.frame('out', 'notification')
    await this.#cancelQuestions('turn_cancelled')
    logRejection(log, 'telling the agent to cancel', agent.cancel())
    const timer = setTimeout(() => this.#replaceAgent(turn), limits.cancelGraceMs)
    await turn.ended
    clearTimeout(timer)
    await this.#ready
  }

  /** Cancels what runs, ends the agent and the session. Calling it again waits for the same end. */
  end(end: End): Promise<void> {
    this.#ending ??= this.#end(end)
    return this.#ending
  }

  async #end({ status, reason, by }: End): Promise<void> {
    await this.cancel()
    const exit = await this.#options.agent.stop()
    await this.#close({ reason: 'stopped', ...exit })
    const who = by === undefined ? {} : { by }
    await this.#append({ type: 'session.ended', data: { status, reason, ...who } })
    this.#options.onEnd()
  }

  /** Whatever the exit code: an agent that goes while its session is active has failed it. */
  async #endAfterExit(exit: AgentExit): Promise<void> {
    const { agent, log } = this.#options
    log.error({ sessionId: this.id, exitCode: exit.exitCode, signal: exit.signal }, 'agent exited')
    // What is left of its tree goes with it.
    await agent.stop()
    await this.#cancelQuestions('agent_exited')
    await this.#turns.running?.ended
    await this.#close({ reason: 'crashed', ...exit })
    const message = describeExit(exit)
    const data = { status: 'error', reason: 'agent_exited', message } as const
    await this.#append({ type: 'session.ended', data })
    this.#options.onEnd()
  }

  async #close(exited: EventData['agent.exited']): Promise<void> {
    await this.#turns.close()
    await this.#terminals.closeAll()
    await this.#append({ type: 'agent.exited', data: exited })
  }

  #attach(): void {
    const { agent, files } = this.#options
    const handlers: AcpSessionHandlers = {
      sessionId: this.id,
      onUpdate: (update) => this.#receiveUpdate(update),
      onPermission: async (request, signal) =>
        this.#refusesQuestions()
          ? { outcome: 'cancelled' }
          : this.permissions.ask(this.#lighten(request), this.#questionContext(signal)),
      onQuestion: async (request, signal) =>
        this.#refusesQuestions()
          ? { action: 'cancel' }
          : this.questions.ask(request, this.#questionContext(signal)),
      onQuestionDone: (elicitationId) => this.questions.complete(elicitationId),
      files,
      terminals: this.#terminals,
    }
    agent.attach(handlers, (exit) => {
      this.#ending ??= this.#endAfterExit(exit)
      logRejection(this.#options.log, 'ending the session', this.#ending)
    })
  }

  async #runTurn(turn: Turn): Promise<void> {
    const { agent, log } = this.#options
    await this.#ready
    if (this.#ending) {
      await turn.abandon((body) => this.#append(body))
      return
    }
    this.#updates.startTurn()
    this.#silence.start()
    try {
      const end = await turn.run(
        async () => {
          try {
            turn.summary.frame('out', 'request')
            const result = await agent.prompt(turn.prompt)
            turn.summary.frame('in', 'response')
            return result
          } finally {
            this.#updates.flush()
          }
        },
        (body) => this.#append(body),
      )
      const line = turn.summary.toLogLine(end, log.level as LogLevel, this.#options.redactor)
      log.info({ turnId: turn.turnId, ...line }, 'turn ended')
    } finally {
      this.#silence.stop()
    }
  }

  #receiveUpdate(update: SessionUpdate): void {
    this.#silence.sound()
    this.#updates.receive(update)
  }

  /** The agent did not answer `session/cancel`: its tree ends, and another one takes over the session. */
  #replaceAgent(turn: Turn): void {
    const { agent, log } = this.#options
    log.warn({ sessionId: this.id, turnId: turn.turnId }, 'the agent did not answer session/cancel')
    if (this.#ending) {
      logRejection(log, 'stopping the agent', agent.stop())
      return
    }
    this.#ready = this.#restart().catch((error: unknown) => {
      this.#ending ??= this.#endAfterFailedRestart(error)
      logRejection(log, 'ending the session', this.#ending)
    })
  }

  async #restart(): Promise<void> {
    const { agent, openTerminals } = this.#options
    const { exit, started } = await agent.restart()
    await this.#terminals.closeAll()
    await this.#append({ type: 'agent.exited', data: { reason: 'stopped', ...exit } })
    await this.#append({ type: 'agent.started', data: started })
    this.#terminals = openTerminals()
    this.#attach()
  }

  async #endAfterFailedRestart(error: unknown): Promise<void> {
    await this.#turns.running?.ended
    await this.#turns.close()
    const message = `The agent did not come back: ${messageOfError(error)}`
    const data = { status: 'error', reason: 'agent_exited', message } as const
    await this.#append({ type: 'session.ended', data })
    this.#options.onEnd()
  }

  async #cancelQuestions(reason: 'turn_cancelled' | 'agent_exited'): Promise<void> {
    await Promise.all([this.permissions.cancelAll(reason), this.questions.cancelAll(reason)])
  }

  /** A proposed edit may carry whole files and images. */
  #lighten(request: PermissionRequest): PermissionRequest {
    return { ...request, toolCall: takeMediaOut(request.toolCall, this.#options.putMedia) }
  }

  /** What the agent said before it asks comes before the question. */
  #questionContext(signal: AbortSignal) {
    this.#updates.flush()
    this.#turns.running?.summary.frame('in', 'request')
    return { turnId: this.#turns.running?.turnId, signal }
  }

  #refusesQuestions(): boolean {
    return this.#ending !== undefined || this.#turns.running?.isCancelled === true
  }

  #isWaiting(): boolean {
    return (
      this.permissions.size + this.questions.size > 0 ||
      this.#terminals.list().some(({ exitStatus }) => exitStatus === undefined)
    )
  }

  #noticeSilence(silentMs: number): void {
    const { log } = this.#options
    const turnId = this.#turns.running?.turnId
    log.warn({ sessionId: this.id, turnId, silentMs }, 'the agent has been silent')
    const message = `The agent has said nothing for ${Math.round(silentMs / 1000)} seconds. It may still be working.`
    const turn = turnId === undefined ? {} : { turnId }
    const data = { severity: 'warning', code: 'agent_silent', message, ...turn } as const
    logRejection(log, 'noting a silence', this.#append({ type: 'notice', data }))
  }

  #append(body: EventBody) {
    return this.#options.eventLog.append(this.id, body)
  }
}
