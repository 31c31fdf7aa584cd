// A running agent and its ACP connection. One reader per process hands each update to the session it belongs to.
import { client, type ClientConnection } from '@agentclientprotocol/sdk'
import type { ContentBlock, EventData, StopReason } from '@quayside/protocol'
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
import { isObject, type JsonObject } from '../wire/frames.js'
import { type Beat, Heartbeat } from '../../process/heartbeat.js'
import type { Launch } from '../extensions/launch.js'
import { hasChunkQuirk, type Quirks } from '../extensions/quirks.js'
import type { Redactor } from '../wire/redact.js'
import { type ReceiveUpdate, UpdateRouter } from './update-router.js'
import type { ProcessWire, WireLog, WireTap } from '../wire/wire-log.js'

/** What an agent asks of, and tells, the session it works for. */
export type AcpSessionHandlers = AskedSession & {
  readonly sessionId: string
  readonly onUpdate: ReceiveUpdate
  /** Something is wrong with what the agent writes. */
  onNotice(notice: EventData['notice']): void
}

export type PromptResult = { readonly stopReason: StopReason; readonly usage?: unknown }

/** The folder an ACP session works in and the MCP servers it is given. */
export type Workplace = { readonly cwd: string; readonly mcpServers: readonly JsonObject[] }

export type AgentProcessOptions = {
  readonly launch: Launch
  readonly extensionId: string
  readonly quirks: Quirks
  readonly services: readonly Service[]
  /** How long any request but a prompt may take. */
  readonly timeoutMs: number
  readonly wireLog: WireLog
  readonly redactor: Redactor
  readonly log: Log
  readonly hooks: MessageHooks
  /** Aborts the start; afterwards it means nothing. */
  readonly signal?: AbortSignal | undefined
  /** Hears the raw lines. */
  readonly tap?: WireTap
  readonly child?: AgentChildOptions
}

const CLOSE_SESSION_MS = 3_000
const LAST_WORDS_MS = 2_000

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
    // What an agent says when it dies is shown to people: without secrets.
    this.exited = this.#child.exited.then((exit) => ({
      ...exit,
      stderrTail: redactor.redact(exit.stderrTail),
    }))
    // An agent that can no longer hear is of no use, and its session has to know.
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
      redactor,
      log,
    })
    this.#connection = requests
      .register(client({ name: 'quayside' }), services)
      .connect(stream.stream)
    // One that closed its stdout and stays can no longer answer.
    const read = stream.read().finally(() => this.#endSoon())
    logRejection(log, 'reading the agent', read)
  }

  /** Spawns the agent and initialises it. When that fails, no process stays. */
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

  /** How the process is: alive, memory, age of its last frame. */
  get health(): Beat {
    return this.#heartbeat.read()
  }

  /** Resolves after the last of what it started has gone too. */
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

  /** Opens a session the agent knows. What it replays of it is in our log already and is left out. */
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

  /** From here on updates and questions of this ACP session go to `handlers`; early ones are handed over first. */
  attach(acpSessionId: string, handlers: AcpSessionHandlers): void {
    this.#sessions.set(acpSessionId, handlers)
    this.#wire.setSession(acpSessionId, handlers.sessionId)
    this.updates.attach(acpSessionId, handlers.onUpdate)
  }

  /** Ends one of several sessions; the process goes on. What still comes of it is nobody's. */
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

  /** Our ids of the sessions it works for. */
  get sessionIds(): readonly string[] {
    return [...this.#sessions.values()].map(({ sessionId }) => sessionId)
  }

  /** Resolves when the turn has ended; there is no deadline, because a turn may take hours. */
  async prompt(acpSessionId: string, prompt: readonly ContentBlock[]): Promise<PromptResult> {
    this.updates.endReplay(acpSessionId)
    const params = { sessionId: acpSessionId, prompt }
    const { stopReason, usage, _meta } = await this.#ask('session/prompt', params)
    // Gemini CLI 0.61 counts its tokens in `_meta.quota`.
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

  #endSoon(): void {
    const timer = setTimeout(() => this.kill(), LAST_WORDS_MS)
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
      // An agent that answered with an error says why in it; one that died said why on stderr.
      throw (
        findAcpError(method, error, this.#description.authMethods) ??
        exitError(method, await this.exited, error)
      )
    }
  }

  /** Whose line it was nobody can tell. */
  #noteTooLong(): void {
    const message =
      'The agent wrote a line that is longer than the hub takes (16 MiB). It was skipped; something of the answer may be missing.'
    for (const session of this.#sessions.values())
      session.onNotice({ severity: 'warning', code: 'line_too_long', message })
  }

  /** Some questions name no session; with a single session it is clear whose they are. */
  #findSession(acpSessionId: unknown): AcpSessionHandlers | undefined {
    if (typeof acpSessionId === 'string') return this.#sessions.get(acpSessionId)
    return this.#sessions.size === 1 ? [...this.#sessions.values()][0] : undefined
  }
}
