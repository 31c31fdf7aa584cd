// Follows a session for `run` and `attach`: prints events until the expected end, a decision that cannot be made here, or Ctrl-C.
import { createInterface } from 'node:readline'
import type { AgentSession, ChatEvent, ChatEventOf, SessionChanges } from '@quayside/client'
import { isAtTerminal } from '../io/ask-person.js'
import { ChatDecisions } from './open-decisions.js'
import { ChatPrinter, printJson } from './printer.js'
import { describeQuestion } from './question.js'
import { type CommandIo, exitWhenStdoutCloses } from '../io/command-io.js'
import { describeRequest } from '../io/describe-tool.js'
import { EXIT, type ExitCode, exitCodeOfTurn } from '../io/exit-codes.js'

export type WatchOptions = {
  readonly json: boolean
  /** The place to decide, such as the address of the session in the browser. */
  readonly decideAt: string
  /** A hint at how to avoid the permission request. */
  readonly allowHint?: string
  /** The session's changes in its repository so far. */
  readonly changes: () => Promise<SessionChanges>
  /** Gets typed lines that answer no decision. */
  readonly onText?: (text: string) => void
  /** False for a prompt that the person at this terminal has just typed. Without it, no prompts are printed. */
  readonly isNews?: (prompt: string) => boolean
  /** True for an event that may be the last one. */
  readonly isOver: (event: ChatEvent) => boolean
  /** Confirms that an event is the last one. */
  readonly confirmOver?: (event: ChatEvent) => Promise<boolean>
}

/** True when a person can answer at the terminal. */
export function isInteractive(json: boolean, io: CommandIo): boolean {
  return !json && isAtTerminal(io)
}

export class ChatWatch implements Disposable {
  readonly printer: ChatPrinter
  readonly #io: CommandIo
  readonly #session: AgentSession
  readonly #options: WatchOptions
  readonly #decisions: ChatDecisions | undefined
  /** The prompts that were printed or typed. */
  readonly #prompts = new Set<string>()
  /** Events up to this one had happened before. */
  readonly #pastSeq: number
  readonly #cleanups: (() => void)[] = []

  constructor(session: AgentSession, options: WatchOptions, io: CommandIo) {
    this.#io = io
    this.printer = new ChatPrinter(io)
    this.#cleanups.push(() => this.printer.activity.stop())
    this.#session = session
    this.#options = options
    this.#pastSeq = session.info.lastSeq
    // `quayside run … | head`
    exitWhenStdoutCloses(io, EXIT.cancelled)
    if (!isInteractive(options.json, io)) return
    this.#decisions = new ChatDecisions(session, this.printer)
    this.#cleanups.push(onLines(io, (line) => void this.#readLine(line)))
  }

  /** Resolves with the outcome of the last turn, or with `needsDecision`. */
  async follow(events: AsyncIterable<ChatEvent>): Promise<ExitCode> {
    let code: ExitCode = EXIT.done
    for await (const event of events) {
      // Before the first await: a Ctrl-C meanwhile must know whether a turn runs.
      const isOver = this.#options.isOver(event)
      await this.#print(event)
      if (event.type === 'turn_end') code = exitCodeOfTurn(event)
      if (await this.#needsDecision(event)) return EXIT.needsDecision
      if (isOver && (await (this.#options.confirmOver?.(event) ?? true))) break
    }
    return code
  }

  /** Ctrl-C stops the turn, or leaves when `stop` returns false. SIGTERM and a closed terminal leave at once. */
  onInterrupt({ stop, leave }: { readonly stop: () => boolean; readonly leave: () => void }): void {
    const interrupt = (): void => {
      if (!stop()) leave()
    }
    this.#cleanups.push(
      this.#io.onSignal('SIGINT', interrupt),
      this.#io.onSignal('SIGTERM', leave),
      this.#io.onSignal('SIGHUP', leave),
    )
  }

  [Symbol.dispose](): void {
    for (const clean of this.#cleanups) clean()
  }

  /** True for an open permission or question that cannot be answered here. Rules have been applied by now. */
  async #needsDecision(event: ChatEvent): Promise<boolean> {
    switch (event.type) {
      case 'permission_request':
        if (!(await this.#isOpen(event.permissionId))) return false
        if (!this.#decisions)
          return this.#reportDecision(describeRequest(event.toolCall), this.#options.allowHint)
        this.#decisions.askPermission(event)
        return false
      case 'permission_resolved':
        this.#decisions?.resolved(event)
        return false
      case 'question':
        if (!(await this.#isOpen(event.questionId))) return false
        if (!this.#decisions)
          return this.#reportDecision(`The agent asks: ${describeQuestion(event)}`)
        this.#decisions.askQuestion(event)
        return false
      case 'question_resolved':
        this.#decisions?.resolved(event)
        return false
      default:
        return false
    }
  }

  /** False for an old question in a turn that is printed again. */
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

  #reportDecision(question: string, hint = ''): true {
    const where = `Needs your decision: ${this.#options.decideAt}`
    this.printer.note([question, where, hint].join('\n').trimEnd(), 'yellow')
    return true
  }

  async #readLine(line: string): Promise<void> {
    if (await this.#decisions?.answer(line)) return
    const text = line.trim()
    if (text !== '') this.#options.onText?.(text)
  }

  async #print(event: ChatEvent): Promise<void> {
    if (this.#options.json) printJson(event, this.#io)
    else if (event.type === 'user_message') this.#printPrompt(event)
    else if (event.type !== 'turn_end') this.printer.print(event)
    else if (event.seq <= this.#pastSeq) this.printer.end(event, { isPast: true })
    else this.printer.end(event, { changedFiles: await this.#countChanges() })
  }

  #printPrompt({ messageId, text }: ChatEventOf<'user_message'>): void {
    if (this.#prompts.has(messageId)) return
    this.#prompts.add(messageId)
    if (this.#options.isNews?.(text)) this.printer.prompt(text)
  }

  /** Undefined when unknown; the end of the turn is printed anyway. */
  async #countChanges(): Promise<number | undefined> {
    const { changes } = this.#options
    return changes().then(
      (now) => (now.is === 'known' ? now.total : undefined),
      () => undefined,
    )
  }
}

/** Reads whole lines, so that the terminal handles editing and Ctrl-C stays a signal. */
function onLines({ stdin }: CommandIo, listener: (line: string) => void): () => void {
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', listener)
  return () => lines.close()
}
