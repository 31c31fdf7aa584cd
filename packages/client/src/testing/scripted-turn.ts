// One prompt as a scripted agent sees it: what it can say, do and ask.
import type {
  ContentBlock,
  EventBody,
  PermissionOption,
  PermissionOutcome,
  PlanEntry,
  SessionUpdate,
  StopReason,
  ToolCallFields,
} from '@quayside/protocol'

export type TurnActions = {
  readonly append: (body: EventBody) => void
  readonly ask: (
    toolCall: ToolCallFields,
    options: readonly PermissionOption[],
  ) => Promise<PermissionOutcome>
}

const YES_OR_NO: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
]

export class ScriptedTurn {
  readonly id: string
  readonly prompt: readonly ContentBlock[]
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal
  /** The stop reason when the agent's function returns. */
  stopReason: StopReason = 'end_turn'
  readonly #actions: TurnActions

  constructor(
    { id, prompt, signal }: { id: string; prompt: readonly ContentBlock[]; signal: AbortSignal },
    actions: TurnActions,
  ) {
    this.id = id
    this.prompt = prompt
    this.signal = signal
    this.#actions = actions
  }

  get text(): string {
    return this.prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  }

  say(text: string): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  }

  think(text: string): void {
    this.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
  }

  plan(entries: readonly PlanEntry[]): void {
    this.update({ sessionUpdate: 'plan', entries })
  }

  /** Begins or changes a tool call. */
  tool(call: ToolCallFields): void {
    this.update({ sessionUpdate: 'tool_call', ...call })
  }

  /** Any ACP update. */
  update(update: SessionUpdate): void {
    // Updates after the turn was cancelled are ignored.
    if (!this.signal.aborted)
      this.#actions.append({ type: 'acp.update', data: { turnId: this.id, update } })
  }

  /** Asks for a permission and waits for the answer. */
  ask(toolCall: ToolCallFields, options = YES_OR_NO): Promise<PermissionOutcome> {
    return this.#actions.ask(toolCall, options)
  }
}
