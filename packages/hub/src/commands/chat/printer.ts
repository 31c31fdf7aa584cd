// Writes what happens in a session: the agent's text to stdout and nothing else, everything around it to stderr.
import { styleText } from 'node:util'
import type { ChatEvent, ChatEventOf } from '@quayside/client'
import { asPlainText, isFinalStatus, type ToolCall } from '@quayside/protocol'
import type { CommandIo } from '../io/command-io.js'
import { oneLine } from '../io/one-line.js'

/** One event in each line of stdout. */
export function printJson(event: ChatEvent, { stdout }: CommandIo): void {
  stdout.write(`${JSON.stringify(event)}\n`)
}

type Style = Parameters<typeof styleText>[0]

/** Shorter work needs no bell. */
const LONG_MS = 15_000

export class ChatPrinter {
  readonly #io: CommandIo
  readonly #tools = new Map<string, string>()
  #message: { readonly id: string; text: string } | undefined
  #thoughtId: string | undefined
  #usage: ChatEventOf<'usage'> | undefined
  #endsLine = true

  constructor(io: CommandIo) {
    this.#io = io
  }

  /** A line for people, on stderr. */
  note(text: string, style: Style = 'dim'): void {
    this.#finishLine()
    const { stderr } = this.#io
    stderr.write(`${styleText(style, text, { stream: stderr })}\n`)
  }

  /** Rings and says so in the title of the window, where a person looks. */
  attract(title: string): void {
    const { stderr } = this.#io
    if (!stderr.isTTY) return
    stderr.write(`\u{1b}]0;${oneLine(title)}\u{7}\u{7}`)
  }

  print(event: ChatEvent): void {
    switch (event.type) {
      case 'text_delta':
        return this.#text(event)
      case 'thought_delta':
        return this.#thought(event.messageId)
      case 'tool_update':
        return this.#tool(event.toolCall)
      case 'plan':
        return this.#plan(event)
      case 'content':
        return this.note(`  shows   ${event.content.type}: see it in the browser`)
      case 'notice':
        return this.note(
          `  ${oneLine(event.message)}`,
          event.severity === 'info' ? 'dim' : 'yellow',
        )
      case 'error':
        return this.note(`  ${oneLine(event.error.message)}`, 'red')
      case 'usage':
        this.#usage = event
        return undefined
      default:
        return undefined
    }
  }

  #text({ messageId, delta, replaces }: ChatEventOf<'text_delta'>): void {
    const before = this.#message?.id === messageId ? this.#message.text : undefined
    if (before === undefined && this.#message) this.#write(this.#endsLine ? '\n' : '\n\n')
    const text = replaces ? delta : (before ?? '') + delta
    this.#message = { id: messageId, text }
    // Of a message that is told whole again, only what is new; one that changed begins again.
    if (before === undefined || text.startsWith(before)) this.#write(text.slice(before?.length))
    else this.#write(`\n${text}`)
  }

  #write(text: string): void {
    if (text === '') return
    // A terminal would obey what an agent writes; a file keeps it as it is.
    const { stdout } = this.#io
    stdout.write(stdout.isTTY ? asPlainText(text) : text)
    this.#endsLine = text.endsWith('\n')
  }

  /** On a terminal the two streams share a line; a file of the text is left alone until its end. */
  #finishLine(): void {
    if (!this.#endsLine && this.#io.stdout.isTTY) this.#write('\n')
  }

  #thought(messageId: string): void {
    if (this.#thoughtId === messageId) return
    this.#thoughtId = messageId
    this.note('  thinking…')
  }

  /** Once when it begins, and again when it does not end well. */
  #tool({ toolCallId, kind, title, status }: ToolCall): void {
    const line = `  ${wordFor(kind).padEnd(7)} ${oneLine(title)}`
    if (!this.#tools.has(toolCallId) && status !== 'pending') {
      this.#tools.set(toolCallId, status)
      this.note(line)
    }
    if (!isFinalStatus(status) || status === 'completed') return
    if (this.#tools.get(toolCallId) === 'told') return
    this.#tools.set(toolCallId, 'told')
    this.note(`${line} · ${status}`, 'yellow')
  }

  #plan({ entries }: ChatEventOf<'plan'>): void {
    const done = entries.filter(({ status }) => status === 'completed').length
    const now = entries.find(({ status }) => status === 'in_progress')
    if (now) this.note(`  plan    ${done} of ${entries.length} done: ${oneLine(now.content)}`)
  }

  /** The last line of a turn. `changedFiles` counts what the session has changed since it began. */
  end(event: ChatEventOf<'turn_end'>, changedFiles: number | undefined): void {
    if (!this.#endsLine) this.#write('\n')
    this.#message = undefined
    const { stopReason, error, durationMs = 0, empty } = event
    const time = formatTime(durationMs)
    const isDone = !error && stopReason === 'end_turn'
    const said = error ? `failed: ${oneLine(error.message)}` : (stopReason ?? 'ended')
    const head = isDone ? `✓ done in ${time}` : `✗ ${said}, after ${time}`
    const facts = [
      isDone && empty ? `${head}, without an answer` : head,
      ...(changedFiles === undefined ? [] : [countFiles(changedFiles)]),
      ...contextUse(this.#usage),
    ]
    this.note(facts.join(' · '), isDone ? 'green' : 'yellow')
    if (durationMs >= LONG_MS) this.attract(head)
  }
}

/** ACP's kinds, where people say it shorter. */
function wordFor(kind: string): string {
  return kind === 'execute' ? 'run' : kind
}

function formatTime(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

function countFiles(count: number): string {
  return count === 1 ? '1 file changed' : `${count} files changed`
}

function contextUse(usage: ChatEventOf<'usage'> | undefined): string[] {
  if (usage === undefined || !(usage.size > 0)) return []
  return [`${Math.round((usage.used / usage.size) * 100)}% of context`]
}
