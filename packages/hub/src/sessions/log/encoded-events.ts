// An event as bytes. For events that are read again, `store/sqlite/event-rows.ts` builds the same bytes in SQL; a test compares
// the two.
import type { SessionEvent } from '@quayside/protocol'
import type { EncodedEvent, NewEvent } from '../../store/event-store.js'

/** An event of the current batch, before and after it is encoded. */
export type NumberedEvent = { readonly event: SessionEvent; readonly encoded: NewEvent }

export function encodeEvent({ sessionId, seq, at, type, data }: SessionEvent): NewEvent {
  const head = `{"sessionId":"${sessionId}","seq":${seq},"at":${at},"type":"${type}","data":`
  const bytes = Buffer.from(`${head}${JSON.stringify(data)}}`)
  // The head is ASCII, so its length in characters is its length in bytes.
  return { seq, at, type, bytes, data: bytes.subarray(head.length, -1) }
}

const decoder = new TextDecoder()

export function jsonOf({ bytes }: EncodedEvent): string {
  return decoder.decode(bytes)
}

export function decodeEvent(event: EncodedEvent): SessionEvent {
  return JSON.parse(jsonOf(event)) as SessionEvent
}

/** Of a single read, so that no reader blocks the loop or uses much memory. */
const PAGE_BYTES = 64 * 1024

/** Ends with the event that makes it long enough: an event that is left out would have to be read again. */
export function cutPage(events: Iterable<EncodedEvent>): EncodedEvent[] {
  const page: EncodedEvent[] = []
  let length = 0
  for (const event of events) {
    page.push(event)
    length += event.bytes.length
    if (length >= PAGE_BYTES) break
  }
  return page
}
