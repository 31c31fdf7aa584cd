// Long texts: a message's row and its session's memory keep the beginning; the rest is read from the events.
import { setImmediate } from 'node:timers/promises'
import { applyEvent, emptyTranscript, type Item } from '@quayside/protocol'
import type { EventLog } from './event-log.js'
import { decodeEvent } from './encoded-events.js'

/** A text in a row with exactly this length may be truncated. A search does not find words behind it either. */
export const KEPT_CHARS = 64 * 1024
const CUT_NOTE = '\n[… cut here; all of it is in the events of the session]'

/** Truncates the text that an agent streamed. Truncating again after the text has grown gives the same result. */
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

/** The events of a message: the one it began with, and the last that changed it. */
export type MessageSpan = {
  readonly sessionId: string
  readonly itemId: string
  readonly turnId: string | null
  readonly seq: number
  readonly updatedSeq: number
}

export function isTruncated({ itemId }: MessageSpan, text: string): boolean {
  return text.length === KEPT_CHARS && /^(?:text|thought):/.test(itemId)
}

/** The whole text, folded from its own chunks: no other event changes it. Yields to other work after each page. */
export async function readWholeText(eventLog: EventLog, span: MessageSpan): Promise<string> {
  const { sessionId, itemId, turnId, seq, updatedSeq } = span
  const turn = turnId === null ? null : { turnId, startedSeq: seq, startedAt: 0 }
  const transcript = emptyTranscript({ turn })
  const kind = itemId.startsWith('text:') ? 'agent_message_chunk' : 'agent_thought_chunk'
  let chunks = 0
  for (let after = seq - 1; after < updatedSeq;) {
    const page = await eventLog.read(sessionId, after, updatedSeq - after)
    const last = page.at(-1)
    if (last === undefined) break
    for (const encoded of page) {
      const event = decodeEvent(encoded)
      if (event.type !== 'acp.update' || event.data.update.sessionUpdate !== kind) continue
      // The reducer requires consecutive numbers.
      applyEvent(transcript, { ...event, seq: seq + chunks })
      chunks += 1
    }
    after = last.seq
    await setImmediate()
  }
  const [item] = transcript.items
  return item?.type === 'text' || item?.type === 'thought' ? item.text : ''
}
