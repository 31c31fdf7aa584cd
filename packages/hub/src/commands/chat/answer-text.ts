// The agent's text on stdout: at a terminal in whole lines of rendered Markdown, elsewhere unchanged as it arrives.
import { asPlainText } from '@quayside/protocol'
import type { CommandOutput } from '../io/command-io.js'
import { MarkdownLines } from './markdown-lines.js'

/** A longer line is printed before its end. */
const MAX_LINE_CHARS = 8000

export class AnswerText {
  readonly #stdout: CommandOutput
  readonly #onLine: () => void
  #markdown: MarkdownLines
  /** The beginning of a line, at a terminal. */
  #pending = ''
  #endsLine = true

  /** `onLine` is called before a line is written to a terminal. */
  constructor(stdout: CommandOutput, onLine: () => void) {
    this.#stdout = stdout
    this.#onLine = onLine
    this.#markdown = new MarkdownLines(stdout)
  }

  get endsLine(): boolean {
    return this.#endsLine
  }

  write(text: string): void {
    if (text === '') return
    this.#endsLine = text.endsWith('\n')
    if (!this.#stdout.isTTY) {
      this.#stdout.write(text)
      return
    }
    const lines = (this.#pending + text).split('\n')
    const last = lines.at(-1) ?? ''
    this.#pending = last.length > MAX_LINE_CHARS ? '' : last
    if (this.#pending === last) lines.pop()
    for (const line of lines) this.#writeLine(line)
  }

  /** Another message begins, in which no block of code is open. */
  endMessage(): void {
    this.#markdown = new MarkdownLines(this.#stdout)
  }

  /** A terminal would execute escape sequences of the agent. */
  #writeLine(line: string): void {
    this.#onLine()
    const rows = asPlainText(line).split('\n')
    for (const row of rows.flatMap((part) => this.#markdown.render(part)))
      this.#stdout.write(`${row}\n`)
  }
}
