// Violations of the protocol by agents, declared in their manifests, and the filter that normalises their updates.
import type { SessionUpdate } from '@quayside/protocol'
import { z } from 'zod'
import { isObject } from '../../json.js'
import { ItemStarts } from '../wire/item-starts.js'
import { isTextChunk, type TextChunk, withText } from '../wire/text-chunk.js'

export const quirksSchema = z.strictObject({
  /** `snapshot`: each chunk repeats the whole message so far. */
  chunks: z.enum(['delta', 'snapshot']).exactOptional(),
  /** `blocks`: each thought chunk is a paragraph of its own, sent without a separator. */
  thoughts: z.enum(['delta', 'blocks']).exactOptional(),
  /** A message that starts with this prefix is not a message: the rest is the id of the new mode. */
  modeUpdatePrefix: z.string().min(1).exactOptional(),
  /** The replay of `session/load` continues after its answer, until an update of this kind. */
  replayEndsWith: z.string().min(1).exactOptional(),
  /** `session/load` in the clock minute in which the session began destroys it. */
  noLoadInSameMinute: z.boolean().exactOptional(),
  /** It reads a file before it creates it, and gives up at an error: a missing file is answered as an empty one. */
  readsBeforeCreating: z.boolean().exactOptional(),
})
export type Quirks = z.infer<typeof quirksSchema>

/** True for quirks that need each chunk separately, so that chunks must not be joined before the filter. */
export function hasChunkQuirk({ chunks, thoughts, modeUpdatePrefix }: Quirks): boolean {
  return chunks === 'snapshot' || thoughts === 'blocks' || modeUpdatePrefix !== undefined
}

/** Normalises the updates of one ACP session, in wire order. Decides by the manifest, never by guessing from texts. */
export class UpdateFilter {
  readonly #quirks: Quirks
  /** The key of the message that is being repeated, and the text of its last snapshot. */
  #snapshot: { readonly of: string; readonly text: string } | undefined
  #lastWasThought = false
  readonly #items = new ItemStarts()

  constructor(quirks: Quirks) {
    this.#quirks = quirks
  }

  /** A new turn starts a new message. */
  startTurn(): void {
    this.#items.clear()
    this.#endMessage()
  }

  apply(update: SessionUpdate): SessionUpdate | undefined {
    if (!hasChunkQuirk(this.#quirks)) return update
    if (!isTextChunk(update)) {
      if (this.#items.startsItem(update)) this.#endMessage()
      return update
    }
    const { text } = update.content
    const mode = this.#modeOf(update, text)
    if (mode !== undefined) return { sessionUpdate: 'current_mode_update', currentModeId: mode }
    const wasThought = this.#lastWasThought
    this.#lastWasThought = update.sessionUpdate === 'agent_thought_chunk'
    if (this.#quirks.chunks === 'snapshot') return this.#toDelta(update, text)
    if (this.#quirks.thoughts === 'blocks' && this.#lastWasThought && wasThought)
      return withText(update, `\n\n${text}`)
    return update
  }

  #endMessage(): void {
    this.#snapshot = undefined
    this.#lastWasThought = false
  }

  #modeOf(update: SessionUpdate, text: string): string | undefined {
    const { modeUpdatePrefix: prefix } = this.#quirks
    if (prefix === undefined || update.sessionUpdate !== 'agent_message_chunk') return undefined
    return text.startsWith(prefix) ? text.slice(prefix.length).trim() : undefined
  }

  /** The text that a snapshot adds to the previous one. A snapshot that does not extend it replaces the message. */
  #toDelta(update: TextChunk, text: string): SessionUpdate | undefined {
    const of = `${update.sessionUpdate} ${JSON.stringify(update['messageId'] ?? null)}`
    const before = this.#snapshot?.of === of ? this.#snapshot.text : ''
    this.#snapshot = { of, text }
    if (text === before) return undefined
    if (text.startsWith(before)) return withText(update, text.slice(before.length))
    const meta = isObject(update['_meta']) ? update['_meta'] : {}
    return { ...update, _meta: { ...meta, quayside: { replaces: true } } }
  }
}
