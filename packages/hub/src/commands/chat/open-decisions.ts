// The open permissions and questions of a session at the terminal: shown one after the other, answered line by line.
import { type AgentSession, type ChatEvent, type ChatEventOf, ClientError } from '@quayside/client'
import { describeRequest } from '../io/describe-tool.js'
import { oneLine } from '../io/one-line.js'
import type { ChatPrinter } from './printer.js'
import { ChatQuestion } from './question.js'

type Request = ChatEventOf<'permission_request'>
type Resolved = ChatEventOf<'permission_resolved'> | ChatEventOf<'question_resolved'>

/** An open permission or question. */
type Decision = {
  /** An answer was sent from this terminal. */
  readonly isAnsweredHere: boolean
  show(): void
  /** Takes a typed line. */
  readLine(line: string): Promise<void>
  describeAnswer(event: ChatEvent): string
}

export class ChatDecisions {
  readonly #session: AgentSession
  readonly #printer: ChatPrinter
  readonly #open = new Map<string, Decision>()

  constructor(session: AgentSession, printer: ChatPrinter) {
    this.#session = session
    this.#printer = printer
  }

  askPermission(request: Request): void {
    this.#add(request.permissionId, new ChatPermission(this.#session, request, this.#printer))
  }

  askQuestion(question: ChatEventOf<'question'>): void {
    this.#add(question.questionId, new ChatQuestion(this.#session, question, this.#printer))
  }

  /** Answered here, in a browser or by a rule. A note prevents that a late digit is typed as a prompt. */
  resolved(event: Resolved): void {
    const id = event.type === 'permission_resolved' ? event.permissionId : event.questionId
    const [first] = this.#open.keys()
    const decision = this.#open.get(id)
    if (decision === undefined) return
    this.#open.delete(id)
    if (first !== id) return
    if (event.by !== undefined && !decision.isAnsweredHere) {
      const answer = oneLine(decision.describeAnswer(event))
      this.#printer.note(`  Answered by ${oneLine(event.by)}: ${answer}`, 'yellow')
    }
    const [next] = this.#open.values()
    if (next) this.#show(next)
    else this.#printer.activity.resume()
  }

  /** False when there is no open decision. */
  async answer(line: string): Promise<boolean> {
    const [decision] = this.#open.values()
    if (decision === undefined) return false
    try {
      await decision.readLine(line)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.#printer.note(`  ${error.message}`, 'yellow')
    }
    return true
  }

  /** A line answers the oldest open decision. */
  #add(id: string, decision: Decision): void {
    this.#open.set(id, decision)
    if (this.#open.size === 1) this.#show(decision)
  }

  #show(decision: Decision): void {
    this.#printer.activity.pause()
    decision.show()
    this.#printer.attract('? The agent needs your decision')
  }
}

class ChatPermission implements Decision {
  isAnsweredHere = false
  readonly #session: AgentSession
  readonly #request: Request
  readonly #printer: ChatPrinter

  constructor(session: AgentSession, request: Request, printer: ChatPrinter) {
    this.#session = session
    this.#request = request
    this.#printer = printer
  }

  show(): void {
    const { toolCall, options } = this.#request
    const choices = options.map(({ name }, at) => `${at + 1} ${oneLine(name)}`).join('   ')
    this.#printer.note(`? ${describeRequest(toolCall)}`, 'bold')
    this.#printer.diffs(toolCall)
    this.#printer.note(`  ${choices}`, 'bold')
  }

  async readLine(line: string): Promise<void> {
    const { permissionId, options } = this.#request
    const text = line.trim()
    if (text === '') return
    const option = /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined
    if (option === undefined) {
      this.#printer.note(`  Answer with a number from 1 to ${options.length}.`, 'yellow')
      return
    }
    this.isAnsweredHere = true
    await this.#session.respond(permissionId, option.optionId).catch((error: unknown) => {
      this.isAnsweredHere = false
      throw error
    })
  }

  describeAnswer(event: ChatEvent): string {
    if (event.type !== 'permission_resolved' || event.outcome.outcome !== 'selected')
      return 'cancelled'
    const { optionId } = event.outcome
    return this.#request.options.find((option) => option.optionId === optionId)?.name ?? optionId
  }
}
