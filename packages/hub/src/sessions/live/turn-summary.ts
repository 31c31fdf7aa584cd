// Counts the frames, updates and tool calls of one turn for a log line at its end. Sizes and kinds, no message bodies.
import type { SessionUpdate } from '@quayside/protocol'
import type { LogLevel } from '../../config/config.js'
import { isObject } from '../../json.js'
import { Redactor } from '../../agents/wire/redact/redact.js'
import { Tally } from '../../agents/wire/tally.js'

export type FrameType = 'request' | 'notification' | 'response'

export type TurnSummaryLine = {
  readonly durationMs?: number
  readonly stopReason?: string
  readonly error?: string
  readonly frames: { readonly in: Counts; readonly out: Counts }
  readonly updates: Counts
  readonly tools: ToolsSummary
  readonly textChars: number
  readonly thoughtChars: number
  /** Types of the content blocks in messages and thoughts. */
  readonly blocks: Counts
  /** Types of the content of tool calls: content, diff, terminal. */
  readonly toolContent: Counts
  /** The beginning of the final text; only at level `debug`. */
  readonly textPrefix?: string
}

type Counts = Readonly<Record<string, number>>

type ToolsSummary = {
  readonly calls: number
  readonly transitions: Counts
  /** The statuses of the first calls, for example `pending→in_progress→completed`. */
  readonly byCall: Readonly<Record<string, string>>
  /** Calls without an end when the turn ended. */
  readonly open: number
  /** Updates of calls that were never announced. */
  readonly unannounced: number
}

/** The fields of `turn.ended`. */
export type TurnEnd = {
  readonly stopReason?: string
  readonly error?: { readonly code: string }
  readonly durationMs?: number
}

const MAX_CALLS = 1_000
const MAX_CALLS_SHOWN = 50
const MAX_STEPS = 20
const PREFIX_CHARS = 120
const ENDED = new Set(['completed', 'failed', 'cancelled'])

export class TurnSummary {
  readonly #frames = { in: new Tally(), out: new Tally() }
  readonly #updates = new Tally()
  readonly #transitions = new Tally()
  readonly #blocks = new Tally()
  readonly #toolContent = new Tally()
  readonly #calls = new Map<string, string[]>()
  /** A call that has ended stays ended, also when the agent reports an earlier status afterwards. */
  readonly #ended = new Set<string>()
  #unannounced = 0
  #textChars = 0
  #thoughtChars = 0
  #prefix = ''
  #prefixAfterTool: string | undefined

  /** Counts a message other than an update; `in` comes from the agent. */
  frame(direction: 'in' | 'out', type: FrameType): void {
    this.#frames[direction].add(type)
  }

  /** An update also counts as a notification from the agent. */
  update(update: SessionUpdate): void {
    this.#frames.in.add('notification')
    this.#updates.add(update.sessionUpdate)
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#addText(this.#addBlock(update['content']))
      case 'agent_thought_chunk':
        this.#thoughtChars += this.#addBlock(update['content']).length
        return
      case 'tool_call':
      case 'tool_call_update':
        return this.#addToolCall(update)
    }
  }

  /** Counts `more` chunks of text that were joined into one update. */
  joined({ sessionUpdate }: SessionUpdate, more: number): void {
    this.#frames.in.add('notification', more)
    this.#updates.add(sessionUpdate, more)
    this.#blocks.add('text', more)
  }

  /** Includes the beginning of the text only at level `debug`: message bodies do not belong in logs. */
  toLogLine(end: TurnEnd, level: LogLevel = 'info', redactor = new Redactor()): TurnSummaryLine {
    const isDebug = level === 'debug' || level === 'trace'
    return {
      ...(end.durationMs === undefined ? {} : { durationMs: end.durationMs }),
      ...(end.stopReason === undefined ? {} : { stopReason: end.stopReason }),
      ...(end.error === undefined ? {} : { error: end.error.code }),
      frames: { in: this.#frames.in.counts(), out: this.#frames.out.counts() },
      updates: this.#updates.counts(),
      tools: this.#toolsSummary(),
      textChars: this.#textChars,
      thoughtChars: this.#thoughtChars,
      blocks: this.#blocks.counts(),
      toolContent: this.#toolContent.counts(),
      ...(isDebug ? { textPrefix: this.#textPrefix(redactor) } : {}),
    }
  }

  #textPrefix(redactor: Redactor): string {
    const prefix = this.#prefixAfterTool || this.#prefix
    return redactor.redact(prefix.length < PREFIX_CHARS ? prefix : redactor.trimCut(prefix))
  }

  #addBlock(block: unknown): string {
    if (!isObject(block)) return ''
    const { type, text } = block
    this.#blocks.add(typeof type === 'string' ? type : 'untyped')
    return type === 'text' && typeof text === 'string' ? text : ''
  }

  /** The final text of a turn is the text after its last tool call, else all of it. */
  #addText(text: string): void {
    this.#textChars += text.length
    this.#prefix = lengthen(this.#prefix, text)
    if (this.#prefixAfterTool !== undefined)
      this.#prefixAfterTool = lengthen(this.#prefixAfterTool, text)
  }

  #addToolCall(update: SessionUpdate): void {
    const { toolCallId, status, content } = update
    if (Array.isArray(content))
      for (const item of content)
        this.#toolContent.add(isObject(item) ? String(item['type']) : 'untyped')
    if (typeof toolCallId !== 'string') return
    const isFirst = !this.#calls.has(toolCallId)
    if (isFirst && update.sessionUpdate === 'tool_call_update') this.#unannounced += 1
    if (isFirst) this.#prefixAfterTool = ''
    const atFirst = isFirst && update.sessionUpdate === 'tool_call' ? 'pending' : undefined
    this.#step(toolCallId, typeof status === 'string' ? status.slice(0, 32) : atFirst)
  }

  #step(toolCallId: string, status: string | undefined): void {
    const steps = this.#calls.get(toolCallId) ?? []
    if (this.#calls.size < MAX_CALLS) this.#calls.set(toolCallId, steps)
    else if (!this.#calls.has(toolCallId)) return
    const last = steps.at(-1)
    if (status === undefined || status === last) return
    if (ENDED.has(status)) this.#ended.add(toolCallId)
    if (last !== undefined) this.#transitions.add(`${last}→${status}`)
    if (steps.length >= MAX_STEPS) steps.pop()
    steps.push(status)
  }

  #toolsSummary(): ToolsSummary {
    const calls = [...this.#calls]
    return {
      calls: calls.length,
      transitions: this.#transitions.counts(),
      byCall: Object.fromEntries(
        calls.slice(0, MAX_CALLS_SHOWN).map(([id, steps]) => [id.slice(0, 64), steps.join('→')]),
      ),
      open: calls.filter(([id]) => !this.#ended.has(id)).length,
      unannounced: this.#unannounced,
    }
  }
}

function lengthen(prefix: string, text: string): string {
  return prefix.length >= PREFIX_CHARS ? prefix : (prefix + text).slice(0, PREFIX_CHARS)
}
