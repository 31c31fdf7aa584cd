// The memory of one session: its prompts and answers, as ACP updates that can be replayed.
import type { ContentBlock, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk'

export interface RememberedTurn {
  readonly prompt: ContentBlock[]
  readonly updates: SessionUpdate[]
}

export interface Conversation {
  readonly sessionId: string
  cwd: string
  title: string | null
  modeId: string
  model: string
  /** Milliseconds since 1970. */
  updatedAt: number
  readonly turns: RememberedTurn[]
}

/** Adds an update to a turn's memory; text that continues the last chunk is joined to it. */
export function remember(turn: RememberedTurn, update: SessionUpdate) {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      if (!joinText(turn.updates.at(-1), update)) turn.updates.push(structuredClone(update))
      return
    case 'tool_call':
    case 'tool_call_update':
      turn.updates.push({
        ...update,
        ...(update.content && { content: withoutTerminals(update.content) }),
      })
      return
    case 'plan':
      turn.updates.push(update)
  }
}

/** A stored prompt: text and links complete, other blocks (images, files) only by their type. */
export function rememberedPrompt(prompt: readonly ContentBlock[]): ContentBlock[] {
  return prompt.map((block) =>
    block.type === 'text' || block.type === 'resource_link'
      ? block
      : { type: 'text', text: `[${block.type}]` },
  )
}

/** The whole conversation in order, as `session/load` must send it. */
export function* replay(conversation: Conversation): Generator<SessionUpdate> {
  for (const turn of conversation.turns) {
    for (const content of turn.prompt) yield { sessionUpdate: 'user_message_chunk', content }
    yield* turn.updates
  }
}

export function promptText(prompt: readonly ContentBlock[]): string {
  return prompt
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim()
}

function joinText(last: SessionUpdate | undefined, next: SessionUpdate): boolean {
  if (last?.sessionUpdate !== next.sessionUpdate) return false
  if (!('content' in last && 'content' in next) || !isText(last.content) || !isText(next.content)) {
    return false
  }
  last.content.text += next.content.text
  return true
}

function isText(content: unknown): content is ContentBlock & { type: 'text' } {
  return typeof content === 'object' && content !== null && 'text' in content
}

// A terminal's id means nothing to a client that loads the session later.
function withoutTerminals(content: ToolCallContent[]): ToolCallContent[] {
  return content.map((item) =>
    item.type === 'terminal'
      ? { type: 'content', content: { type: 'text', text: '(The terminal is gone.)' } }
      : item,
  )
}
