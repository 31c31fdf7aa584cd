// Finds a text in the whole conversation of one session, newest first. It reads the message rows themselves, in slices with other work
// in between: a row is committed with its events, so that nothing is missing, and people find parts of words and outputs of tools.
import {
  type FoundPlace,
  type FoundPlaces,
  type MessageContent,
  messageOf,
  messageText,
  wantedPattern,
} from '@quayside/protocol'
import { z } from 'zod'
import type { ScannedMessage, SessionStore } from '../../store/session-store.js'
import { yieldLoop } from '../../yield-loop.js'
import type { Projection } from '../log/projection.js'
import { excerptOf } from './excerpt.js'
import { readCursor, toCursor } from './session-filter.js'

/** Other work runs after this much of scanning. */
const SLICE_MS = 4
/** A page ends after this, whatever it has found: the client continues with its cursor. */
const PAGE_MS = 250
const cursorSchema = z.tuple([z.literal('f'), z.int().min(1)])

export type PlaceFinderDeps = { readonly store: SessionStore; readonly projection: Projection }

export type FindRequest = {
  readonly q: string
  readonly limit: number
  readonly cursor?: string
}

type Slice = {
  readonly places: readonly FoundPlace[]
  /** The event before which the next slice continues; undefined at the beginning of the log. */
  readonly before: number | undefined
}

export class PlaceFinder {
  readonly #store: SessionStore
  readonly #projection: Projection

  constructor({ store, projection }: PlaceFinderDeps) {
    this.#store = store
    this.#projection = projection
  }

  async find(sessionId: string, { q, limit, cursor }: FindRequest): Promise<FoundPlaces> {
    const pattern = wantedPattern(q)
    if (pattern === undefined) return { places: [] }
    const places: FoundPlace[] = []
    const deadline = performance.now() + PAGE_MS
    let before =
      cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor, cursorSchema)[1]
    for (;;) {
      const rows = await this.#store.scanMessages(sessionId, before, q.trim())
      const slice = this.#scan(sessionId, rows, { pattern, most: limit - places.length })
      places.push(...slice.places)
      if (slice.before === undefined) return { places }
      before = slice.before
      if (places.length >= limit || performance.now() > deadline)
        return { places, nextCursor: toCursor(['f', before]) }
      await yieldLoop()
    }
  }

  /** Messages of one event stay in one slice, which may then have a few more than `most`. */
  #scan(
    sessionId: string,
    rows: Iterable<ScannedMessage>,
    { pattern, most }: { readonly pattern: RegExp; readonly most: number },
  ): Slice {
    const places: FoundPlace[] = []
    const end = performance.now() + SLICE_MS
    let before: number | undefined
    for (const row of rows) {
      const isFull = places.length >= most || performance.now() > end
      if (isFull && before !== undefined && row.seq < before) return { places, before }
      before = row.seq
      const place =
        row.content === null ? undefined : placeIn(this.#withLive(sessionId, row), pattern)
      if (place) places.push(place)
    }
    return { places, before: undefined }
  }

  /** A growing message is read from memory: its row holds only its beginning. */
  #withLive(sessionId: string, row: ScannedMessage): ScannedMessage {
    const live = row.partial ? this.#projection.findLiveItem(sessionId, row.itemId) : undefined
    const content = live && messageOf(live)?.content
    if (live === undefined || content === undefined) return row
    return { ...row, updatedSeq: live.updatedSeq, content: JSON.stringify(content) }
  }
}

function placeIn(row: ScannedMessage, pattern: RegExp): FoundPlace | undefined {
  const content = JSON.parse(row.content ?? 'null') as MessageContent
  const text = messageText(content)
  const isText = content.type === 'text' || content.type === 'thought'
  const count = isText ? countOf(text, pattern) : Math.min(countOf(text, pattern), 1)
  if (count === 0) return undefined
  const { itemId, seq, updatedSeq, turnId } = row
  const excerpt = excerptOf(text, (part) => part.matchAll(pattern))
  return { itemId, seq, updatedSeq, turnId, type: content.type, count, excerpt }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
