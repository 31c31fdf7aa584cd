// The definition of a text chunk and of a plain one, for every path that joins, offloads or rewrites streamed text.
import type { SessionUpdate } from '@quayside/protocol'
import { isObject } from '../../json.js'

/** The content may carry more fields, for example annotations. */
export type TextChunk = SessionUpdate & {
  readonly content: { readonly type: 'text'; readonly text: string }
}

/** Has no other data than its text, so that two chunks of the same message may be joined. */
export type PlainTextChunk = TextChunk & { readonly messageId?: string | null | undefined }

/** A piece of a message or a thought of the agent. Echoes of the user's prompt are none. */
export function isTextChunk(update: SessionUpdate): update is TextChunk {
  const { sessionUpdate } = update
  if (sessionUpdate !== 'agent_message_chunk' && sessionUpdate !== 'agent_thought_chunk')
    return false
  const { content } = update
  return isObject(content) && content['type'] === 'text' && typeof content['text'] === 'string'
}

/** `_meta`, annotations and unknown fields belong to one chunk alone: with any of them a chunk is not plain. */
export function isPlainTextChunk(update: SessionUpdate): update is PlainTextChunk {
  if (!isTextChunk(update) || Object.keys(update.content).length !== 2) return false
  const { messageId } = update
  if (messageId !== undefined && messageId !== null && typeof messageId !== 'string') return false
  return Object.keys(update).length === ('messageId' in update ? 3 : 2)
}

/** The same chunk with another text and every other field as it was. */
export function withText(update: TextChunk, text: string): TextChunk {
  return { ...update, content: { ...update.content, text } }
}
