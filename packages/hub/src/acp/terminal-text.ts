// Terminals in tool calls, as text: they run at the hub, so an ACP client could not look into them by their ids.
import type { EventData, SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from '../agents/wire/frames.js'

type Terminal = { readonly command: string; readonly output?: string; readonly end?: string }

export class TerminalText {
  readonly #terminals = new Map<string, Terminal>()
  /** The last content of each tool call that shows a terminal. */
  readonly #calls = new Map<string, readonly unknown[]>()

  opened({ terminalId, command, args }: EventData['terminal.opened']): void {
    this.#terminals.set(terminalId, { command: [command, ...args].join(' ') })
  }

  /** Those that still run. */
  get running(): string[] {
    return [...this.#terminals].flatMap(([id, { end }]) => (end === undefined ? [id] : []))
  }

  /** The tool calls that show it, told what it has printed so far. */
  printed(terminalId: string, output: string): SessionUpdate[] {
    const terminal = this.#terminals.get(terminalId)
    if (terminal === undefined || terminal.end !== undefined) return []
    this.#terminals.set(terminalId, { ...terminal, output })
    return this.#show(terminalId)
  }

  /** The tool calls that show it, told all it printed. */
  exited(data: EventData['terminal.exited']): SessionUpdate[] {
    const { terminalId, output = '', exitCode, signal } = data
    const { command } = this.#terminals.get(terminalId) ?? { command: '' }
    const end = signal === null ? `exit code ${exitCode}` : signal
    this.#terminals.set(terminalId, { command, output, end })
    return this.#show(terminalId)
  }

  /** A tool call without terminals is returned as it is. */
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

  /** Tool calls of turns that are over no longer change. */
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
    // Longer than any fence inside it.
    let fence = '```'
    while (output?.includes(fence)) fence += '`'
    return `${fence}console\n${lines.join('\n')}\n${fence}`
  }
}

function isTerminal(item: unknown): item is JsonObject {
  return isObject(item) && item['type'] === 'terminal'
}
