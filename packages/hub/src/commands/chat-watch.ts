// Watches what happens in a session on behalf of a command, until the end that it waits for, a decision that nobody here can make, or Ctrl-C.
import { createInterface } from 'node:readline'
import type { AgentSession, ChatEvent } from '@quayside/client'
import { ChatDecisions, describeRequest } from './chat-decisions.js'
import { ChatPrinter, oneLine, printJson, type PrintEvent } from './chat-printer.js'
import { EXIT, type ExitCode, exitCodeOfTurn } from './exit-codes.js'

export type WatchOptions = {
  readonly json: boolean
  /** Where the person can go on, such as the address of the session in the browser. */
  readonly elsewhere: string
  /** A line that answers nothing; without it such lines are left alone. */
  readonly onText?: (text: string) => void
  /** Says after each event whether this is the end. */
  readonly isOver: (event: ChatEvent) => boolean
}

/** Whether a person sits here who can be asked. */
export function isInteractive(json: boolean): boolean {
  return !json && process.stdin.isTTY && process.stderr.isTTY
}

export class ChatWatch implements Disposable {
  readonly printer = new ChatPrinter()
  readonly #session: AgentSession
  readonly #options: WatchOptions
  readonly #print: PrintEvent
  readonly #decisions: ChatDecisions | undefined
  readonly #endings: (() => void)[] = []

  constructor(session: AgentSession, options: WatchOptions) {
    this.#session = session
    this.#options = options
    // `quayside run … | head`: whoever reads has gone, and so does the command.
    process.stdout.once('error', () => process.exit(EXIT.cancelled))
    this.#print = options.json ? printJson : (event) => this.printer.print(event)
    if (!isInteractive(options.json)) return
    this.#decisions = new ChatDecisions(session, this.printer)
    this.#endings.push(onLines((line) => void this.#hear(line)))
  }

  /** Resolves with how the last turn ended, or with what keeps it from ending. */
  async follow(events: AsyncIterable<ChatEvent>): Promise<ExitCode> {
    let code: ExitCode = EXIT.done
    for await (const event of events) {
      this.#print(event)
      if (event.type === 'turn_end') code = exitCodeOfTurn(event)
      if (await this.#isStuck(event)) return EXIT.needsDecision
      if (this.#options.isOver(event)) break
    }
    return code
  }

  /** Ctrl-C stops the turn; when `stop` says that there is none to stop any more, it leaves. SIGTERM leaves at once. */
  onInterrupt({ stop, leave }: { readonly stop: () => boolean; readonly leave: () => void }): void {
    const interrupt = (): void => {
      if (!stop()) leave()
    }
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', leave)
    this.#endings.push(() => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', leave)
    })
  }

  [Symbol.dispose](): void {
    for (const end of this.#endings) end()
  }

  /** True when the agent waits for somebody, and nobody is here. What a rule or a person answers is answered by now. */
  async #isStuck(event: ChatEvent): Promise<boolean> {
    switch (event.type) {
      case 'permission_request':
        if (!(await this.#isOpen(event.permissionId))) return false
        if (!this.#decisions)
          return this.#leave(`It asks for permission to ${describeRequest(event.toolCall)}`)
        this.#decisions.ask(event)
        return false
      case 'permission_resolved':
        this.#decisions?.resolved(event.permissionId)
        return false
      case 'question':
        if (!(await this.#isOpen(event.questionId))) return false
        return this.#leave(`It asks: ${oneLine(event.message)}`)
      default:
        return false
    }
  }

  /** An old question of a turn that is shown again waits for nobody. */
  async #isOpen(id: string): Promise<boolean> {
    const [permissions, questions] = await Promise.all([
      this.#session.permissions(),
      this.#session.questions(),
    ])
    return (
      permissions.some(({ permissionId }) => permissionId === id) ||
      questions.some(({ questionId }) => questionId === id)
    )
  }

  /** A person who is here may also answer elsewhere, so the command goes on. */
  #leave(what: string): boolean {
    this.printer.note(`${what}\nA person has to decide: ${this.#options.elsewhere}`, 'yellow')
    return this.#decisions === undefined
  }

  async #hear(line: string): Promise<void> {
    const text = line.trim()
    if (text === '' || (await this.#decisions?.answer(text))) return
    this.#options.onText?.(text)
  }
}

/** Whole lines, so that Ctrl-C stays a signal and editing a line stays the terminal's. */
function onLines(hear: (line: string) => void): () => void {
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', hear)
  return () => lines.close()
}
