// Watches what happens in a session on behalf of a command, until the end that it waits for, a decision that nobody here can make, or Ctrl-C.
import { createInterface } from 'node:readline'
import type { AgentSession, ChatEvent, SessionChanges } from '@quayside/client'
import { isPersonHere } from '../io/ask-person.js'
import { ChatDecisions, describeRequest } from './decisions.js'
import { ChatPrinter, printJson } from './printer.js'
import { describeQuestion } from './question.js'
import { type CommandIo, exitWhenReaderLeaves } from '../io/command-io.js'
import { EXIT, type ExitCode, exitCodeOfTurn } from '../io/exit-codes.js'

export type WatchOptions = {
  readonly json: boolean
  /** Where the person can go on, such as the address of the session in the browser. */
  readonly elsewhere: string
  /** What else can be done about a permission. */
  readonly allowHint?: string
  /** What the session has changed in its repository by now. */
  readonly changes: () => Promise<SessionChanges>
  /** A line that answers nothing; without it such lines are left alone. */
  readonly onText?: (text: string) => void
  /** Says of each event whether it seems to be the last. */
  readonly isOver: (event: ChatEvent) => boolean
  /** Says of one that seems to be the last whether it is. */
  readonly isReallyOver?: (event: ChatEvent) => Promise<boolean>
}

/** Whether a person sits here who can be asked. */
export function isInteractive(json: boolean, io: CommandIo): boolean {
  return !json && isPersonHere(io)
}

export class ChatWatch implements Disposable {
  readonly printer: ChatPrinter
  readonly #io: CommandIo
  readonly #session: AgentSession
  readonly #options: WatchOptions
  readonly #decisions: ChatDecisions | undefined
  readonly #endings: (() => void)[] = []

  constructor(session: AgentSession, options: WatchOptions, io: CommandIo) {
    this.#io = io
    this.printer = new ChatPrinter(io)
    this.#session = session
    this.#options = options
    // `quayside run … | head`: whoever reads has gone, and so does the command.
    exitWhenReaderLeaves(io, EXIT.cancelled)
    if (!isInteractive(options.json, io)) return
    this.#decisions = new ChatDecisions(session, this.printer)
    this.#endings.push(onLines(io, (line) => void this.#hear(line)))
  }

  /** Resolves with how the last turn ended, or with what keeps it from ending. */
  async follow(events: AsyncIterable<ChatEvent>): Promise<ExitCode> {
    let code: ExitCode = EXIT.done
    for await (const event of events) {
      // Before anything is waited for: a Ctrl-C meanwhile has to know what runs.
      const isOver = this.#options.isOver(event)
      await this.#print(event)
      if (event.type === 'turn_end') code = exitCodeOfTurn(event)
      if (await this.#isStuck(event)) return EXIT.needsDecision
      if (isOver && (await (this.#options.isReallyOver?.(event) ?? true))) break
    }
    return code
  }

  /** Ctrl-C stops the turn; when `stop` says that there is none to stop any more, it leaves. SIGTERM leaves at once. */
  onInterrupt({ stop, leave }: { readonly stop: () => boolean; readonly leave: () => void }): void {
    const interrupt = (): void => {
      if (!stop()) leave()
    }
    this.#endings.push(this.#io.onSignal('SIGINT', interrupt), this.#io.onSignal('SIGTERM', leave))
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
          return this.#leave(
            `It asks for permission to ${describeRequest(event.toolCall)}`,
            this.#options.allowHint,
          )
        this.#decisions.askPermission(event)
        return false
      case 'permission_resolved':
        this.#decisions?.resolved(event.permissionId)
        return false
      case 'question':
        if (!(await this.#isOpen(event.questionId))) return false
        if (!this.#decisions) return this.#leave(`It asks: ${describeQuestion(event)}`)
        this.#decisions.askQuestion(event)
        return false
      case 'question_resolved':
        this.#decisions?.resolved(event.questionId)
        return false
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

  #leave(what: string, hint = ''): true {
    const decide = `A person has to decide: ${this.#options.elsewhere}`
    this.printer.note([what, decide, hint].join('\n').trimEnd(), 'yellow')
    return true
  }

  async #hear(line: string): Promise<void> {
    if (await this.#decisions?.answer(line)) return
    const text = line.trim()
    if (text !== '') this.#options.onText?.(text)
  }

  async #print(event: ChatEvent): Promise<void> {
    if (this.#options.json) printJson(event, this.#io)
    else if (event.type === 'turn_end') this.printer.end(event, await this.#countChanges())
    else this.printer.print(event)
  }

  /** Nothing when it cannot be told: the end of a turn is told all the same. */
  async #countChanges(): Promise<number | undefined> {
    const { changes } = this.#options
    return changes().then(
      (now) => (now.is === 'known' ? now.total : undefined),
      () => undefined,
    )
  }
}

/** Whole lines, so that Ctrl-C stays a signal and editing a line stays the terminal's. */
function onLines({ stdin }: CommandIo, hear: (line: string) => void): () => void {
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', hear)
  return () => lines.close()
}
