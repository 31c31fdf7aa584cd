// The messages of a session as the text of a JSON array, for sessions of any length: page by page, with other work in between.
import { type MessageContent, messageOf, type SessionSummary } from '@quayside/protocol'
import type { Since } from '@quayside/protocol/schemas'
import type { MessageRow, SessionStore } from '../../store/session-store.js'
import { yieldLoop } from '../../yield-loop.js'
import type { EventLog } from '../log/event-log.js'
import { isTruncated, KEPT_CHARS, wholeText } from '../log/long-texts.js'
import type { Projection } from '../log/projection.js'

/** Limits of a page: events, because most of them begin no message, and characters. */
const PAGE_EVENTS = 1_000
const PAGE_CHARS = 64 * 1024
/** In the JSON of a message only its own content has it: in a text, quotes are escaped. */
const NO_TEXT = '"text":""'

type TextContent = Extract<MessageContent, { text: string }>

export type SessionMessagesDeps = {
  readonly store: SessionStore
  readonly projection: Projection
  readonly eventLog: EventLog
}

/**
 * All messages up to `lastSeq` in the order they began, or those created or changed after `since`. A message that changes while
 * others are read is as new as its `updatedSeq`.
 */
export async function* messagesJson(
  deps: SessionMessagesDeps,
  { id: sessionId, lastSeq }: Pick<SessionSummary, 'id' | 'lastSeq'>,
  since?: Since,
): AsyncGenerator<string> {
  let separator = '['
  for (let after = 0; after < lastSeq;) {
    const until = Math.min(after + PAGE_EVENTS, lastSeq)
    const range = { after, until, changedAfter: since }
    const { rows, end } = cutPage(await deps.store.messages(sessionId, range))
    let json = ''
    for (const row of rows.map((one) => withLive(one, deps.projection))) {
      if (since !== undefined && !isAfter(row, since)) continue
      json += separator
      separator = ','
      const text = findCutText(row)
      if (text === undefined) json += messageJson(row)
      else {
        yield json
        yield* longMessageJson(deps.eventLog, row, text)
        json = ''
      }
    }
    // A reader that has gone ends the reading here, also when there is no message.
    yield json
    after = end ?? until
    await yieldLoop()
  }
  yield separator === '[' ? '[]' : ']'
}

type Page = {
  readonly rows: readonly MessageRow[]
  /** The last event of a page that was cut. */
  readonly end?: number
}

/** Messages of one event stay on one page. */
function cutPage(found: Iterable<MessageRow>): Page {
  const rows: MessageRow[] = []
  let chars = 0
  for (const row of found) {
    const end = rows.at(-1)?.seq
    if (chars >= PAGE_CHARS && end !== undefined && row.seq > end) return { rows, end }
    rows.push(row)
    chars += row.content.length
  }
  return { rows }
}

/** A growing message is read from memory: its row holds only its beginning. */
function withLive(row: MessageRow, projection: Projection): MessageRow {
  const live = row.partial ? projection.findLiveItem(row.sessionId, row.itemId) : undefined
  if (live === undefined) return row
  const content = messageOf(live)?.content
  const { updatedSeq, updatedAt } = live
  return { ...row, updatedSeq, updatedAt, ...(content && { content: JSON.stringify(content) }) }
}

/** The content is stored as JSON and sent as it is. */
function messageJson(row: MessageRow, content = row.content): string {
  const { id, sessionId, turnId, role, seq, updatedSeq } = row
  const timestamp = new Date(row.timestamp).toISOString()
  const updatedAt = new Date(row.updatedAt).toISOString()
  const head = JSON.stringify({ id, sessionId, turnId, role })
  const tail = JSON.stringify({ seq, updatedSeq, timestamp, updatedAt })
  return `${head.slice(0, -1)},"content":${content},${tail.slice(1)}`
}

/** A text that is longer than its row is sent in parts. */
async function* longMessageJson(
  eventLog: EventLog,
  row: MessageRow,
  content: TextContent,
): AsyncGenerator<string> {
  const json = messageJson(row, JSON.stringify({ ...content, text: '' }))
  const start = json.indexOf(NO_TEXT) + NO_TEXT.length - 1
  yield json.slice(0, start)
  for await (const part of wholeText(eventLog, row)) yield JSON.stringify(part).slice(1, -1)
  yield json.slice(start)
}

function findCutText(row: MessageRow): TextContent | undefined {
  if (row.content.length < KEPT_CHARS) return undefined
  const content = JSON.parse(row.content) as MessageContent
  if (content.type !== 'text' && content.type !== 'thought') return undefined
  return isTruncated(row, content.text) ? content : undefined
}

function isAfter(row: MessageRow, since: Since): boolean {
  return since.by === 'seq' ? row.updatedSeq > since.seq : row.updatedAt > since.at
}
