// What an agent may ask of the hub: permissions, questions, files and terminals. Everything else answers -32601.
import { type client, methods, RequestError } from '@agentclientprotocol/sdk'
import type { PermissionOutcome } from '@quayside/protocol'
import type { Log } from '../../log.js'
import { type ConfinedFiles, isSensitivePath } from '../../repos/confined-files.js'
import type { AgentTerminals } from '../../terminals/agent-terminals.js'
import { isObject, type JsonObject } from '../wire/frames.js'
import type { Redactor } from '../wire/redact.js'
import {
  type PermissionRequest,
  type QuestionRequest,
  readPermissionRequest,
  readQuestionRequest,
} from './read-agent-messages.js'

export type QuestionAnswer = {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** The side of a session that an agent talks to. Signals abort when the agent takes its question back, or goes. */
export type AskedSession = {
  onPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome>
  onQuestion(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>
  onQuestionDone(elicitationId: string): void
  readonly files: ConfinedFiles
  readonly terminals: AgentTerminals
}

/** Why nobody waits for an answer any more. */
export function whyAborted({ reason }: AbortSignal): 'withdrawn' | 'agent_exited' {
  // The SDK aborts with the request's own error after `$/cancel_request`, with that of the connection when it closes.
  return reason instanceof RequestError ? 'withdrawn' : 'agent_exited'
}

export type Service = 'fs' | 'terminal'

/** Each may hold a whole file; an agent that wants more at once is refused. */
const MAX_SERVICES_AT_ONCE = 32

const INVALID_PARAMS = -32_602
const RESOURCE_NOT_FOUND = -32_002
const INTERNAL_ERROR = -32_603

type ClientApp = ReturnType<typeof client>
type FindSession = (acpSessionId: unknown) => AskedSession | undefined

export type AgentRequestsOptions = {
  readonly find: FindSession
  readonly all: () => Iterable<AskedSession>
  readonly redactor: Redactor
  readonly log: Log
}

export class AgentRequests {
  readonly #find: FindSession
  readonly #all: () => Iterable<AskedSession>
  readonly #redactor: Redactor
  readonly #log: Log
  #servicesInUse = 0

  constructor({ find, all, redactor, log }: AgentRequestsOptions) {
    this.#find = find
    this.#all = all
    this.#redactor = redactor
    this.#log = log
  }

  /** Registers what is offered, so that what is not answers "method not found". */
  register(app: ClientApp, services: readonly Service[]): ClientApp {
    app
      .onRequest(methods.client.session.requestPermission, asObject, ({ params, signal }) =>
        this.#permission(params, signal),
      )
      .onRequest('elicitation/create', asObject, ({ params, signal }) =>
        this.#question(params, signal),
      )
      .onNotification('elicitation/complete', asObject, ({ params }) => {
        // It names no session, and its id is known to one of them at most.
        const { elicitationId } = params
        if (typeof elicitationId !== 'string') return
        for (const session of this.#all()) session.onQuestionDone(elicitationId)
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
    const request = readPermissionRequest(params)
    if (session === undefined || request === undefined) return { outcome: { outcome: 'cancelled' } }
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
          content: await files.readTextFile({
            path: String(params['path']),
            ...numberField(params, 'line'),
            ...numberField(params, 'limit'),
          }),
        })),
      )
      .onRequest('fs/write_text_file', asObject, ({ params, signal }) =>
        this.#audited('fs/write_text_file', params, async (session) => {
          const { path, content } = params
          if (typeof content !== 'string')
            throw new RequestError(INVALID_PARAMS, 'content is no text')
          const isAllowed = await askIfSensitive(session, String(path), signal)
          await session.files.writeTextFile({ path: String(path), content, isAllowed })
          return {}
        }),
      )
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
        terminals.create(terminalWish(params)),
      ),
    )
    onTerminal('terminal/output', (terminals, id) => terminals.output(id))
    onTerminal('terminal/wait_for_exit', (terminals, id, signal) =>
      terminals.waitForExit(id, signal),
    )
    onTerminal('terminal/kill', (terminals, id) => terminals.kill(id))
    onTerminal('terminal/release', (terminals, id) => terminals.release(id))
  }

  /** One line for each, refused ones too; never the contents. */
  async #audited<T>(
    method: string,
    params: JsonObject,
    answer: (session: AskedSession) => Promise<T>,
  ): Promise<T> {
    const { sessionId: acpSessionId, path, terminalId, command } = params
    // A command line may hold a password.
    const shown = typeof command === 'string' ? this.#redactor.redact(command) : undefined
    const audit = { audit: true, method, acpSessionId, path, terminalId, command: shown }
    try {
      const session = this.#find(acpSessionId)
      if (session === undefined) throw new RequestError(INVALID_PARAMS, 'There is no such session.')
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

/** Files that can run code unseen need an answer that names the file, by where the path leads now. */
async function askIfSensitive(
  session: AskedSession,
  path: string,
  signal: AbortSignal,
): Promise<(location: string) => boolean> {
  const asked = await session.files.locate(path)
  if (!isSensitivePath(asked)) return (location) => !isSensitivePath(location)
  const request = {
    toolCall: {
      toolCallId: `write:${asked}`,
      title: `Write ${asked}, which can run code or change how an agent works`,
      kind: 'edit',
      locations: [{ path: asked }],
    },
    options: [
      { optionId: 'allow', name: 'Allow this write', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
  }
  const outcome = await session.onPermission(request, signal)
  const isGranted = outcome.outcome === 'selected' && outcome.optionId === 'allow'
  return (location) => !isSensitivePath(location) || (isGranted && location === asked)
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  const number = code === 'not_found' ? RESOURCE_NOT_FOUND : INVALID_PARAMS
  return new RequestError(number, String(message ?? error))
}

function terminalWish(params: JsonObject): Parameters<AgentTerminals['create']>[0] {
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
