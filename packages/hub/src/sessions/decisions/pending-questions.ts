// The questions (ACP elicitations) for which one session's agent waits: a form to fill in, or an address to open.
import type { EventBody, EventData } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { QuestionAnswer } from '../../agents/connection/agent-requests.js'
import type { QuestionRequest } from '../../agents/connection/read-agent-messages.js'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { expiryOf, Pending, type PendingOptions } from './pending.js'

type Answered = EventData['question.answered']
type PendingQuestion = QuestionRequest & {
  readonly questionId: string
  readonly askedAt: string
  readonly expiresAt?: string
}

export class PendingQuestions {
  readonly #pending: Pending<PendingQuestion, Answered>
  readonly #timeoutMs: number
  readonly #log: Log

  constructor(options: PendingOptions & { readonly timeoutMs: number }) {
    this.#pending = new Pending(options)
    this.#timeoutMs = options.timeoutMs
    this.#log = options.log
  }

  get size(): number {
    return this.#pending.size
  }

  list(): PendingQuestion[] {
    return this.#pending.list()
  }

  async ask(
    request: QuestionRequest,
    { turnId, signal }: { turnId: string | undefined; signal: AbortSignal },
  ): Promise<QuestionAnswer> {
    const questionId = uuidv7()
    const turn = turnId === undefined ? {} : { turnId }
    const { elicitationId: _, ...shown } = request
    const expiry = expiryOf(this.#timeoutMs)
    const data = { questionId, ...turn, ...shown, ...expiry }
    const asked: EventBody = { type: 'question.asked', data }
    const item = { ...request, questionId, askedAt: new Date().toISOString(), ...expiry }
    const answered = await this.#pending.ask(
      questionId,
      { item, asked },
      {
        timeoutMs: this.#timeoutMs,
        signal,
        onTimeout: () => this.#resolve({ questionId, action: 'cancel', reason: 'timeout' }),
        onAborted: (reason) => this.#resolve({ questionId, action: 'cancel', reason }),
      },
    )
    const { action, content } = answered
    return action === 'accept' && content !== undefined ? { action, content } : { action }
  }

  /** Throws `wrong_answer` when a required field is missing; the question stays open then. */
  async answer(questionId: string, answer: QuestionAnswer, by: string): Promise<Answered> {
    const open = this.#pending.find(questionId)
    if (open === undefined) throw this.#notOpen(questionId)
    if (answer.action === 'accept') requireFields(open.requestedSchema, answer.content ?? {})
    const answered = { questionId, ...answer, reason: 'answered', by }
    if (!(await this.#resolve(answered))) throw this.#notOpen(questionId)
    return answered
  }

  /** The agent reports that the user has finished at the address it asked to open. */
  complete(elicitationId: string): void {
    const open = this.#pending.list().find((question) => question.elicitationId === elicitationId)
    if (open === undefined) return
    const { questionId } = open
    const done = this.#resolve({ questionId, action: 'accept', reason: 'completed' })
    logRejection(this.#log, 'completing a question', done)
  }

  async cancelAll(reason: string): Promise<void> {
    await Promise.all(
      this.#pending
        .ids()
        .map((questionId) => this.#resolve({ questionId, action: 'cancel', reason })),
    )
  }

  #resolve(answered: Answered): Promise<boolean> {
    const body: EventBody = { type: 'question.answered', data: answered }
    return this.#pending.resolve(answered.questionId, answered, body)
  }

  #notOpen(questionId: string): HubError {
    const answered = this.#pending.findResolution(questionId)
    return answered === undefined
      ? new HubError('question_not_found', { questionId })
      : new HubError('question_not_pending', { ...answered })
  }
}

function requireFields(schema: unknown, content: Readonly<Record<string, unknown>>): void {
  const { required } = (schema ?? {}) as { required?: unknown }
  const missing = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && content[name] === undefined)
    : []
  if (missing.length > 0)
    throw new HubError('wrong_answer', {
      message: `The answer lacks ${missing.join(', ')}.`,
      missing,
    })
}
