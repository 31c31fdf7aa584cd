// A live session: it takes commands, drives one agent, and appends what happens to the log.
import type {
  ContentBlock,
  EndedStatus,
  EventBody,
  EventData,
  PromptAccepted,
  SessionUpdate,
} from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { describeExit } from '../agents/acp-errors.js'
import type { AgentExit } from '../agents/process/agent-child.js'
import type { Workplace } from '../agents/agent-process.js'
import type { Quirks } from '../agents/quirks.js'
import type { Redactor } from '../agents/wire/redact.js'
import { HubError, messageOfError } from '../errors.js'
import { type Log, type LogLevel, logRejection } from '../log.js'
import type { ConfinedFiles } from '../repos/confined-files.js'
import type { AgentTerminals } from '../terminals/agent-terminals.js'
import type { PutMedia } from './data-uris.js'
import { Decisions } from './decisions.js'
import type { EventLog } from './event-log.js'
import { IdleWatch } from './idle-watch.js'
import { lightenEvent } from './light-event.js'
import type { PermissionPolicy } from './permission-policy.js'
import type { PromptMedia } from './prompt-media.js'
import type { SessionAgent } from './session-agent.js'
import { silenceNotice, SilenceWatch } from './silence-watch.js'
import type { Turn } from './turn.js'
import { type KnownTurns, TurnQueue } from './turn-queue.js'
import { UpdateRecorder } from './update-recorder.js'

export type SessionOptions = {
  readonly id: string
  readonly agent: SessionAgent
  readonly eventLog: EventLog
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  readonly promptMedia: PromptMedia
  readonly redactor: Redactor
  readonly files: ConfinedFiles
  /** Once for each agent of the session: what one opened ends with it. */
  readonly openTerminals: () => AgentTerminals
  readonly policy: PermissionPolicy
  readonly limits: SessionLimits
  /** What has to be done before the first prompt is sent. */
  readonly ready?: Promise<unknown> | undefined
  /** Of a session that comes back. */
  readonly known?: KnownTurns | undefined
  readonly log: Log
  /** Called once, when the session is no longer active. */
  readonly onEnd: () => void
}

export type SessionLimits = {
  readonly permissionTimeoutMs: number
  readonly cancelGraceMs: number
  readonly promptSilenceMs: number
  readonly idleTimeoutMs: number
}

export type QueueEdit = {
  readonly prompt?: readonly ContentBlock[] | undefined
  readonly before?: string | null | undefined
  /** Send it at once: what runs is cancelled. */
  readonly now?: boolean | undefined
}

type End = { readonly status: EndedStatus; readonly reason: string; readonly by?: string }

export class Session {
  readonly id: string
  readonly decisions: Decisions
  readonly isWorking = (): boolean => this.#turns.running !== undefined
  /** The end that is under way. */
  readonly ending = (): Promise<void> | undefined => this.#ending
  readonly #options: SessionOptions
  readonly #turns: TurnQueue
  readonly #updates: UpdateRecorder
  readonly #silence: SilenceWatch
  readonly #idle: IdleWatch
  /** A restart of the agent that prompts have to wait for. */
  #ready: Promise<unknown> = Promise.resolve()
  #terminals: AgentTerminals
  #ending: Promise<void> | undefined
  #hasFailed = false
  /** The turn that the agent has been asked last. */
  #sent: Turn | undefined

  constructor(options: SessionOptions) {
    const { id, log, limits, known } = options
    this.id = id
    this.#ready = options.ready ?? this.#ready
    this.#options = options
    const append = (body: EventBody) => this.#append(body)
    this.decisions = new Decisions({
      ...options,
      append,
      timeoutMs: limits.permissionTimeoutMs,
      onTimeout: () => logRejection(log, 'cancelling after a timeout', this.cancel()),
      beforeAsking: () => this.#beforeAsking(),
    })
    this.#turns = new TurnQueue({ append, run: (turn) => this.#runTurn(turn), known, log })
    const onLost = (): void => options.agent.kill()
    this.#updates = new UpdateRecorder({ ...options, sessionId: id, turns: this.#turns, onLost })
    this.#silence = new SilenceWatch({
      limitMs: limits.promptSilenceMs,
      isExcused: () => this.#isWaiting(),
      onSilence: (silentMs) => this.#updates.note(silenceNotice(silentMs)),
    })
    this.#idle = new IdleWatch({
      limitMs: limits.idleTimeoutMs,
      isBusy: () => !this.#turns.isIdle || this.#isWaiting(),
      onIdle: () => this.#endIdle(),
    })
    this.#terminals = options.openTerminals()
    this.#attach()
    this.#turns.startNext()
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  prompt(prompt: readonly ContentBlock[], by: string, turnId?: string): Promise<PromptAccepted> {
    if (this.#ending) throw new HubError('session_not_active', { sessionId: this.id })
    this.#idle.activity()
    return this.#turns.accept(this.#options.promptMedia.takeOut(prompt), by, turnId)
  }

  get queue(): readonly Turn[] {
    return this.#turns.list()
  }

  async editQueued(turnId: string, { prompt, before, now }: QueueEdit): Promise<void> {
    const light = prompt && this.#options.promptMedia.takeOut(prompt)
    const first = now ? this.queue[0]?.turnId : before
    const place = first === turnId ? undefined : first
    await this.#turns.edit(turnId, { prompt: light, before: place })
    // Sent now means instead of what runs.
    if (now) await this.cancel()
  }

  removeQueued(turnId: string, by: string): Promise<void> {
    return this.#turns.remove(turnId, by)
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

  /** Rules count from now on; another folder or other servers restart the agent when its turn is over. */
  changeSettings(settings: SessionSettings, workplace: Workplace): void {
    const { agent, policy, log } = this.#options
    policy.replace(settings.permissions)
    if (!agent.moveTo(workplace)) return
    log.info('the settings changed; restarting the agent')
    this.#restartAfter(this.#turns.running?.ended)
  }

  /** Stops the running turn; the session stays active. Resolves when the turn has ended. */
  async cancel(): Promise<void> {
    const turn = this.#turns.running
    if (turn === undefined) return
    const { agent, limits, log } = this.#options
    turn.markCancelled()
    turn.summary.frame('out', 'notification')
    await this.decisions.cancelAll('turn_cancelled')
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
    await this.#turns.close({ keepsWaiting: false })
    await this.#terminals.closeAll()
    await this.#append({ type: 'agent.exited', data: { reason: 'stopped', ...exit } })
    await this.#finish({ status, reason, ...(by === undefined ? {} : { by }) })
  }

  /** Whatever the exit code: an agent that goes while its session is active has failed it. */
  async #endAfterExit(exit: AgentExit): Promise<void> {
    const { agent, log } = this.#options
    this.#hasFailed = true
    this.#turns.stop()
    log.error({ exitCode: exit.exitCode, signal: exit.signal }, 'the agent exited')
    // What is left of its tree goes with it.
    await agent.stop()
    await this.decisions.cancelAll('agent_exited')
    await this.#turns.running?.ended
    await this.#turns.close({ keepsWaiting: true })
    await this.#terminals.closeAll()
    await this.#append({ type: 'agent.exited', data: { reason: 'crashed', ...exit } })
    await this.#finish({ status: 'error', reason: 'agent_exited', message: describeExit(exit) })
  }

  async #endAfterFailedRestart(error: unknown): Promise<void> {
    this.#hasFailed = true
    this.#turns.stop()
    await this.#turns.running?.ended
    await this.#turns.close({ keepsWaiting: true })
    const message = `The agent did not come back: ${messageOfError(error)}`
    await this.#finish({ status: 'error', reason: 'agent_exited', message })
  }

  async #finish(ended: EventData['session.ended']): Promise<void> {
    this.#idle.stop()
    // Nothing of the session comes after its end.
    await this.#ready
    await this.#append({ type: 'session.ended', data: ended })
    this.#options.onEnd()
  }

  #attach(): void {
    const { agent, files, log } = this.#options
    const handlers = {
      sessionId: this.id,
      onUpdate: (update: SessionUpdate) => this.#receiveUpdate(update),
      onNotice: (notice: EventData['notice']) => this.#updates.note(notice),
      ...this.decisions.asked(),
      files,
      terminals: this.#terminals,
    }
    agent.attach(handlers, (exit) => {
      this.#ending ??= this.#endAfterExit(exit)
      logRejection(log, 'ending the session', this.#ending)
    })
  }

  async #runTurn(turn: Turn): Promise<void> {
    const { redactor, log } = this.#options
    await this.#ready
    if (this.#ending) {
      if (this.#hasFailed) turn.leaveWaiting()
      else await turn.abandon((body) => this.#append(body))
      return
    }
    this.#updates.startTurn()
    this.#silence.start()
    try {
      const end = await turn.run(
        () => this.#ask(turn),
        (body) => this.#append(body),
      )
      const line = turn.summary.toLogLine(end, log.level as LogLevel, redactor)
      log.info({ turnId: turn.turnId, ...line }, 'turn ended')
    } finally {
      this.#silence.stop()
    }
  }

  async #ask(turn: Turn) {
    const { agent, promptMedia } = this.#options
    // Cancelled while it waited for the agent to come back.
    if (turn.isCancelled) return { stopReason: 'cancelled' }
    this.#sent = turn
    try {
      turn.summary.frame('out', 'request')
      const result = await agent.prompt(await promptMedia.putBack(turn.prompt))
      turn.summary.frame('in', 'response')
      return result
    } finally {
      this.#updates.flush()
    }
  }

  #receiveUpdate(update: SessionUpdate): void {
    this.#silence.sound()
    this.#idle.activity()
    this.#updates.receive(update)
  }

  /** What the agent said before it asks comes before the question. */
  #beforeAsking(): { turnId: string | undefined } | undefined {
    const turn = this.#turns.running
    if (this.#ending !== undefined || turn?.isCancelled) return undefined
    this.#updates.flush()
    turn?.summary.frame('in', 'request')
    return { turnId: turn?.turnId }
  }

  /** The agent did not answer `session/cancel`: its tree ends, and another one takes over the session. */
  #replaceAgent(turn: Turn): void {
    const { agent, log } = this.#options
    if (this.#sent !== turn) return
    log.warn({ turnId: turn.turnId }, 'the agent did not answer session/cancel')
    if (this.#ending) {
      logRejection(log, 'stopping the agent', agent.stop())
      return
    }
    this.#restartAfter(undefined)
  }

  /** One restart after the other; prompts wait for all of them. */
  #restartAfter(turn: Promise<void> | undefined): void {
    this.#ready = this.#ready
      .then(() => turn)
      .then(() => (this.#ending ? undefined : this.#restart()))
      .catch((error: unknown) => {
        this.#ending ??= this.#endAfterFailedRestart(error)
        logRejection(this.#options.log, 'ending the session', this.#ending)
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

  #isWaiting(): boolean {
    return (
      this.decisions.openCount > 0 ||
      this.#terminals.list().some(({ exitStatus }) => exitStatus === undefined)
    )
  }

  #endIdle(): void {
    const { log, limits } = this.#options
    log.info({ idleTimeoutMs: limits.idleTimeoutMs }, 'nothing happened for a while; completing')
    logRejection(log, 'completing', this.end({ status: 'completed', reason: 'idle_timeout' }))
  }

  #append(body: EventBody) {
    return this.#options.eventLog.append(this.id, lightenEvent(body, this.#options.putMedia))
  }
}
