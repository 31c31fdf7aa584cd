// A live session: it takes commands, drives one agent, and appends what happens to the log.
import type {
  ContentBlock,
  EndedStatus,
  EventBody,
  EventData,
  PromptAccepted,
  SessionEvent,
  SessionUpdate,
} from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { describeExit } from '../../agents/connection/acp-errors.js'
import type { AgentExit } from '../../process/agent-child.js'
import type { Quirks } from '../../agents/extensions/quirks.js'
import type { Redactor } from '../../agents/wire/redact.js'
import type { LogLevel } from '../../config.js'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { ConfinedFiles } from '../../repos/confined-files.js'
import type { AgentTerminals } from '../../terminals/agent-terminals.js'
import type { PutMedia } from '../media/data-uri-offloader.js'
import { Decisions } from '../decisions/decisions.js'
import type { EventLog } from '../log/event-log.js'
import { IdleWatch } from './idle-watch.js'
import { type ClosingEvents, storeEnd } from '../log/close-log.js'
import type { PermissionPolicy } from '../decisions/permission-policy.js'
import type { PromptMedia } from '../media/prompt-media.js'
import type { AgentPlace, SessionAgent } from './session-agent.js'
import { silenceNotice, SilenceWatch } from './silence-watch.js'
import type { Cancelled, Turn } from './turn.js'
import { type KnownTurns, TurnQueue } from './turn-queue.js'
import { UpdateRecorder } from './update-recorder.js'

export type SessionOptions = {
  readonly id: string
  readonly agent: SessionAgent
  readonly eventLog: EventLog
  readonly append: (body: EventBody) => Promise<SessionEvent>
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  readonly promptMedia: PromptMedia
  readonly redactor: Redactor
  readonly files: ConfinedFiles
  readonly policy: PermissionPolicy
  readonly limits: SessionLimits
  /** Called before a turn starts, which waits for it; soon over. */
  readonly onTurn: () => Promise<void>
  /** Of a session that comes back. */
  readonly known?: KnownTurns | undefined
  readonly log: Log
  /** Aborts when the hub closes. */
  readonly closing: AbortSignal
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

/** Which turn is stopped, whichever runs when none is named; by whom, and whether what waits is held back. */
export type Cancel = Cancelled & { readonly turnId?: string | undefined }

type End = { readonly status: EndedStatus; readonly reason: string; readonly by?: string }

export class Session {
  readonly id: string
  readonly decisions: Decisions
  readonly #options: SessionOptions
  readonly #turns: TurnQueue
  readonly #updates: UpdateRecorder
  readonly #silence: SilenceWatch
  readonly #idle: IdleWatch
  #ending: Promise<void> | undefined
  #hasFailed = false
  /** Something that happened could not be stored. */
  #hasGaps = false

  constructor(options: SessionOptions) {
    const { id, agent, append, log, limits, known } = options
    this.id = id
    this.#options = options
    this.decisions = new Decisions({
      ...options,
      timeoutMs: limits.permissionTimeoutMs,
      onTimeout: () => logRejection(log, 'cancelling after a timeout', this.cancel()),
      beforeAsking: () => this.#beforeAsking(),
      // From here on the agent is to be heard again.
      afterAsking: () => this.#silence.sound(),
    })
    this.#turns = new TurnQueue({ append, run: (turn) => this.#runTurn(turn), known, log })
    const onLost = (): void => agent.kill()
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
    this.#attach()
    this.#turns.startNext()
  }

  /** The end that is under way. Rejected when it could not be stored; that is tried again then. */
  get ending(): Promise<void> | undefined {
    return this.#ending
  }

  get isWorking(): boolean {
    return this.#turns.running !== undefined
  }

  /** Committed when it resolves. The same `turnId` again, even at the same time, is the same turn. */
  prompt(prompt: readonly ContentBlock[], by: string, turnId?: string): Promise<PromptAccepted> {
    this.#requireNotEnding()
    this.#idle.activity()
    return this.#turns.accept(this.#options.promptMedia.offload(prompt), by, turnId)
  }

  /** The commands of its agent, for those who look. */
  get terminals(): AgentTerminals | undefined {
    return this.#options.agent.terminals
  }

  get queue(): readonly Turn[] {
    return this.#turns.list()
  }

  async editQueued(turnId: string, { prompt, before, now }: QueueEdit, by: string): Promise<void> {
    const light = prompt && this.#options.promptMedia.offload(prompt)
    const first = now ? this.queue[0]?.turnId : before
    const place = first === turnId ? undefined : first
    await this.#turns.edit(turnId, { prompt: light, before: place })
    if (!now) return
    // Sent now means instead of what runs, and ends a pause.
    await this.cancel({ by })
    this.#turns.resume()
  }

  removeQueued(turnId: string, by: string): Promise<void> {
    return this.#turns.remove(turnId, by)
  }

  async setOption(
    optionId: string,
    value: string | boolean,
    by: string,
  ): Promise<EventData['option.set']> {
    const { agent, append } = this.#options
    this.#requireNotEnding()
    const taken = await agent.setOption(optionId, value).catch((error: unknown) => {
      // An agent that was told to go meanwhile has not failed.
      this.#requireNotEnding()
      throw error
    })
    const set = { optionId, value, ...taken, by }
    await append({ type: 'option.set', data: set })
    return set
  }

  /** Rules count from now on; another launch, folder or servers restart the agent when its turn is over. */
  changeSettings(settings: SessionSettings, place: AgentPlace): void {
    const { agent, policy, log } = this.#options
    policy.replace(settings.permissions)
    if (agent.moveTo(place, this.#turns.running?.ended))
      log.info('the settings changed; restarting the agent')
    // Saved settings start the agent's session when there is none.
    logRejection(log, 'starting the agent', agent.ready())
  }

  /** Stops the running turn, or only a certain one; the session stays active. Resolves when the turn has ended. */
  async cancel({ turnId, ...cancelled }: Cancel = {}): Promise<void> {
    const turn = this.#turns.running
    if (turn === undefined || (turnId ?? turn.turnId) !== turn.turnId) return
    const { agent, limits, log } = this.#options
    turn.markCancelled(cancelled)
    turn.summary.frame('out', 'notification')
    await this.#orLose(this.decisions.cancelAll('turn_cancelled'))
    logRejection(log, 'telling the agent to cancel', agent.cancel())
    const timer = setTimeout(() => this.#replaceAgent(turn), limits.cancelGraceMs)
    await turn.ended
    clearTimeout(timer)
    await agent.ready()
  }

  /** Stops one turn: cancelled when it runs, taken out of the queue when it waits, left alone when it is over. */
  async cancelTurn(turnId: string, by: string): Promise<void> {
    if (this.#turns.running?.turnId === turnId) await this.cancel({ by })
    else if (this.queue.some((turn) => turn.turnId === turnId)) await this.removeQueued(turnId, by)
  }

  /** Cancels what runs, ends the agent and the session. Calling it again waits for the same end. */
  end(end: End): Promise<void> {
    this.#ending ??= this.#end(end)
    return this.#ending
  }

  async #end({ status, reason, by }: End): Promise<void> {
    const { agent } = this.#options
    // What waits must not begin when the turn that runs is over.
    this.#turns.stop()
    await this.cancel({ by })
    const exit = await agent.stop()
    await this.#orLose(this.#turns.close({ keepsWaiting: false }))
    await this.#orLose(agent.close('stopped', exit))
    const ended = { status, reason, ...(by === undefined ? {} : { by }) }
    await this.#finish(ended, { reason: 'stopped', ...exit })
  }

  /** Whatever the exit code: an agent that goes while its session is active has failed it. */
  async #endAfterExit(exit: AgentExit): Promise<void> {
    const { agent, log } = this.#options
    log.error({ exitCode: exit.exitCode, signal: exit.signal }, 'the agent exited')
    this.#turns.stop()
    // What is left of its tree goes with it.
    await agent.endProcess()
    await this.#orLose(this.decisions.cancelAll('agent_exited'))
    await this.#endTurns()
    await this.#orLose(agent.close('crashed', exit))
    const ended = { status: 'error', reason: 'agent_exited', message: describeExit(exit) } as const
    await this.#finish(ended, { reason: 'crashed', ...exit })
  }

  async #endAfterFailedStart(error: unknown): Promise<void> {
    this.#turns.stop()
    await this.#endTurns()
    const message = `The agent could not be started: ${messageOfError(error)}`
    const ended = { status: 'error', reason: 'agent_exited', message } as const
    await this.#finish(ended, { reason: 'crashed' })
  }

  /** Of a session that failed: what was not sent waits for it to come back. */
  async #endTurns(): Promise<void> {
    await this.#turns.running?.ended
    await this.#turns.close({ keepsWaiting: true })
  }

  #finish(ended: ClosingEvents['ended'], exited: ClosingEvents['exited']): Promise<void> {
    this.#idle.stop()
    return storeEnd(this.#options, { ended, exited, hasGaps: this.#hasGaps })
  }

  /** An agent whose work cannot be stored must not go on: it ends, and the session with it. */
  async #orLose(stored: Promise<unknown>): Promise<void> {
    try {
      await stored
    } catch {
      // The event log has said why.
      this.#hasGaps = true
      this.#turns.stop()
      if (this.#ending === undefined) this.#options.agent.kill()
    }
  }

  #requireNotEnding(): void {
    if (this.#ending === undefined) return
    const message = 'The session is ending.'
    throw new HubError('session_not_active', { message, sessionId: this.id })
  }

  #attach(): void {
    const { agent, files, log } = this.#options
    const fail = (end: () => Promise<void>): void => {
      if (this.#ending) return
      this.#hasFailed = true
      this.#ending = end()
      logRejection(log, 'ending the session', this.#ending)
    }
    agent.attach({
      handlers: {
        sessionId: this.id,
        onUpdate: (update: SessionUpdate, chunks: number) => this.#receiveUpdate(update, chunks),
        onNotice: (notice: EventData['notice']) => this.#updates.note(notice),
        ...this.decisions.asked(),
        files,
      },
      isEnding: () => this.#ending !== undefined,
      onExit: (exit) => fail(() => this.#endAfterExit(exit)),
      onFailedStart: (error) => fail(() => this.#endAfterFailedStart(error)),
    })
  }

  async #runTurn(turn: Turn): Promise<void> {
    const { agent, append, onTurn, redactor, log } = this.#options
    await Promise.all([agent.ready(), onTurn()])
    if (this.#ending) {
      if (this.#hasFailed) turn.leaveWaiting()
      else await turn.abandon(append)
      return
    }
    this.#updates.startTurn()
    this.#silence.start()
    const run = turn.run(() => this.#ask(turn), append).finally(() => this.#silence.stop())
    await this.#orLose(run)
    // A turn that says nothing at its end is no less an end: from here on the session is idle.
    this.#idle.activity()
    const line = turn.summary.toLogLine(await run, log.level as LogLevel, redactor)
    log.info({ turnId: turn.turnId, ...line }, 'turn ended')
  }

  async #ask(turn: Turn) {
    const { agent, promptMedia } = this.#options
    // Cancelled while it waited for the agent to come back.
    if (turn.isCancelled) return { stopReason: 'cancelled' }
    turn.markSent()
    try {
      turn.summary.frame('out', 'request')
      const result = await agent.prompt(await promptMedia.restore(turn.prompt))
      turn.summary.frame('in', 'response')
      return result
    } finally {
      this.#updates.flush()
    }
  }

  #receiveUpdate(update: SessionUpdate, chunks: number): void {
    this.#silence.sound()
    this.#idle.activity()
    this.#updates.receive(update, chunks)
  }

  /** What the agent said before it asks comes before the question. */
  #beforeAsking(): { turnId: string | undefined } | undefined {
    const turn = this.#turns.running
    if (this.#ending !== undefined || turn?.isCancelled) return undefined
    this.#updates.flush()
    turn?.summary.frame('in', 'request')
    return { turnId: turn?.turnId }
  }

  /** The agent did not answer `session/cancel`. */
  #replaceAgent(turn: Turn): void {
    const { agent, log } = this.#options
    if (!turn.isSent) return
    log.warn({ turnId: turn.turnId }, 'the agent did not answer session/cancel')
    if (this.#ending) logRejection(log, 'stopping the agent', agent.endProcess())
    else agent.replace()
  }

  #isWaiting(): boolean {
    return this.decisions.openCount > 0 || this.#options.agent.isInTerminal
  }

  #endIdle(): void {
    const { log, limits } = this.#options
    log.info({ idleTimeoutMs: limits.idleTimeoutMs }, 'nothing happened for a while; completing')
    logRejection(log, 'completing', this.end({ status: 'completed', reason: 'idle_timeout' }))
  }
}
