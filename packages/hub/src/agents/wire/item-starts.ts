// Recognises updates of an agent that put a new item after a text, and so end the text's run.
// The transcript decides the same by its items (protocol/src/transcript/fold-update.ts).
import type { SessionUpdate } from '@quayside/protocol'

export class ItemStarts {
  /** Tool calls and the plan of this turn: later updates of them start no item. */
  readonly #calls = new Set<string>()
  #hasPlan = false

  /** For an update that is no text chunk. Usage, commands, modes and unknown updates may come in the middle of a message. */
  startsItem({ sessionUpdate, toolCallId }: SessionUpdate): boolean {
    switch (sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        return typeof toolCallId === 'string' && this.#isNew(toolCallId)
      case 'plan':
        return this.#isFirstPlan()
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return true
      default:
        return false
    }
  }

  /** A turn has its own items. */
  clear(): void {
    this.#calls.clear()
    this.#hasPlan = false
  }

  #isFirstPlan(): boolean {
    const isFirst = !this.#hasPlan
    this.#hasPlan = true
    return isFirst
  }

  #isNew(toolCallId: string): boolean {
    const { size } = this.#calls
    return this.#calls.add(toolCallId).size > size
  }
}
