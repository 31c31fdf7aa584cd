// Replaces terminals in tool calls by text: they run in the hub, where an ACP client cannot read them by id.
import type { EventData, SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from '../json.js'

type Terminal = { readonly command: string; readonly output?: string; readonly end?: string }

export class TerminalText {
  readonly #terminals = new Map<string, Terminal>()
  /** The last content of each tool call that shows a terminal. */
  readonly #calls = new Map<string, readonly unknown[]>()

  opened({ terminalId, command, args }: EventData['terminal.opened']): void {
    this.#terminals.set(terminalId, { command: [command, ...args].join(' ') })
  }

  /** The ids of running terminals. */
  get running(): string[] {
    return [...this.#terminals].flatMap(([id, { end }]) => (end === undefined ? [id] : []))
  }

  /** Updates of the tool calls that show a terminal, with its output so far. */
  printed(terminalId: string, output: string): SessionUpdate[] {
    const terminal = this.#terminals.get(terminalId)
    if (terminal === undefined || terminal.end !== undefined) return []
    this.#terminals.set(terminalId, { ...terminal, output })
    return this.#show(terminalId)
  }

  /** Updates of the tool calls that show a terminal, with its whole output. */
  exited(data: EventData['terminal.exited']): SessionUpdate[] {
    const { terminalId, output = '', exitCode, signal } = data
    const { command } = this.#terminals.get(terminalId) ?? { command: '' }
    const end = signal === null ? `exit code ${exitCode}` : signal
    this.#terminals.set(terminalId, { command, output, end })
    return this.#show(terminalId)
  }

  /** Returns a tool call without terminals unchanged. */
  apply<Call extends SessionUpdate | JsonObject>(call: Call): Call {
    const { toolCallId, content } = call
    if (typeof toolCallId !== 'string' || !Array.isArray(content)) return call
    if (!content.some(isTerminal)) {
      this.#calls.delete(toolCallId)
      return call
    }
    this.#calls.set(toolCallId, content)
    return { ...call, content: this.#replace(content) }
  }

  /** Called at the start of a turn: tool calls of earlier turns no longer change. */
  forget(): void {
    this.#terminals.clear()
    this.#calls.clear()
  }

  #show(terminalId: string): SessionUpdate[] {
    const shown = [...this.#calls].filter(([, content]) =>
      content.some((item) => isTerminal(item) && item['terminalId'] === terminalId),
    )
    return shown.map(([toolCallId, content]) => ({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      content: this.#replace(content),
    }))
  }

  #replace(content: readonly unknown[]): unknown[] {
    return content.map((item) =>
      isTerminal(item)
        ? { type: 'content', content: { type: 'text', text: this.#describe(item['terminalId']) } }
        : item,
    )
  }

  #describe(terminalId: unknown): string {
    const { command, output, end } = this.#terminals.get(String(terminalId)) ?? { command: '' }
    const lines = [
      `$ ${command}`,
      ...(output ? [output.trimEnd()] : []),
      ...(end ? [`[${end}]`] : []),
    ]
    // The fence must be longer than any fence in the output.
    let fence = '```'
    while (output?.includes(fence)) fence += '`'
    return `${fence}console\n${lines.join('\n')}\n${fence}`
  }
}

function isTerminal(item: unknown): item is JsonObject {
  return isObject(item) && item['type'] === 'terminal'
}
