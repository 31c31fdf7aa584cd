// What the agent waits on while a command watches: shown to the person at the terminal, answered by the number of an option.
import { type AgentSession, type ChatEventOf, HubError } from '@quayside/client'
import { type ChatPrinter, oneLine } from './chat-printer.js'

type Request = ChatEventOf<'permission_request'>

export class ChatDecisions {
  readonly #session: AgentSession
  readonly #printer: ChatPrinter
  readonly #open = new Map<string, Request>()

  constructor(session: AgentSession, printer: ChatPrinter) {
    this.#session = session
    this.#printer = printer
  }

  /** Shows it. The oldest one that is open is the one that a number answers. */
  ask(request: Request): void {
    this.#open.set(request.permissionId, request)
    if (this.#open.size === 1) this.#show(request)
  }

  /** Whoever answered: here, in a browser, or a rule. */
  resolved(permissionId: string): void {
    if (!this.#open.delete(permissionId)) return
    const [next] = this.#open.values()
    if (next) this.#show(next)
  }

  /** False when the line is no answer. */
  async answer(line: string): Promise<boolean> {
    const [request] = this.#open.values()
    const option = /^[1-9]$/.test(line) ? request?.options[Number(line) - 1] : undefined
    if (request === undefined) return false
    if (option === undefined) {
      this.#printer.note(`  Answer with a number from 1 to ${request.options.length}.`, 'yellow')
      return true
    }
    try {
      await this.#session.respond(request.permissionId, option.optionId)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      this.#printer.note(`  ${error.message}`, 'yellow')
    }
    return true
  }

  #show({ toolCall, options }: Request): void {
    const choices = options.map(({ name }, at) => `${at + 1} ${oneLine(name)}`).join('   ')
    this.#printer.note(`? ${describeRequest(toolCall)}\n  ${choices}`, 'bold')
    this.#printer.attract('? Quayside needs a decision')
  }
}

export function describeRequest({ kind, title, locations }: Request['toolCall']): string {
  const places = locations.map(({ path }) => oneLine(path)).filter((path) => !title.includes(path))
  return [`${kind} ${oneLine(title)}`, ...places].join(' · ')
}
