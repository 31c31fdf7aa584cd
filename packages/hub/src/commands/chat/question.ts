// A question of the agent at the terminal: a form that is filled in field by field, or an address to open.
import { type AgentSession, type ChatEvent, type ChatEventOf, ClientError } from '@quayside/client'
import { escapeInvisible, type QuestionField, readQuestionFields } from '@quayside/protocol'
import { oneLine } from '../io/one-line.js'
import type { ChatPrinter } from './printer.js'
import { describeField, readFieldAnswer } from './question-answer.js'

type Question = ChatEventOf<'question'>

const DECLINE = '/decline'
const CANCEL = '/cancel'
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['accept', 'accepted'],
  ['decline', 'declined'],
  ['cancel', 'dismissed'],
])

export class ChatQuestion {
  isAnsweredHere = false
  readonly #session: AgentSession
  readonly #question: Question
  readonly #printer: ChatPrinter
  readonly #fields: readonly QuestionField[]
  #content: Record<string, unknown> = {}
  #at = 0

  constructor(session: AgentSession, question: Question, printer: ChatPrinter) {
    this.#session = session
    this.#question = question
    this.#printer = printer
    this.#fields = readQuestionFields(question.requestedSchema)
  }

  show(): void {
    const { message, mode, url = '' } = this.#question
    const alternatives = `${DECLINE} to decline, ${CANCEL} to dismiss it`
    this.#printer.note(`? ${oneLine(message)}`, 'bold')
    if (mode === 'url')
      this.#printer.note(
        `  Open ${escapeInvisible(url)}\n  Press Enter when you are done there, ${alternatives}.`,
      )
    else if (this.#fields.length === 0)
      this.#printer.note(`  Press Enter to agree, ${alternatives}.`)
    else this.#printer.note(`  Press Enter for the value in brackets, ${alternatives}.`)
    this.#showField()
  }

  async readLine(line: string): Promise<void> {
    const text = line.trim()
    if (text === DECLINE) return this.#answer({ action: 'decline' })
    if (text === CANCEL) return this.#answer({ action: 'cancel' })
    const field = this.#fields[this.#at]
    if (field !== undefined) {
      const answer = readFieldAnswer(field, text)
      if ('problem' in answer) {
        this.#printer.note(`  ${answer.problem}`, 'yellow')
        return
      }
      if (answer.value !== undefined) this.#content[field.id] = answer.value
      this.#at += 1
    }
    if (this.#at < this.#fields.length) this.#showField()
    else await this.#accept()
  }

  async #accept(): Promise<void> {
    const content = this.#content
    this.#content = {}
    this.#at = 0
    try {
      await this.#answer({
        action: 'accept',
        ...(this.#question.mode !== 'url' && { content }),
      })
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'wrong_answer') throw error
      this.#printer.note(`  ${error.message} Please answer again:`, 'yellow')
      this.#showField()
    }
  }

  describeAnswer(event: ChatEvent): string {
    return event.type === 'question_resolved' ? (ANSWERS.get(event.action) ?? event.action) : ''
  }

  async #answer(answer: Parameters<AgentSession['answer']>[1]): Promise<void> {
    this.isAnsweredHere = true
    await this.#session.answer(this.#question.questionId, answer).catch((error: unknown) => {
      this.isAnsweredHere = false
      throw error
    })
  }

  #showField(): void {
    const field = this.#fields[this.#at]
    if (field !== undefined && this.#question.mode !== 'url')
      this.#printer.note(describeField(field), 'bold')
  }
}

/** The whole question as text, where it cannot be answered. */
export function describeQuestion({ message, url, requestedSchema }: Question): string {
  const fields = readQuestionFields(requestedSchema).map(describeField)
  const address = url === undefined ? [] : [`  ${escapeInvisible(url)}`]
  return [oneLine(message), ...address, ...fields].join('\n')
}
