// Forwards open permissions and questions of a session to one ACP client. The first answer from any client counts; the others are withdrawn.
import type { AgentContext, ClientCapabilities } from '@agentclientprotocol/sdk'
import type {
  PendingPermission,
  PendingQuestion,
  PermissionOption,
  PermissionOutcome,
  SessionEvent,
} from '@quayside/protocol'
import type { QuestionAnswer } from '../agents/connection/agent-requests.js'
import { isObject } from '../json.js'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { type MaybePromise, whenReady } from '../store/maybe-promise.js'
import type { AcpSession } from './acp-session.js'
import { type FindMedia, withMedia } from './stored-media.js'
import type { SessionView } from './session-view.js'

export type ForwardedQuestionsOptions = {
  readonly sessionId: string
  readonly findSession: () => MaybePromise<AcpSession | undefined>
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly view: SessionView
  readonly media: FindMedia
  readonly by: string
  readonly log: Log
}

const ACP_KINDS: ReadonlySet<string> = new Set([
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
])

export class ForwardedQuestions {
  readonly #options: ForwardedQuestionsOptions
  /** By the id of a permission or question; aborting withdraws it with `$/cancel_request`. */
  readonly #open = new Map<string, AbortController>()
  /** A list of open ones that is still on its way may contain them. */
  readonly #over = new Set<string>()

  constructor(options: ForwardedQuestionsOptions) {
    this.#options = options
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'permission.requested':
      case 'question.asked':
        return this.askAll()
      case 'permission.resolved':
        return this.#withdraw(event.data.permissionId)
      case 'question.answered':
        return this.#withdraw(event.data.questionId)
    }
  }

  /** Asks everything that is open and was not sent to this client yet. */
  askAll(): void {
    // At once for a session of this hub.
    const asked = whenReady(
      this.#options.findSession(),
      (session) => session && this.#askOf(session),
    )
    logRejection(this.#options.log, 'asking an ACP client', Promise.resolve(asked))
  }

  #askOf(session: AcpSession): MaybePromise<void> {
    const { permissions, questions } = session.decisions
    const asked = whenReady(permissions.list(), (open) => {
      for (const permission of open)
        this.#ask(permission.permissionId, (signal) =>
          this.#askPermission(session, permission, signal),
        )
    })
    return whenReady(asked, () =>
      whenReady(questions.list(), (open) => {
        for (const question of open)
          if (this.#offers(question.mode))
            this.#ask(question.questionId, (signal) => this.#askQuestion(session, question, signal))
      }),
    )
  }

  /** Withdraws everything from this client; others can still answer. */
  close(): void {
    for (const id of this.#open.keys()) this.#withdraw(id)
  }

  #ask(id: string, ask: (signal: AbortSignal) => Promise<void>): void {
    if (this.#open.has(id) || this.#over.has(id)) return
    const withdrawn = new AbortController()
    this.#open.set(id, withdrawn)
    logRejection(this.#options.log, 'asking an ACP client', ask(withdrawn.signal))
  }

  #withdraw(id: string): void {
    this.#over.add(id)
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }

  async #askPermission(
    session: AcpSession,
    { permissionId, toolCall, options }: PendingPermission,
    signal: AbortSignal,
  ): Promise<void> {
    const { view, media } = this.#options
    const params = {
      toolCall: await withMedia(view.show(toolCall), media),
      options: options.map(withAcpKind),
      _meta: { quayside: { permissionId } },
    }
    const answer = await this.#request('session/request_permission', params, signal)
    const outcome = readOutcome(answer)
    if (outcome === undefined) return
    await this.#settle(
      session.decisions.permissions.answer(permissionId, outcome, this.#options.by),
    )
  }

  async #askQuestion(
    session: AcpSession,
    question: PendingQuestion,
    signal: AbortSignal,
  ): Promise<void> {
    const { questionId, message, mode, requestedSchema, url } = question
    const params = {
      message,
      mode,
      ...(mode === 'url'
        ? { url, elicitationId: question.elicitationId ?? questionId }
        : { requestedSchema }),
      _meta: { quayside: { questionId } },
    }
    const answer = readAnswer(await this.#request('elicitation/create', params, signal))
    if (answer === undefined) return
    await this.#settle(session.decisions.questions.answer(questionId, answer, this.#options.by))
  }

  /** Undefined when the client did not answer: it cannot, it disconnected, or another answer came first. */
  async #request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const { client, sessionId, log } = this.#options
    // Another client may have answered while the request was prepared.
    if (signal.aborted) return undefined
    try {
      const options = { cancellationSignal: signal, stopWaitingOnCancel: true }
      return await client.request(method, { sessionId, ...params }, options)
    } catch (error) {
      if (!signal.aborted) log.debug({ err: error, method }, 'an ACP client did not answer')
      return undefined
    }
  }

  /** An answer that is late or not among the options is logged and ignored. */
  async #settle(answered: Promise<unknown>): Promise<void> {
    try {
      await answered
    } catch (error) {
      if (!(error instanceof HubError) || error.status >= 500) throw error
      this.#options.log.info({ code: error.code }, 'the answer of an ACP client was rejected')
    }
  }

  #offers(mode: string): boolean {
    const { elicitation } = this.#options.capabilities
    return Boolean(mode === 'url' ? elicitation?.url : elicitation?.form)
  }
}

/** ACP's kinds are a closed list for clients. An unknown kind must not look like an approval. */
function withAcpKind(option: PermissionOption): PermissionOption {
  return ACP_KINDS.has(option.kind) ? option : { ...option, kind: 'reject_once' }
}

function readOutcome(answer: unknown): PermissionOutcome | undefined {
  const outcome = isObject(answer) ? answer['outcome'] : undefined
  if (!isObject(outcome)) return undefined
  const { outcome: kind, optionId } = outcome
  if (kind === 'selected' && typeof optionId === 'string') return { outcome: kind, optionId }
  return kind === 'cancelled' ? { outcome: kind } : undefined
}

function readAnswer(answer: unknown): QuestionAnswer | undefined {
  if (!isObject(answer)) return undefined
  const { action, content } = answer
  if (action === 'accept') return { action, ...(isObject(content) ? { content } : {}) }
  return action === 'decline' || action === 'cancel' ? { action } : undefined
}
