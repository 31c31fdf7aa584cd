// A running agent and its ACP connection. One reader per process hands each update to the session it belongs to.
import { client, type ClientConnection, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type {
  ConfigOption,
  ContentBlock,
  PermissionOption,
  PermissionOutcome,
  SessionModes,
  SessionUpdate,
  StopReason,
  ToolCallFields,
} from '@quayside/protocol'
import { HubError, messageOfError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { AgentChild, type AgentExit } from './agent-child.js'
import { AgentStream } from './agent-stream.js'
import { isObject, type JsonObject } from './frames.js'
import type { Launch } from './launch.js'

/** What an agent asks of, and tells, the session it works for. */
export type AcpSessionHandlers = {
  onUpdate(update: SessionUpdate): void
  onPermission(request: PermissionRequest): Promise<PermissionOutcome>
}

export type PermissionRequest = {
  readonly toolCall: ToolCallFields
  readonly options: readonly PermissionOption[]
}

export type AcpSession = {
  readonly acpSessionId: string
  readonly modes?: SessionModes
  readonly configOptions?: readonly ConfigOption[]
}

export type PromptResult = { readonly stopReason: StopReason; readonly usage?: unknown }

export type AgentDescription = {
  readonly agentInfo?: JsonObject
  readonly capabilities?: JsonObject
  readonly authMethods: readonly unknown[]
}

/** Updates kept for an ACP session that nobody has claimed yet (they may precede the answer to session/new). */
const MAX_UNCLAIMED = 1_000
const START_TIMEOUT_MS = 60_000
const AUTH_REQUIRED = -32_000

export class AgentProcess {
  readonly exited: Promise<AgentExit>
  readonly #child: AgentChild
  readonly #connection: ClientConnection
  readonly #sessions = new Map<string, AcpSessionHandlers>()
  readonly #unclaimed = new Map<string, SessionUpdate[]>()
  #description: AgentDescription = { authMethods: [] }

  private constructor(launch: Launch, log: Log) {
    this.#child = new AgentChild(launch, log)
    this.exited = this.#child.exited
    const stream = new AgentStream(this.#child, log, (params) => this.#receiveUpdate(params))
    this.#connection = client({ name: 'quayside' })
      .onRequest(methods.client.session.requestPermission, asObject, ({ params }) =>
        this.#askPermission(params),
      )
      .connect(stream.stream)
    logRejection(log, 'reading the agent', stream.read())
  }

  /** Spawns the agent and initialises it. When that fails, no process stays. */
  static async start(launch: Launch, log: Log): Promise<AgentProcess> {
    const agent = new AgentProcess(launch, log)
    try {
      agent.#description = await agent.#initialize()
      return agent
    } catch (error) {
      await agent.stop()
      throw error
    }
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get description(): AgentDescription {
    return this.#description
  }

  async newSession(cwd: string): Promise<AcpSession> {
    const answer = await this.#request('session/new', { cwd, mcpServers: [] }, START_TIMEOUT_MS)
    const { sessionId, modes, configOptions } = answer
    if (typeof sessionId !== 'string')
      throw new HubError('agent_failed', { message: 'The agent opened a session without an id.' })
    return {
      acpSessionId: sessionId,
      ...(isObject(modes) ? { modes: modes as unknown as SessionModes } : {}),
      ...(Array.isArray(configOptions) ? { configOptions } : {}),
    }
  }

  /** From here on updates and questions of this ACP session go to `handlers`; early ones are handed over first. */
  attach(acpSessionId: string, handlers: AcpSessionHandlers): void {
    this.#sessions.set(acpSessionId, handlers)
    for (const update of this.#unclaimed.get(acpSessionId) ?? []) handlers.onUpdate(update)
    this.#unclaimed.delete(acpSessionId)
  }

  /** Resolves when the turn has ended; there is no deadline, because a turn may take hours. */
  async prompt(acpSessionId: string, prompt: readonly ContentBlock[]): Promise<PromptResult> {
    const answer = await this.#request('session/prompt', { sessionId: acpSessionId, prompt })
    const { stopReason, usage } = answer
    return {
      stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn',
      ...(usage === undefined || usage === null ? {} : { usage }),
    }
  }

  async cancel(acpSessionId: string): Promise<void> {
    await this.#connection.agent.notify('session/cancel', { sessionId: acpSessionId })
  }

  stop(): Promise<AgentExit> {
    return this.#child.stop()
  }

  kill(): void {
    this.#child.kill()
  }

  async #initialize(): Promise<AgentDescription> {
    const answer = await this.#request(
      'initialize',
      {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'quayside', title: 'Quayside', version: '0.1.0' },
      },
      START_TIMEOUT_MS,
    )
    const { agentInfo, agentCapabilities, authMethods } = answer
    return {
      ...(isObject(agentInfo) ? { agentInfo } : {}),
      ...(isObject(agentCapabilities) ? { capabilities: agentCapabilities } : {}),
      authMethods: Array.isArray(authMethods) ? authMethods : [],
    }
  }

  async #request(method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    const answer = this.#connection.agent.request(method, params)
    try {
      const result = await (timeoutMs === undefined ? answer : within(answer, timeoutMs, method))
      return isObject(result) ? result : {}
    } catch (error) {
      throw await this.#explain(method, error)
    }
  }

  /** An agent that died says why on stderr; one that answered with an error says it in the answer. */
  async #explain(method: string, error: unknown): Promise<HubError> {
    if (error instanceof HubError) return error
    if (isObject(error) && typeof error['code'] === 'number') {
      const acp = {
        method,
        code: error['code'],
        message: messageOfError(error),
        data: error['data'],
      }
      if (acp.code === AUTH_REQUIRED)
        return new HubError('agent_auth_required', {
          methods: this.#description.authMethods,
          acp,
        })
      return new HubError('agent_failed', { message: `The agent answered: ${acp.message}`, acp })
    }
    const exit = await this.exited
    return new HubError(
      'agent_failed',
      { message: describeExit(exit), ...exit, method },
      { cause: error },
    )
  }

  #receiveUpdate(params: JsonObject): void {
    const { sessionId, update } = params
    if (typeof sessionId !== 'string' || !isObject(update)) return
    if (typeof update['sessionUpdate'] !== 'string') return
    const handlers = this.#sessions.get(sessionId)
    if (handlers) handlers.onUpdate(update as SessionUpdate)
    else this.#keepUnclaimed(sessionId, update as SessionUpdate)
  }

  #keepUnclaimed(acpSessionId: string, update: SessionUpdate): void {
    const kept = this.#unclaimed.get(acpSessionId) ?? []
    if (kept.length >= MAX_UNCLAIMED || this.#unclaimed.size >= MAX_UNCLAIMED) return
    this.#unclaimed.set(acpSessionId, [...kept, update])
  }

  async #askPermission(params: JsonObject): Promise<{ outcome: PermissionOutcome }> {
    const { sessionId, toolCall, options } = params
    const handlers = typeof sessionId === 'string' ? this.#sessions.get(sessionId) : undefined
    if (handlers === undefined || !isObject(toolCall) || !Array.isArray(options))
      return { outcome: { outcome: 'cancelled' } }
    const outcome = await handlers.onPermission({
      toolCall: toolCall as unknown as ToolCallFields,
      options: options.filter(isPermissionOption),
    })
    return { outcome }
  }
}

export function describeExit(exit: AgentExit): string {
  const how =
    exit.signal === null ? `ended with exit code ${exit.exitCode}` : `was ended by ${exit.signal}`
  const tail = exit.stderrTail.trim()
  return `The agent ${how}.${tail ? ` It last said: ${tail.slice(-500)}` : ''}`
}

function asObject(params: unknown): JsonObject {
  return isObject(params) ? params : {}
}

function isPermissionOption(option: unknown): option is PermissionOption {
  return isObject(option) && typeof option['optionId'] === 'string'
}

async function within<T>(answer: Promise<T>, timeoutMs: number, method: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HubError('agent_timeout', { method, timeoutMs })),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
