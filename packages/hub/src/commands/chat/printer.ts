// Prints the events of a session: the agent's text to stdout, everything else to stderr.
import { styleText } from 'node:util'
import type { ChatEvent, ChatEventOf } from '@quayside/client'
import { isFinalStatus, type ToolCall } from '@quayside/protocol'
import { ActivityLine } from './activity-line.js'
import { AnswerText } from './answer-text.js'
import type { CommandIo } from '../io/command-io.js'
import { describeDiffs, toolObject, toolWord } from '../io/describe-tool.js'
import { oneLine } from '../io/one-line.js'

/** Prints one event per line. */
export function printJson(event: ChatEvent, { stdout }: CommandIo): void {
  stdout.write(`${JSON.stringify(event)}\n`)
}

type Style = Parameters<typeof styleText>[0]

type TurnFacts = {
  /** The number of files changed since the session began. */
  readonly changedFiles?: number | undefined
  /** It ended before it was printed. */
  readonly isPast?: boolean
}

/** A turn that takes longer rings the bell at its end. */
const LONG_MS = 15_000

export class ChatPrinter {
  readonly activity: ActivityLine
  readonly #io: CommandIo
  readonly #answer: AnswerText
  readonly #tools = new Map<string, string>()
  #message: { readonly id: string; text: string } | undefined
  #thoughtId: string | undefined
  #usage: ChatEventOf<'usage'> | undefined
  /** The error of the last turn. */
  #failure: string | undefined

  constructor(io: CommandIo) {
    this.#io = io
    this.activity = new ActivityLine(io.stderr)
    this.#answer = new AnswerText(io.stdout, () => this.activity.clear())
  }

  /** Prints a line to stderr. */
  note(text: string, style: Style = 'dim'): void {
    this.#finishLine()
    const { stderr } = this.#io
    stderr.write(`${styleText(style, text, { stream: stderr })}\n`)
  }

  /** Prints the diffs of a call to stderr. */
  diffs(call: ToolCall): void {
    this.#finishLine()
    const { stderr } = this.#io
    for (const line of describeDiffs(call, stderr)) stderr.write(`${line}\n`)
  }

  /** Rings the bell and sets the window title, at a terminal. */
  attract(title: string): void {
    const { stderr } = this.#io
    if (!stderr.isTTY) return
    this.activity.clear()
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
        // The end of a session repeats the reason of the turn that failed with it.
        if (event.error.message === this.#failure) return undefined
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
    if (before === undefined && this.#message) {
      this.#answer.write(this.#answer.endsLine ? '\n' : '\n\n')
      this.#answer.endMessage()
    }
    const text = replaces ? delta : (before ?? '') + delta
    this.#message = { id: messageId, text }
    // A message that is repeated in full: print only the new part, or all of it when its beginning changed.
    if (before === undefined || text.startsWith(before))
      this.#answer.write(text.slice(before?.length))
    else this.#answer.write(`\n${text}`)
  }

  /** At a terminal both streams share a line; in a file the text stays unbroken. */
  #finishLine(): void {
    this.activity.clear()
    if (!this.#answer.endsLine && this.#io.stdout.isTTY) this.#answer.write('\n')
  }

  #thought(messageId: string): void {
    if (this.#thoughtId === messageId) return
    this.#thoughtId = messageId
    this.note('  thinking…')
  }

  /** Printed once when the call begins, and again when it does not complete. */
  #tool(call: ToolCall): void {
    const { toolCallId, kind, status } = call
    const line = `  ${toolWord(kind).padEnd(7)} ${oneLine(toolObject(call))}`
    this.activity.label = isFinalStatus(status) ? '' : line.trim().replace(/ +/, ' ')
    if (!this.#tools.has(toolCallId) && status !== 'pending') {
      this.#tools.set(toolCallId, status)
      this.note(line)
    }
    if (!isFinalStatus(status) || status === 'completed') return
    if (this.#tools.get(toolCallId) === 'reported') return
    this.#tools.set(toolCallId, 'reported')
    this.note(`${line} · ${status}`, 'yellow')
  }

  #plan({ entries }: ChatEventOf<'plan'>): void {
    const done = entries.filter(({ status }) => status === 'completed').length
    const now = entries.find(({ status }) => status === 'in_progress')
    if (now) this.note(`  plan    ${done} of ${entries.length} done: ${oneLine(now.content)}`)
  }

  /** Prints a prompt, where it was not typed here. */
  prompt(text: string): void {
    this.note(`> ${oneLine(text)}`, 'bold')
  }

  /** Prints the last line of a turn. */
  end(event: ChatEventOf<'turn_end'>, { changedFiles, isPast = false }: TurnFacts): void {
    this.activity.stop()
    if (!this.#answer.endsLine) this.#answer.write('\n')
    this.#answer.endMessage()
    this.#message = undefined
    const { stopReason, error, durationMs = 0, empty } = event
    this.#failure = error?.message
    const time = formatTime(durationMs)
    const isDone = !error && stopReason === 'end_turn'
    const outcome = error ? `failed: ${oneLine(error.message)}` : (stopReason ?? 'ended')
    const head = isDone ? `✓ done in ${time}` : `✗ ${outcome}, after ${time}`
    const facts = [
      isDone && empty ? `${head}, without an answer` : head,
      ...(changedFiles === undefined ? [] : [countFiles(changedFiles)]),
      ...contextUse(this.#usage),
    ]
    this.note(facts.join(' · '), isDone ? 'green' : 'yellow')
    if (durationMs >= LONG_MS && !isPast) this.attract(head)
  }
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
