// Folds the commands that an agent runs in the hub's terminals into the tool calls that show them.
import type { EventData } from '../events/events.js'
import type { AgentTerminal, ToolCall } from './tool-call.js'
import type { ToolItem } from './transcript-items.js'
import { changeItem, mayChange, type Step, type Transcript } from './transcript-state.js'

/** Terminals that no tool call names are evicted, oldest first. */
const MAX_UNSHOWN = 32

export function openTerminal(step: Step, data: EventData['terminal.opened']): void {
  keepTerminal(step, { ...data, isRunning: true })
}

export function exitTerminal(step: Step, data: EventData['terminal.exited']): void {
  const { terminals } = step.transcript
  const known = terminals.get(data.terminalId)
  if (known === undefined) return
  keepTerminal(step, { ...known, ...data, isRunning: false })
}

/** The call with the current state of the terminals that its content names. */
export function withTerminals({ terminals }: Transcript, call: ToolCall): ToolCall {
  const named = terminalsIn(call).flatMap((id) => terminals.get(id) ?? [])
  if (named.length === 0) return call
  const others = call.terminals?.filter(({ terminalId }) =>
    named.every((terminal) => terminal.terminalId !== terminalId),
  )
  return { ...call, terminals: [...(others ?? []), ...named] }
}

function keepTerminal(step: Step, terminal: AgentTerminal): void {
  const { terminals, items } = step.transcript
  terminals.set(terminal.terminalId, terminal)
  const item = items.findLast(
    (item): item is ToolItem =>
      item.type === 'tool' &&
      terminalsIn(item.call).includes(terminal.terminalId) &&
      mayChange(step.transcript, item),
  )
  if (item !== undefined) {
    changeItem(step, item, { call: withTerminals(step.transcript, item.call) })
    if (!terminal.isRunning) terminals.delete(terminal.terminalId)
  }
  for (const [id, { isRunning }] of terminals) {
    if (terminals.size <= MAX_UNSHOWN) break
    if (!isRunning) terminals.delete(id)
  }
}

function terminalsIn({ content }: ToolCall): string[] {
  return content.flatMap((entry) => (entry.type === 'terminal' ? [entry.terminalId] : []))
}
