// Long texts: a message's row keeps the beginning, its session's memory also the end; the rest is read from the events.
import {
  applyEvent,
  type ChunkUpdate,
  emptyTranscript,
  type EventOf,
  forgetContent,
  isReplacement,
  type Item,
  type TextItem,
  type ThoughtItem,
  type Transcript,
} from '@quayside/protocol'
import { yieldLoop } from '../../yield-loop.js'
import type { EventLog } from './event-log.js'
import { decodeEvent } from './encoded-events.js'

/**
 * A text in a row with exactly this length may be truncated; also one with the length of its end, if the hub was restarted while
 * it grew. A search does not find words behind it either.
 */
export const KEPT_CHARS = 64 * 1024
/** The end of a shortened text that is kept, at least. */
const END_CHARS = 8 * 1024
/** In the JSON of a chunk for which `isReplacement` may be true. */
const REPLACES = '"replaces"'
const CUT_NOTE = '\n[… cut here; all of it is in the events of the session]'

/** Shortens the text that an agent streams, now and then: later chunks are appended to its end. */
export function shorten(item: Item): Item {
  switch (item.type) {
    case 'text':
    case 'thought':
      return item.text.length <= KEPT_CHARS + 2 * END_CHARS ? item : withoutMiddle(item, KEPT_CHARS)
    case 'tool': {
      const { output = '' } = item.call
      if (output.length <= KEPT_CHARS + CUT_NOTE.length) return item
      return { ...item, call: { ...item.call, output: output.slice(0, KEPT_CHARS) + CUT_NOTE } }
    }
    default:
      return item
  }
}

/** A text with its first characters, at most `most`, and its end. */
function withoutMiddle<Any extends TextItem | ThoughtItem>(item: Any, most: number): Any {
  const { text, omitted } = item
  const at = Math.min(most, omitted?.at ?? most)
  const chars = (omitted?.chars ?? 0) + text.length - at - END_CHARS
  return { ...item, text: text.slice(0, at) + text.slice(-END_CHARS), omitted: { at, chars } }
}

/** The item as its row holds it: of a shortened text, the beginning. */
export function toStored(item: Item): Item {
  if ((item.type !== 'text' && item.type !== 'thought') || item.omitted === undefined) return item
  const { omitted, ...rest } = item
  return { ...rest, text: item.text.slice(0, omitted.at) }
}

/** The item as a page of a timeline and a checkpoint have it: long texts and outputs with their beginning and their end. */
export function toShown(item: Item): Item {
  switch (item.type) {
    case 'text':
    case 'thought':
      return item.text.length <= 4 * END_CHARS ? item : withoutMiddle(item, END_CHARS)
    case 'tool': {
      const { output = '' } = item.call
      if (output.length <= 4 * END_CHARS) return item
      const chars = output.length - 2 * END_CHARS
      const note = `\n[… ${chars} characters left out; all of them are in the events of the session]\n`
      const shown = output.slice(0, END_CHARS) + note + output.slice(-END_CHARS)
      return { ...item, call: { ...item.call, output: shown } }
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
  const mayBeCut = text.length === KEPT_CHARS || text.length === END_CHARS
  return mayBeCut && /^(?:text|thought):/.test(itemId)
}

/** The whole text in parts, folded from its own chunks: no other event changes it. Yields to other work after each page. */
export async function* wholeText(eventLog: EventLog, span: MessageSpan): AsyncGenerator<string> {
  const { turnId, seq } = span
  const turn = turnId === null ? null : { turnId, startedSeq: seq, startedAt: 0 }
  const transcript = emptyTranscript({ turn })
  let chunks = 0
  let rest = ''
  const start = await findStart(eventLog, span)
  for await (const page of pagesOf(eventLog, { ...span, seq: start })) {
    const known = textOf(transcript)
    for (const event of page) {
      // The reducer requires consecutive numbers.
      applyEvent(transcript, { ...event, seq: seq + chunks })
      chunks += 1
    }
    const text = rest + textOf(transcript).slice(known.length)
    // A character of two halves is not cut.
    rest = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
    yield text.slice(0, text.length - rest.length)
    const [item] = transcript.items
    if (item !== undefined) forgetContent(transcript, item.id)
  }
  yield rest
}

/** The chunk that replaced everything before it, or the first one. */
async function findStart(eventLog: EventLog, span: MessageSpan): Promise<number> {
  let start = span.seq
  for await (const page of pagesOf(eventLog, span, REPLACES))
    for (const { seq, data } of page) if (isReplacement(data.update as ChunkUpdate)) start = seq
  return start
}

/** The chunks of a message's kind in its span, those that contain `word`. */
async function* pagesOf(
  eventLog: EventLog,
  { sessionId, itemId, seq, updatedSeq }: MessageSpan,
  word = '',
): AsyncGenerator<readonly EventOf<'acp.update'>[]> {
  const kind = itemId.startsWith('text:') ? 'agent_message_chunk' : 'agent_thought_chunk'
  for (let after = seq - 1; after < updatedSeq;) {
    const page = await eventLog.read(sessionId, after, updatedSeq - after)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
      .filter(({ bytes }) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(word),
      )
      .map(decodeEvent)
      .filter((event) => event.type === 'acp.update')
      .filter(({ data }) => data.update.sessionUpdate === kind)
    after = last.seq
    await yieldLoop()
  }
}

function textOf({ items: [item] }: Transcript): string {
  return item?.type === 'text' || item?.type === 'thought' ? item.text : ''
}
