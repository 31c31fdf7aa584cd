// Assigns an agent's update to a turn.
import type { Turn } from './turn.js'

type Turns<T> = { readonly running: T | undefined; readonly previous: T | undefined }

/** The running turn, else the previous one. A late update of a tool call stays with the turn that announced the call. */
export function turnOfUpdate<T extends Pick<Turn, 'knowsToolCall'>>(
  { running, previous }: Turns<T>,
  sessionUpdate: string,
  toolCallId: unknown,
): T | undefined {
  const turn = running ?? previous
  if (sessionUpdate !== 'tool_call_update' || turn?.knowsToolCall(toolCallId)) return turn
  return previous?.knowsToolCall(toolCallId) ? previous : turn
}
