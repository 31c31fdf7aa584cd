// Long texts: a message's row and the memory of its session keep the beginning, the rest is in the events it was made of.
import { setImmediate } from 'node:timers/promises'
import { applyEvent, emptyTranscript, type Item } from '@quayside/protocol'
import type { EventLog } from './event-log.js'
import { decodeEvent } from './event-rows.js'

/** A text in a row that is exactly this long may go on. Searching finds nothing behind it either. */
export const KEPT_CHARS = 64 * 1024
const CUT_NOTE = '\n[… cut here; all of it is in the events of the session]'

/** The item with as much of what its agent streamed as is kept. Shortening again what has grown since gives the same. */
export function shorten(item: Item): Item {
  switch (item.type) {
    case 'text':
    case 'thought':
      return item.text.length <= KEPT_CHARS
        ? item
        : { ...item, text: item.text.slice(0, KEPT_CHARS) }
    case 'tool': {
      const { output = '' } = item.call
      if (output.length <= KEPT_CHARS + CUT_NOTE.length) return item
      return { ...item, call: { ...item.call, output: output.slice(0, KEPT_CHARS) + CUT_NOTE } }
    }
    default:
      return item
  }
}

/** Where a message is in the log: of `text` items the event they began with, and the last that changed them. */
export type MessagePlace = {
  readonly sessionId: string
  readonly itemId: string
  readonly turnId: string | null
  readonly seq: number
  readonly updatedSeq: number
}

export function isTruncated({ itemId }: MessagePlace, text: string): boolean {
  return text.length === KEPT_CHARS && /^(?:text|thought):/.test(itemId)
}

/** The whole text, folded from its own chunks: nothing else changes it. Others have their turn after each page. */
export async function readWholeText(eventLog: EventLog, place: MessagePlace): Promise<string> {
  const { sessionId, itemId, turnId, seq, updatedSeq } = place
  const turn = turnId === null ? null : { turnId, startedSeq: seq, startedAt: 0 }
  const transcript = emptyTranscript({ turn })
  const kind = itemId.startsWith('text:') ? 'agent_message_chunk' : 'agent_thought_chunk'
  let chunks = 0
  for (let after = seq - 1; after < updatedSeq;) {
    const page = eventLog.read(sessionId, after, updatedSeq - after)
    const last = page.at(-1)
    if (last === undefined) break
    for (const encoded of page) {
      const event = decodeEvent(encoded)
      if (event.type !== 'acp.update' || event.data.update.sessionUpdate !== kind) continue
      // The reducer wants no gaps.
      applyEvent(transcript, { ...event, seq: seq + chunks })
      chunks += 1
    }
    after = last.seq
    await setImmediate()
  }
  const [item] = transcript.items
  return item?.type === 'text' || item?.type === 'thought' ? item.text : ''
}
