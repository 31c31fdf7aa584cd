// A running agent and its ACP connection. One reader per process passes each update to its session.
import { client, type ClientConnection } from '@agentclientprotocol/sdk'
import type { ContentBlock, StopReason } from '@quayside/protocol'
import { within } from '../../deadline.js'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { MessageHooks } from '../../message-hooks.js'
import { exitError, findAcpError, timeoutError } from './acp-errors.js'
import {
  AgentChild,
  type AgentChildOptions,
  type AgentEnding,
  type AgentExit,
} from '../../process/agent-child.js'
import { AgentRequests, type AskedSession } from './agent-requests.js'
import { AgentStream } from './agent-stream.js'
import { type AcpSession, type AuthStatus, readAcpSession } from './read-agent-messages.js'
import { type AgentDescription, hasSessionMethod, introduce, readDescription } from './handshake.js'
import { isObject, type JsonObject } from '../../json.js'
import type { EndCause } from '../../process/end-cause.js'
import { type Beat, Heartbeat } from '../../process/heartbeat.js'
import type { Launch } from '../extensions/launch.js'
import { hasChunkQuirk, type Quirks } from '../extensions/quirks.js'
import type { Service } from '../extensions/settings-values.js'
import type { Redactor } from '../wire/redact/redact.js'
import { type UpdateReceiver, UpdateRouter, whenRoomIn } from './update-router.js'
import type { ProcessWire, WireLog, WireTap } from '../wire/log/wire-log.js'

/** The handlers of a session for its agent's updates and requests. */
export type AcpSessionHandlers = AskedSession &
  UpdateReceiver & {
    /** Called when the agent reports that it is signed out, or signed in again. */
    onAuthChanged(status: AuthStatus): void
  }

export type PromptResult = { readonly stopReason: StopReason; readonly usage?: unknown }

/** The folder an ACP session works in and the MCP servers it is given. */
export type Workplace = { readonly cwd: string; readonly mcpServers: readonly JsonObject[] }

export type AgentProcessOptions = {
  readonly launch: Launch
  readonly extensionId: string
  readonly quirks: Quirks
  /** Texts of errors that mean a missing sign-in. */
  readonly signInErrors: readonly string[]
  readonly services: readonly Service[]
  /** True when the hub asks before each write through its service `fs`. */
  readonly asksForWrites: boolean
  /** True when a person is asked before the agent writes this path of a repository. */
  readonly isSensitivePath: (path: string) => boolean
  /** Deadline of each request, except prompts. */
  readonly timeoutMs: number
  readonly wireLog: WireLog
  readonly redactor: Redactor
  readonly log: Log
  readonly hooks: MessageHooks
  /** Aborts the start. Ignored afterwards. */
  readonly signal?: AbortSignal | undefined
  /** Receives the raw lines. */
  readonly tap?: WireTap
  readonly child?: AgentChildOptions
}

const CLOSE_SESSION_MS = 3_000
const CONNECTION_LOST_GRACE_MS = 2_000
const EXIT_REPORT_MS = 500

export class AgentProcess {
  readonly exited: Promise<AgentExit>
  readonly updates = new UpdateRouter()
  readonly #child: AgentChild
  readonly #wire: ProcessWire
  readonly #heartbeat: Heartbeat
  readonly #connection: ClientConnection
  readonly #sessions = new Map<string, AcpSessionHandlers>()
  /** The ACP sessions that are in use, also before they are attached. */
  readonly #claimed = new Set<string>()
  readonly #timeoutMs: number
  readonly #redactor: Redactor
  readonly #signInErrors: readonly string[]
  readonly #log: Log
  /** ACP sessions whose prompt was cancelled by the hub. */
  readonly #cancelled = new Set<string>()
  #isStopping = false
  #endCause: EndCause | undefined
  #authStatus: AuthStatus | undefined
  #description: AgentDescription = { capabilities: {}, authMethods: [] }

  private constructor(options: AgentProcessOptions) {
    const { launch, services, redactor, log } = options
    this.#timeoutMs = options.timeoutMs
    this.#redactor = redactor
    this.#signInErrors = options.signInErrors
    this.#log = log
    this.#child = new AgentChild(launch, log, options.child)
    // Clients see the tail of stderr, so redact secrets.
    this.exited = this.#child.exited.then((exit) => ({
      ...exit,
      stderrTail: redactor.redact(exit.stderrTail),
      ...this.#causeOf(exit),
    }))
    this.#child.stdin.on('error', (error) => this.#onPipeBroken(error))
    this.#wire = this.#openWire(options)
    const stream = new AgentStream(this.#child, {
      wire: this.#wire,
      redactor,
      log,
      onUpdate: (params, chunks) => this.updates.receive(params, chunks),
      whenRoom: () => whenRoomIn(this.#sessions.values()),
      joinsChunks: !hasChunkQuirk(options.quirks),
      onTooLong: () => this.#noteTooLong(),
      ...(options.hooks.hasAgentListeners && { onMessage: this.#messageHook(options) }),
    })
    const lastFrameAt = (): number | undefined => stream.lastFrameAt
    this.#heartbeat = new Heartbeat({ child: this.#child, lastFrameAt, log })
    const requests = new AgentRequests({
      find: (id) => this.#findSession(id),
      all: () => this.#sessions.values(),
      onAuthStatus: (status) => this.#noteAuthStatus(status),
      isSensitivePath: options.isSensitivePath,
      quirks: options.quirks,
      asksForWrites: options.asksForWrites,
      redactor,
      log,
    })
    this.#connection = requests
      .register(client({ name: 'quayside' }), services)
      .connect(stream.stream)
    const read = stream.read().finally(() => void this.#exitAfterLoss())
    logRejection(log, 'reading the agent', read)
    // Not at the exit alone: a child of the agent may write on.
    void Promise.allSettled([read, this.exited]).then(() => this.#wire.close())
  }

  /** Spawns and initialises the agent. Leaves no process behind when it fails. Throws the reason of an aborted `signal`. */
  static async start(options: AgentProcessOptions): Promise<AgentProcess> {
    const { signal } = options
    signal?.throwIfAborted()
    const agent = new AgentProcess(options)
    const kill = (): void => agent.kill()
    signal?.addEventListener('abort', kill)
    try {
      const introduction = introduce(options.services)
      agent.#description = readDescription(await agent.request('initialize', introduction))
      return agent
    } catch (error) {
      await agent.stop()
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', kill)
    }
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Liveness, memory, and the age of the last frame. */
  get health(): Beat {
    return this.#heartbeat.read()
  }

  /** Resolves when the whole process tree has ended. */
  get ending(): Promise<AgentEnding> {
    return this.#child.ending
  }

  get description(): AgentDescription {
    return this.#description
  }

  /** Set when the agent has reported that it is not signed in; most agents report nothing. */
  get signedOut(): AuthStatus | undefined {
    return this.#authStatus?.signedIn === false ? this.#authStatus : undefined
  }

  /** With a `sessionId`, a fork of that session, which the agent knows. */
  async newSession(wanted: Workplace & { readonly sessionId?: string }): Promise<AcpSession> {
    const method = wanted.sessionId === undefined ? 'session/new' : 'session/fork'
    const answer = await this.request(method, wanted)
    const { sessionId } = answer
    if (typeof sessionId !== 'string')
      throw new HubError('agent_failed', { message: 'The agent opened a session without an id.' })
    this.#claim(sessionId)
    return readAcpSession(sessionId, answer)
  }

  /** Reopens a session that the agent knows. Its replay is dropped, because the event log has it already. */
  async reopenSession(
    method: 'session/load' | 'session/resume',
    acpSessionId: string,
    workplace: Workplace,
  ): Promise<AcpSession> {
    this.#claim(acpSessionId)
    this.updates.startReplay(acpSessionId)
    try {
      const answer = await this.request(method, { sessionId: acpSessionId, ...workplace })
      return readAcpSession(acpSessionId, answer)
    } catch (error) {
      this.updates.endReplay(acpSessionId)
      this.#claimed.delete(acpSessionId)
      throw error
    }
  }

  /** Sends updates and requests of this ACP session to `handlers`, beginning with updates that came before this call. */
  attach(acpSessionId: string, handlers: AcpSessionHandlers): void {
    this.#sessions.set(acpSessionId, handlers)
    this.#wire.setSession(acpSessionId, handlers.sessionId)
    this.updates.attach(acpSessionId, handlers.onUpdate)
    if (this.signedOut) handlers.onAuthChanged(this.signedOut)
  }

  /** Ends one of several sessions; the process keeps running. Later updates of the session are dropped. */
  async closeSession(acpSessionId: string): Promise<void> {
    this.#sessions.delete(acpSessionId)
    this.#claimed.delete(acpSessionId)
    this.#cancelled.delete(acpSessionId)
    this.updates.detach(acpSessionId)
    if (!hasSessionMethod(this.#description, 'close')) return
    try {
      await this.#ask('session/close', { sessionId: acpSessionId }, CLOSE_SESSION_MS)
    } catch (error) {
      this.#log.warn({ err: error, acpSessionId }, 'the agent could not close its session')
    }
  }

  /** The hub's ids of the sessions that use this process. */
  get sessionIds(): readonly string[] {
    return [...this.#sessions.values()].map(({ sessionId }) => sessionId)
  }

  /** Resolves when the turn has ended. No deadline: a turn may take hours. */
  async prompt(acpSessionId: string, prompt: readonly ContentBlock[]): Promise<PromptResult> {
    this.updates.endReplay(acpSessionId)
    this.#cancelled.delete(acpSessionId)
    const params = { sessionId: acpSessionId, prompt }
    const { stopReason, usage, _meta } = await this.#ask('session/prompt', params)
    if (stopReason === 'cancelled' && !this.#cancelled.has(acpSessionId)) await this.#requireAlive()
    // Some agents report token counts in `_meta.quota` instead of `usage`.
    const used = usage ?? (isObject(_meta) ? _meta['quota'] : undefined)
    return {
      stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn',
      ...(used === undefined || used === null ? {} : { usage: used }),
    }
  }

  async cancel(acpSessionId: string): Promise<void> {
    this.#cancelled.add(acpSessionId)
    await this.#connection.agent.notify('session/cancel', { sessionId: acpSessionId })
  }

  /** Any other request, with a deadline. */
  request(method: string, params: JsonObject, timeoutMs = this.#timeoutMs): Promise<JsonObject> {
    return this.#ask(method, params, timeoutMs)
  }

  /** With a `cause`, sessions that still need the process end with it. */
  async stop(cause?: EndCause): Promise<AgentExit> {
    if (!this.#isStopping) this.#endCause ??= cause
    this.#isStopping = true
    await this.#child.stop()
    return this.exited
  }

  kill(cause?: EndCause): void {
    if (!this.#isStopping) this.#endCause ??= cause
    this.#child.kill()
  }

  /** An agent that dies by itself breaks its pipe too: only the hub's SIGKILL, or its stop, has the hub's cause. */
  #causeOf({ signal, cause = this.#endCause }: AgentExit): Pick<AgentExit, 'cause'> {
    const isEndedByHub = this.#isStopping || signal === 'SIGKILL'
    return isEndedByHub && cause !== undefined ? { cause } : {}
  }

  /** An agent whose stdin broke cannot work. Killing it notifies its sessions. */
  #onPipeBroken(error: Error): void {
    if (this.#isStopping || this.#child.hasExited) return
    const [sessionId, ...others] = this.sessionIds
    const sessions = others.length === 0 ? { sessionId } : { sessionIds: this.sessionIds }
    this.#log.error({ err: error, ...sessions }, 'the pipe to the agent broke')
    this.kill('pipe_broken')
  }

  /** The agent closed its stdout, or a request could not be written: it has exited, or can no longer answer and is killed. */
  async #exitAfterLoss(): Promise<AgentExit> {
    const exit = await within(this.exited, CONNECTION_LOST_GRACE_MS)
    if (exit) return exit
    this.kill('pipe_broken')
    return this.exited
  }

  /** A child of a killed agent may answer in its place (Qwen Code 0.24 "cancelled"), just before the exit is known. */
  async #requireAlive(): Promise<void> {
    if (await this.#child.exitsWithin(EXIT_REPORT_MS))
      throw exitError('session/prompt', await this.exited, undefined)
  }

  #messageHook({ hooks, extensionId }: AgentProcessOptions) {
    return (message: JsonObject) => hooks.agentMessage(message, { extensionId, pid: this.pid })
  }

  #openWire({ wireLog, extensionId, tap }: AgentProcessOptions): ProcessWire {
    const wire = wireLog.openProcess(`${extensionId}-${this.pid ?? 'none'}`, tap)
    this.#child.stderr.on('data', (text: string) => wire.stderr(text))
    return wire
  }

  async #ask(method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    // On timeout the hub sends `$/cancel_request` and ignores the reply.
    const cancel = new AbortController()
    const options = { cancellationSignal: cancel.signal }
    const answer = this.#connection.agent.request(method, params, options)
    try {
      const result = await (timeoutMs === undefined
        ? answer
        : within(answer, timeoutMs, () => cancel.abort()))
      cancel.signal.throwIfAborted()
      return isObject(result) ? result : {}
    } catch (error) {
      if (cancel.signal.aborted) throw timeoutError(method, timeoutMs)
      // The reason is in the agent's error, or, if the agent died, on its stderr.
      throw (
        findAcpError(error, {
          method,
          authMethods: this.#description.authMethods,
          signInErrors: this.#signInErrors,
          redactor: this.#redactor,
        }) ?? exitError(method, await this.#exitAfterLoss(), error)
      )
    }
  }

  /** Two sessions with one id would receive each other's updates. */
  #claim(acpSessionId: string): void {
    if (this.#claimed.has(acpSessionId))
      throw new HubError('agent_failed', {
        message:
          'The agent opened a session with the id of another one that is in use. End that session first, or use an agent that gives each session its own id.',
        acpSessionId,
      })
    this.#claimed.add(acpSessionId)
  }

  /** The status is of the process, not of one session. */
  #noteAuthStatus(status: AuthStatus): void {
    const isChanged = status.signedIn === (this.signedOut !== undefined)
    this.#authStatus = status
    if (!isChanged) return
    for (const session of this.#sessions.values()) session.onAuthChanged(status)
  }

  /** An oversized line cannot be attributed, so every session is warned. */
  #noteTooLong(): void {
    const message =
      'The agent wrote a line of more than 16 MiB, which is the limit. The line was skipped; part of the answer may be missing.'
    for (const session of this.#sessions.values())
      session.onNotice({ severity: 'warning', code: 'line_too_long', message })
  }

  /** Some requests have no session id. They are attributed if the process has a single session. */
  #findSession(acpSessionId: unknown): AcpSessionHandlers | undefined {
    if (typeof acpSessionId === 'string') return this.#sessions.get(acpSessionId)
    return this.#sessions.size === 1 ? [...this.#sessions.values()][0] : undefined
  }
}
