// A running agent and its ACP connection. One reader per process passes each update to its session.
import { client, type ClientConnection } from '@agentclientprotocol/sdk'
import type { ContentBlock, StopReason } from '@quayside/protocol'
import { within } from '../../deadline.js'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { MessageHooks } from '../../message-hooks.js'
import { exitError, findAcpError } from './acp-errors.js'
import {
  AgentChild,
  type AgentChildOptions,
  type AgentEnding,
  type AgentExit,
} from '../../process/agent-child.js'
import { AgentRequests, type AskedSession, type Service } from './agent-requests.js'
import { AgentStream } from './agent-stream.js'
import { type AcpSession, readAcpSession } from './read-agent-messages.js'
import { type AgentDescription, introduce, readDescription } from './handshake.js'
import { isObject, type JsonObject } from '../../json.js'
import { type Beat, Heartbeat } from '../../process/heartbeat.js'
import type { Launch } from '../extensions/launch.js'
import { hasChunkQuirk, type Quirks } from '../extensions/quirks.js'
import type { Redactor } from '../wire/redact/redact.js'
import { type ReceiveUpdate, UpdateRouter } from './update-router.js'
import type { ProcessWire, WireLog, WireTap } from '../wire/log/wire-log.js'

/** The handlers of a session for its agent's updates and requests. */
export type AcpSessionHandlers = AskedSession & {
  readonly sessionId: string
  readonly onUpdate: ReceiveUpdate
}

export type PromptResult = { readonly stopReason: StopReason; readonly usage?: unknown }

/** The folder an ACP session works in and the MCP servers it is given. */
export type Workplace = { readonly cwd: string; readonly mcpServers: readonly JsonObject[] }

export type AgentProcessOptions = {
  readonly launch: Launch
  readonly extensionId: string
  readonly quirks: Quirks
  readonly services: readonly Service[]
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
const STDOUT_CLOSED_GRACE_MS = 2_000

export class AgentProcess {
  readonly exited: Promise<AgentExit>
  readonly updates = new UpdateRouter()
  readonly #child: AgentChild
  readonly #wire: ProcessWire
  readonly #heartbeat: Heartbeat
  readonly #connection: ClientConnection
  readonly #sessions = new Map<string, AcpSessionHandlers>()
  readonly #timeoutMs: number
  readonly #log: Log
  #isStopping = false
  #description: AgentDescription = { capabilities: {}, authMethods: [] }

  private constructor(options: AgentProcessOptions) {
    const { launch, services, redactor, log } = options
    this.#timeoutMs = options.timeoutMs
    this.#log = log
    this.#child = new AgentChild(launch, log, options.child)
    // Clients see the tail of stderr, so redact secrets.
    this.exited = this.#child.exited.then((exit) => ({
      ...exit,
      stderrTail: redactor.redact(exit.stderrTail),
    }))
    // An agent whose stdin broke cannot work. Killing it notifies its sessions.
    this.#child.stdin.on('error', (error) => {
      if (this.#isStopping || this.#child.hasExited) return
      log.error({ err: error }, 'the pipe to the agent broke')
      this.kill()
    })
    this.#wire = this.#openWire(options)
    const stream = new AgentStream(this.#child, {
      wire: this.#wire,
      redactor,
      log,
      onUpdate: (params, chunks) => this.updates.receive(params, chunks),
      joinsChunks: !hasChunkQuirk(options.quirks),
      onTooLong: () => this.#noteTooLong(),
      ...(options.hooks.hasAgentListeners && { onMessage: this.#messageHook(options) }),
    })
    this.#heartbeat = new Heartbeat({
      child: this.#child,
      lastFrameAt: () => stream.lastFrameAt,
      log,
    })
    const requests = new AgentRequests({
      find: (id) => this.#findSession(id),
      all: () => this.#sessions.values(),
      isSensitivePath: options.isSensitivePath,
      redactor,
      log,
    })
    this.#connection = requests
      .register(client({ name: 'quayside' }), services)
      .connect(stream.stream)
    // An agent that closed its stdout can no longer answer, so it is killed.
    const read = stream.read().finally(() => this.#killAfterGrace())
    logRejection(log, 'reading the agent', read)
  }

  /** Spawns and initialises the agent. Leaves no process behind when it fails. */
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

  async newSession(workplace: Workplace): Promise<AcpSession> {
    const answer = await this.request('session/new', workplace)
    const { sessionId } = answer
    if (typeof sessionId !== 'string')
      throw new HubError('agent_failed', { message: 'The agent opened a session without an id.' })
    return readAcpSession(sessionId, answer)
  }

  /** Reopens a session that the agent knows. Its replay is dropped, because the event log has it already. */
  async reopenSession(
    method: 'session/load' | 'session/resume',
    acpSessionId: string,
    workplace: Workplace,
  ): Promise<AcpSession> {
    this.updates.startReplay(acpSessionId)
    try {
      const answer = await this.request(method, { sessionId: acpSessionId, ...workplace })
      return readAcpSession(acpSessionId, answer)
    } catch (error) {
      this.updates.endReplay(acpSessionId)
      throw error
    }
  }

  /** Sends updates and requests of this ACP session to `handlers`, beginning with updates that came before this call. */
  attach(acpSessionId: string, handlers: AcpSessionHandlers): void {
    this.#sessions.set(acpSessionId, handlers)
    this.#wire.setSession(acpSessionId, handlers.sessionId)
    this.updates.attach(acpSessionId, handlers.onUpdate)
  }

  /** Ends one of several sessions; the process keeps running. Later updates of the session are dropped. */
  async closeSession(acpSessionId: string): Promise<void> {
    this.#sessions.delete(acpSessionId)
    this.updates.detach(acpSessionId)
    const { sessionCapabilities } = this.#description.capabilities
    if (!isObject(sessionCapabilities) || !isObject(sessionCapabilities['close'])) return
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
    const params = { sessionId: acpSessionId, prompt }
    const { stopReason, usage, _meta } = await this.#ask('session/prompt', params)
    // Some agents report token counts in `_meta.quota` instead of `usage`.
    const used = usage ?? (isObject(_meta) ? _meta['quota'] : undefined)
    return {
      stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn',
      ...(used === undefined || used === null ? {} : { usage: used }),
    }
  }

  async cancel(acpSessionId: string): Promise<void> {
    await this.#connection.agent.notify('session/cancel', { sessionId: acpSessionId })
  }

  /** Any other request, with a deadline. */
  request(method: string, params: JsonObject, timeoutMs = this.#timeoutMs): Promise<JsonObject> {
    return this.#ask(method, params, timeoutMs)
  }

  async stop(): Promise<AgentExit> {
    this.#isStopping = true
    await this.#child.stop()
    return this.exited
  }

  kill(): void {
    this.#child.kill()
  }

  #killAfterGrace(): void {
    const timer = setTimeout(() => this.kill(), STDOUT_CLOSED_GRACE_MS)
    void this.exited.then(() => clearTimeout(timer))
  }

  #messageHook({ hooks, extensionId }: AgentProcessOptions) {
    return (message: JsonObject) => hooks.agentMessage(message, { extensionId, pid: this.pid })
  }

  #openWire({ wireLog, extensionId, tap }: AgentProcessOptions): ProcessWire {
    const wire = wireLog.openProcess(`${extensionId}-${this.pid ?? 'none'}`, tap)
    this.#child.stderr.on('data', (text: string) => wire.stderr(text))
    void this.exited.then(() => wire.close())
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
      if (cancel.signal.aborted) throw new HubError('agent_timeout', { method, timeoutMs })
      // The reason is in the agent's error, or, if the agent died, on its stderr.
      throw (
        findAcpError(method, error, this.#description.authMethods) ??
        exitError(method, await this.exited, error)
      )
    }
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
