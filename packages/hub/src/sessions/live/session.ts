// A live session: takes commands and gives them to its turns, its agent and its open decisions.
import type {
  ContentBlock,
  EventBody,
  EventData,
  PromptAccepted,
  SessionEvent,
} from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import type { Quirks } from '../../agents/extensions/quirks.js'
import type { Redactor } from '../../agents/wire/redact/redact.js'
import { type Log, logRejection } from '../../log.js'
import type { MessageHooks } from '../../message-hooks.js'
import type { MaybePromise } from '../../store/maybe-promise.js'
import type { ConfinedFiles } from '../../repos/files/confined-files.js'
import type { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import { Decisions } from '../decisions/decisions.js'
import type { PermissionRules } from '../decisions/permission-rules.js'
import type { LogEndDeps } from '../log/close-log.js'
import type { PutMedia } from '../media/data-uri-offloader.js'
import type { PromptMedia } from '../media/prompt-media.js'
import { IdleWatch } from './idle-watch.js'
import type { AgentSetup } from './agent-setup.js'
import type { SessionAgent } from './session-agent.js'
import { type EndRequest, SessionEnd } from './session-end.js'
import type { Cancelled, LiveTurnDeps, Turn } from './turn.js'
import { type KnownTurns, TurnQueue } from './turn-queue.js'
import { UpdateRecorder } from './update-recorder.js'

export type LiveSessionDeps = LogEndDeps & {
  readonly id: string
  /** The registration of this hub that the session began under: its events are refused after another one. */
  readonly hubId: string | undefined
  readonly agent: SessionAgent
  readonly append: (body: EventBody) => Promise<SessionEvent>
  readonly quirks: Quirks
  readonly putMedia: PutMedia
  readonly hooks: MessageHooks
  readonly promptMedia: PromptMedia
  readonly redactor: Redactor
  readonly files: ConfinedFiles
  readonly policy: PermissionRules
  readonly limits: SessionLimits
  /** Keeps the work tree before each turn, which waits for it. */
  readonly prepareWorkTree: LiveTurnDeps['prepareWorkTree']
  /** Of a session that is resumed. */
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
  /** Send it at once: the running turn is cancelled. */
  readonly now?: boolean | undefined
}

/** Without a `turnId` the running turn is meant. */
export type Cancel = Cancelled & { readonly turnId?: string | undefined }

export class Session {
  readonly id: string
  readonly decisions: Decisions
  readonly #deps: LiveSessionDeps
  readonly #recorder: UpdateRecorder
  readonly #turns: TurnQueue
  readonly #idle: IdleWatch
  readonly #end: SessionEnd

  constructor(deps: LiveSessionDeps) {
    const { id, limits, log } = deps
    this.id = id
    this.#deps = deps
    this.#recorder = new UpdateRecorder({
      ...deps,
      silenceMs: limits.promptSilenceMs,
      isWaiting: () => this.#isWaiting(),
      onActivity: () => this.#idle.noteActivity(),
      onNotStored: () => this.#end.failStorage(),
    })
    this.decisions = new Decisions({
      ...deps,
      timeoutMs: limits.permissionTimeoutMs,
      onTimeout: () =>
        logRejection(
          log,
          'cancelling after a timeout',
          this.cancel({ reason: 'decision_timeout' }),
        ),
      beforeAsking: () => this.#beforeAsking(),
      mergeCall: (fields) => this.#recorder.mergeCall(fields),
      // The agent can go on: its silence counts from here.
      afterAsking: () => this.#recorder.noteActivity(),
    })
    this.#turns = new TurnQueue({
      ...deps,
      recorder: this.#recorder,
      sessionState: () => this.#end.state,
      onNotStored: () => this.#end.failStorage(),
    })
    this.#idle = new IdleWatch({
      limitMs: limits.idleTimeoutMs,
      isBusy: () => !this.#turns.isIdle || this.#isWaiting(),
      onIdle: () => this.#endIdle(),
    })
    this.#end = new SessionEnd({
      ...deps,
      turns: this.#turns,
      decisions: this.decisions,
      idle: this.#idle,
      cancelTurn: (by) => this.cancel({ by }),
    })
    this.#attachAgent()
    this.#turns.startNext()
  }

  /** Undefined while the session is active. Rejects when the end could not be stored at once; the hub then retries. */
  get ended(): Promise<void> | undefined {
    return this.#end.ended
  }

  get isWorking(): boolean {
    return this.#turns.running !== undefined
  }

  /** Since when it neither works nor waits for a person, by the monotonic clock; undefined while it does. */
  get idleSince(): number | undefined {
    const isIdle = this.ended === undefined && this.#turns.isIdle && !this.#isWaiting()
    return isIdle ? this.#idle.lastActivityAt : undefined
  }

  /** Its agent gets the conversation with the next prompt. */
  get isUnprimed(): boolean {
    return this.#deps.agent.isUnprimed
  }

  /** The terminals of its agent. */
  get terminals(): AgentTerminals | undefined {
    return this.#deps.agent.terminals
  }

  get queue(): readonly Turn[] {
    return this.#turns.list()
  }

  /** Resolves when the prompt is committed. Idempotent by `turnId`; another content with the same id is refused. */
  prompt(prompt: readonly ContentBlock[], by: string, turnId?: string): Promise<PromptAccepted> {
    this.#end.requireActive()
    this.#idle.noteActivity()
    return this.#turns.accept(this.#receive(prompt, by), by, turnId)
  }

  /** For clients that cannot know which content the agent accepts. */
  quoteFiles(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    return this.#deps.agent.quoteFiles(prompt)
  }

  async editQueued(turnId: string, { prompt, before, now }: QueueEdit, by: string): Promise<void> {
    const offloaded = prompt && (await this.#receive(prompt, by))
    const next = now ? this.queue[0]?.turnId : before
    await this.#turns.edit(turnId, {
      prompt: offloaded,
      before: next === turnId ? undefined : next,
    })
    if (!now) return
    // Sent now means: instead of the running turn, and despite a pause.
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
    const { agent, append } = this.#deps
    this.#end.requireActive()
    const result = await agent.setOption(optionId, value).catch((error: unknown) => {
      // An agent that was stopped meanwhile has not failed.
      this.#end.requireActive()
      throw error
    })
    const set = { optionId, value, ...result, by }
    await append({ type: 'option.set', data: set })
    return set
  }

  /** Rules apply from now on, also to open permissions. Another launch, folder or server restarts the agent when its turn is over. */
  changeSettings(settings: SessionSettings, setup: AgentSetup): void {
    const { agent, policy, log } = this.#deps
    policy.replace(settings.permissions)
    logRejection(log, 'applying the rules', this.decisions.permissions.applyRules())
    if (agent.changeSetup(setup, this.#turns.running?.ended))
      log.info('the settings changed; restarting the agent')
    // Saved settings start an agent that has not been started yet.
    logRejection(log, 'starting the agent', agent.ready())
  }

  /** Stops the running turn, or only the named one; the session stays active. Resolves when the turn has ended. */
  async cancel({ turnId, ...cancelled }: Cancel = {}): Promise<void> {
    const turn = this.#turns.running
    if (turn === undefined || (turnId ?? turn.turnId) !== turn.turnId) return
    const { agent, limits } = this.#deps
    turn.markCancelled(cancelled)
    // ACP requires an answer to every open request before a cancelled turn may end.
    await this.#end.orFailStorage(this.decisions.cancelAll('turn_cancelled'))
    await turn.interrupt(limits.cancelGraceMs)
    await agent.ready()
  }

  /** Cancels a running turn and removes a waiting one. A turn that is over is left alone. */
  async cancelTurn(turnId: string, by: string): Promise<void> {
    if (this.#turns.running?.turnId === turnId) await this.cancel({ by })
    else if (this.queue.some((turn) => turn.turnId === turnId)) await this.removeQueued(turnId, by)
  }

  /** Cancels the running turn, ends the agent and the session. Idempotent: a second call waits for the same end. */
  end(request: EndRequest): Promise<void> {
    return this.#end.request(request)
  }

  /**
   * The prompt as it is stored. Every client's prompt comes through here, so that no middleware can be bypassed.
   * Throws when the agent does not accept it.
   */
  #receive(prompt: readonly ContentBlock[], by: string): MaybePromise<readonly ContentBlock[]> {
    const { agent, hooks, promptMedia } = this.#deps
    const passed = hooks.prompt(prompt, { by, sessionId: this.id })
    agent.requireAccepted(passed)
    return promptMedia.offload(passed)
  }

  #attachAgent(): void {
    const { id, agent, eventLog, files } = this.#deps
    agent.attach({
      handlers: {
        sessionId: id,
        onUpdate: (update, chunks) => this.#recorder.receive(update, chunks),
        whenRoom: () => eventLog.whenRoom(id),
        onNotice: (notice) => this.#recorder.note(notice),
        onAuthChanged: (status) => this.#recorder.noteAuth(status),
        ...this.decisions.requestHandlers(),
        files,
      },
      isEnding: () => this.#end.ended !== undefined,
      onExit: (exit) => this.#end.agentExited(exit),
      onFailedStart: (error) => this.#end.agentNotStarted(error),
    })
  }

  /** Undefined when the agent may not ask any more. The text before a request is stored before it. */
  #beforeAsking(): { turnId: string | undefined } | undefined {
    const turn = this.#turns.running
    if (this.#end.ended !== undefined || turn?.isCancelled) return undefined
    this.#recorder.flush()
    turn?.summary.frame('in', 'request')
    return { turnId: turn?.turnId }
  }

  #isWaiting(): boolean {
    return this.decisions.openCount > 0 || this.#deps.agent.isInTerminal
  }

  #endIdle(): void {
    const { log, limits } = this.#deps
    log.info({ idleTimeoutMs: limits.idleTimeoutMs }, 'idle timeout; completing the session')
    const end = this.end({ status: 'completed', reason: 'idle_timeout' })
    logRejection(log, 'completing the session', end)
  }
}
