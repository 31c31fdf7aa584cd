// Handles an agent's requests to the hub: permissions, questions, files and terminals. Other methods answer -32601.
import { randomUUID } from 'node:crypto'
import { type client, methods, RequestError } from '@agentclientprotocol/sdk'
import type { EventData, PermissionOutcome, ToolCallContent } from '@quayside/protocol'
import type { Log } from '../../log.js'
import { type ConfinedFiles, FileAccessError } from '../../repos/files/confined-files.js'
import type { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import { isObject, type JsonObject } from '../../json.js'
import type { Quirks } from '../extensions/quirks.js'
import type { Service } from '../extensions/settings-values.js'
import type { Redactor } from '../wire/redact/redact.js'
import {
  type AuthStatus,
  type PermissionRequest,
  type QuestionRequest,
  readAuthStatus,
  readPermissionRequest,
  readQuestionRequest,
  unanswerableNotice,
} from './read-agent-messages.js'

export type QuestionAnswer = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** The parts of a session that an agent's requests need. A signal aborts when the agent withdraws its request or exits. */
export type AskedSession = {
  readonly sessionId: string
  onPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome>
  onQuestion(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>
  onQuestionDone(elicitationId: string): void
  /** Called when the agent's output has a fault. */
  onNotice(notice: EventData['notice']): void
  readonly files: ConfinedFiles
  readonly terminals: AgentTerminals
}

/** The reason why a request was aborted. */
export function whyAborted({ reason }: AbortSignal): 'withdrawn' | 'agent_exited' {
  // The SDK aborts with a RequestError after `$/cancel_request`, and with the connection's error when it closes.
  return reason instanceof RequestError ? 'withdrawn' : 'agent_exited'
}

/** Each request may hold a whole file in memory, so more at once are rejected. */
const MAX_SERVICES_AT_ONCE = 32

const INVALID_PARAMS = -32_602
const RESOURCE_NOT_FOUND = -32_002
const INTERNAL_ERROR = -32_603

type ClientApp = ReturnType<typeof client>
type FindSession = (acpSessionId: unknown) => AskedSession | undefined

export type AgentRequestsOptions = {
  readonly find: FindSession
  readonly all: () => Iterable<AskedSession>
  /** The agent has reported whether it is signed in. */
  readonly onAuthStatus: (status: AuthStatus) => void
  readonly isSensitivePath: (path: string) => boolean
  readonly quirks: Quirks
  /** For an agent that does not ask before it writes: the hub does. */
  readonly asksForWrites: boolean
  readonly redactor: Redactor
  readonly log: Log
}

export class AgentRequests {
  readonly #find: FindSession
  readonly #all: () => Iterable<AskedSession>
  readonly #onAuthStatus: (status: AuthStatus) => void
  readonly #isSensitivePath: (path: string) => boolean
  readonly #quirks: Quirks
  readonly #asksForWrites: boolean
  readonly #redactor: Redactor
  readonly #log: Log
  #servicesInUse = 0

  constructor(options: AgentRequestsOptions) {
    this.#find = options.find
    this.#all = options.all
    this.#onAuthStatus = options.onAuthStatus
    this.#isSensitivePath = options.isSensitivePath
    this.#quirks = options.quirks
    this.#asksForWrites = options.asksForWrites
    this.#redactor = options.redactor
    this.#log = options.log
  }

  /** Registers the offered methods only; the SDK answers others with "method not found". */
  register(app: ClientApp, services: readonly Service[]): ClientApp {
    app
      .onRequest(methods.client.session.requestPermission, asObject, ({ params, signal }) =>
        this.#permission(params, signal),
      )
      .onRequest('elicitation/create', asObject, ({ params, signal }) =>
        this.#question(params, signal),
      )
      .onNotification('elicitation/complete', asObject, ({ params }) => {
        // The notification has no session id, and at most one session knows the elicitation.
        const { elicitationId } = params
        if (typeof elicitationId !== 'string') return
        for (const session of this.#all()) session.onQuestionDone(elicitationId)
      })
      .onNotification('_auth/status_update', asObject, ({ params }) => {
        const status = readAuthStatus(params)
        if (status) this.#onAuthStatus(status)
      })
    if (services.includes('fs')) this.#registerFiles(app)
    if (services.includes('terminal')) this.#registerTerminals(app)
    return app
  }

  async #permission(
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<{ outcome: PermissionOutcome }> {
    const session = this.#find(params['sessionId'])
    if (session === undefined) return { outcome: { outcome: 'cancelled' } }
    const request = readPermissionRequest(params)
    if ('problem' in request) {
      session.onNotice(unanswerableNotice(request))
      throw new RequestError(INVALID_PARAMS, request.problem)
    }
    return { outcome: await session.onPermission(request, signal) }
  }

  async #question(params: JsonObject, signal: AbortSignal): Promise<QuestionAnswer> {
    const session = this.#find(params['sessionId'])
    if (session === undefined) return { action: 'cancel' }
    return session.onQuestion(readQuestionRequest(params), signal)
  }

  #registerFiles(app: ClientApp): void {
    app
      .onRequest('fs/read_text_file', asObject, ({ params }) =>
        this.#audited('fs/read_text_file', params, async ({ files }) => ({
          content: await this.#readFile(files, params),
        })),
      )
      .onRequest('fs/write_text_file', asObject, ({ params, signal }) =>
        this.#audited('fs/write_text_file', params, async (session) => {
          const { path, content } = params
          if (typeof content !== 'string')
            throw new RequestError(INVALID_PARAMS, 'content must be a string')
          const write = { path: String(path), content }
          const isAllowed = await this.#askToWrite(session, write, signal)
          await session.files.writeTextFile({ ...write, isAllowed })
          return {}
        }),
      )
  }

  async #readFile(files: ConfinedFiles, params: JsonObject): Promise<string> {
    const range = { ...numberField(params, 'line'), ...numberField(params, 'limit') }
    try {
      return await files.readTextFile({ path: String(params['path']), ...range })
    } catch (error) {
      if (this.#quirks.readsBeforeCreating && isNotFound(error)) return ''
      throw error
    }
  }

  /**
   * A file that can run code needs a permission that names it, by the path it resolves to now. So does every file of an agent
   * that does not ask.
   */
  async #askToWrite(
    session: AskedSession,
    { path, content }: { readonly path: string; readonly content: string },
    signal: AbortSignal,
  ): Promise<(location: string) => boolean> {
    const isSensitive = this.#isSensitivePath
    const asked = await session.files.locate(path)
    const needsAnswer = (location: string): boolean => this.#asksForWrites || isSensitive(location)
    if (!needsAnswer(asked)) return (location) => !isSensitive(location)
    // A file that does not exist, or cannot be read as text, is shown as new.
    const oldText = await session.files.readTextFile({ path }).catch(() => null)
    const diff = { type: 'diff', path: asked, oldText, newText: content } as const
    const title = isSensitive(asked)
      ? `Write ${asked}, which can run code or change how an agent works`
      : `Write ${asked}`
    const outcome = await session.onPermission(writeRequest(title, diff), signal)
    const isGranted = outcome.outcome === 'selected' && outcome.optionId === 'allow'
    if (this.#asksForWrites && !isGranted)
      throw new RequestError(INVALID_PARAMS, `A person rejected this write: ${asked}`)
    return (location) => !needsAnswer(location) || (isGranted && location === asked)
  }

  #registerTerminals(app: ClientApp): void {
    const onTerminal = (
      method: string,
      answer: (terminals: AgentTerminals, terminalId: string, signal: AbortSignal) => unknown,
    ): void => {
      app.onRequest(method, asObject, ({ params, signal }) =>
        this.#audited(
          method,
          params,
          async ({ terminals }) =>
            (await answer(terminals, String(params['terminalId']), signal)) ?? {},
        ),
      )
    }
    app.onRequest('terminal/create', asObject, ({ params }) =>
      this.#audited('terminal/create', params, ({ terminals }) =>
        terminals.create(terminalRequest(params)),
      ),
    )
    onTerminal('terminal/output', (terminals, id) => terminals.output(id))
    onTerminal('terminal/wait_for_exit', (terminals, id, signal) =>
      terminals.waitForExit(id, signal),
    )
    onTerminal('terminal/kill', (terminals, id) => terminals.kill(id))
    onTerminal('terminal/release', (terminals, id) => terminals.release(id))
  }

  /** Logs one line for each request, also for rejected ones, without contents. */
  async #audited<T>(
    method: string,
    params: JsonObject,
    answer: (session: AskedSession) => Promise<T>,
  ): Promise<T> {
    const { sessionId: acpSessionId, path, terminalId, command } = params
    // A command line may contain a password.
    const shown = typeof command === 'string' ? this.#redactor.redact(command) : undefined
    const session = this.#find(acpSessionId)
    const { sessionId } = session ?? {}
    const audit = { audit: true, method, sessionId, acpSessionId, path, terminalId, command: shown }
    try {
      if (session === undefined) throw new RequestError(INVALID_PARAMS, 'Unknown session id.')
      if (this.#servicesInUse >= MAX_SERVICES_AT_ONCE)
        throw new RequestError(INTERNAL_ERROR, 'Too many requests at once; wait for their answers.')
      this.#servicesInUse += 1
      const result = await answer(session).finally(() => (this.#servicesInUse -= 1))
      this.#log.info(audit, 'an agent used a service of the hub')
      return result
    } catch (error) {
      this.#log.warn({ ...audit, problem: String(error) }, 'a service was refused to an agent')
      throw toRequestError(error)
    }
  }
}

type Diff = Extract<ToolCallContent, { type: 'diff' }>

function writeRequest(title: string, diff: Diff): PermissionRequest {
  return {
    toolCall: {
      // An agent that could guess the id would send a tool call with it, and so put its own text into this request.
      toolCallId: randomUUID(),
      title,
      kind: 'edit',
      content: [diff],
      locations: [{ path: diff.path }],
    },
    options: [
      { optionId: 'allow', name: 'Allow this write', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
  }
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const { message } = error as { message?: unknown }
  const number = isNotFound(error) ? RESOURCE_NOT_FOUND : INVALID_PARAMS
  return new RequestError(number, String(message ?? error))
}

function isNotFound(error: unknown): boolean {
  return error instanceof FileAccessError && error.code === 'not_found'
}

function terminalRequest(params: JsonObject): Parameters<AgentTerminals['create']>[0] {
  const { command, args, env, cwd } = params
  return {
    command: String(command),
    ...(Array.isArray(args) ? { args: args.map(String) } : {}),
    ...(Array.isArray(env) ? { env: env.filter(isEnvVariable) } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...numberField(params, 'outputByteLimit'),
  }
}

function isEnvVariable(value: unknown): value is { name: string; value: string } {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['value'] === 'string'
}

function numberField<Name extends string>(
  params: JsonObject,
  name: Name,
): { [N in Name]?: number } {
  const value = params[name]
  return (typeof value === 'number' ? { [name]: value } : {}) as { [N in Name]?: number }
}

function asObject(params: unknown): JsonObject {
  return isObject(params) ? params : {}
}
