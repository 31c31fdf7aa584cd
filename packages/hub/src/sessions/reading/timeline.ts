// Opens long sessions: a part of the log, folded from a checkpoint before it, and the position to follow from. A part costs the
// same in a log of a thousand and of a million events.
import { setImmediate } from 'node:timers/promises'
import {
  inReadingOrder,
  isOpen,
  isRecent,
  type Item,
  LATE_EVENTS,
  type QueuedTurn,
  saveState,
  type Timeline,
  type Transcript,
} from '@quayside/protocol'
import type { SessionStore } from '../../store/session-store.js'
import { decodeEvent } from '../log/encoded-events.js'
import { type FoldStore, foldTo, openFold } from '../log/fold-log.js'
import { foldLive, type LiveTranscript, liveTranscript } from '../log/live-transcript.js'
import { toShown } from '../log/long-texts.js'

/** A part goes back this many checkpoints, however few items it has then. */
const MAX_CHECKPOINTS = 4
const MAX_BYTES = 160 * 1024
/** A reader that goes on from a part needs the calls that have just ended, however few items it asks for. */
const MIN_ITEMS = 40
const READ_EVENTS = 100
/** A log with fewer checkpoints was written before there were any. */
const MAX_GAP = 10_000

export type TimelinesDeps = FoldStore & { readonly sessions: SessionStore }

/** The events from `start` up to, but without, `end`. */
type Part = { readonly start: number; readonly end: number }

export class Timelines {
  readonly #store: TimelinesDeps
  /** Old logs that get their checkpoints now. */
  readonly #filling = new Map<string, Promise<void>>()

  constructor(store: TimelinesDeps) {
    this.#store = store
  }

  /** About `limit` items before `before`, fewer when they are large. */
  async read(id: string, limit: number, before?: number): Promise<Timeline> {
    const lastSeq = await this.#store.events.lastSeq(id)
    const end = Math.min(before ?? lastSeq + 1, lastSeq + 1)
    await this.#fillGap(id, end)
    const part = { start: await this.#findStart(id, limit, end), end }
    const { transcript } = await this.#fold(id, part)
    const { items, start } = fitItems(transcript, part.start, Math.max(limit, MIN_ITEMS))
    const earlier = await this.#skipGrowth(id, start)
    return {
      items: inReadingOrder(items),
      seq: lastSeq,
      ...(earlier > 1 ? { before: earlier } : {}),
      state: saveState(transcript),
    }
  }

  /** The prompts that wait in the log, also those of a session that failed, until it is resumed. */
  async waiting(id: string): Promise<readonly QueuedTurn[]> {
    const end = (await this.#store.events.lastSeq(id)) + 1
    await this.#fillGap(id, end)
    const { transcript } = await this.#fold(id, { start: end, end })
    return transcript.queue
  }

  /** The state before `end`, with all items that changed from `start` on. */
  async #fold(id: string, { start, end }: Part): Promise<LiveTranscript> {
    const from = Math.min(start, end - LATE_EVENTS)
    const live = await openFold(this.#store, id, from - 1)
    await foldTo(this.#store, live, { sessionId: id, end: from })
    // From here on no item is dropped.
    while (live.transcript.seq < end - 1) {
      const left = end - 1 - live.transcript.seq
      const events = [
        ...(await this.#store.events.read(id, live.transcript.seq, Math.min(READ_EVENTS, left))),
      ]
      if (events.length === 0) break
      for (const encoded of events) foldLive(live, decodeEvent(encoded), encoded.bytes.length)
      await setImmediate()
    }
    return live
  }

  /** The beginning of an item, or an event after a checkpoint. */
  async #findStart(id: string, limit: number, end: number): Promise<number> {
    const { sessions, checkpoints } = this.#store
    const item = (await sessions.findMessageBefore(id, end, limit)) ?? 1
    let start = end
    for (let count = 0; count < MAX_CHECKPOINTS && item < start; count += 1) {
      const checkpoint = await checkpoints.find(id, start - 2)
      start = (checkpoint?.seq ?? 0) + 1
    }
    return Math.max(item, start)
  }

  /** Between checkpoints with the same number of steps only open items grew, which the later part has in their newer state. */
  async #skipGrowth(id: string, start: number): Promise<number> {
    const { checkpoints } = this.#store
    const last = await checkpoints.find(id, start - 1)
    if (last === undefined || last.seq !== start - 1) return start
    const first = await checkpoints.firstSeqOf(id, last.steps)
    return (first ?? last.seq) + 1
  }

  /** The first read of an old log folds it once. */
  async #fillGap(id: string, end: number): Promise<void> {
    const last = await this.#store.checkpoints.find(id, end)
    if (end - (last?.seq ?? 0) <= MAX_GAP) return
    const filling =
      this.#filling.get(id) ??
      foldTo(this.#store, liveTranscript(last), { sessionId: id, end }).finally(() =>
        this.#filling.delete(id),
      )
    this.#filling.set(id, filling)
    await filling
  }
}

/** The items of a part, the newest first to fit, and where the part begins then. Open items are always in it. */
function fitItems(
  transcript: Transcript,
  start: number,
  limit: number,
): { readonly items: readonly Item[]; readonly start: number } {
  const open = transcript.items.filter((item) => isOpen(transcript, item))
  const others = transcript.items.filter(
    (item) => !isOpen(transcript, item) && (item.updatedSeq >= start || isRecent(transcript, item)),
  )
  const kept: Item[] = []
  let bytes = 0
  let begin = start
  for (const item of others.toSorted((a, b) => b.updatedSeq - a.updatedSeq)) {
    const shown = toShown(item)
    bytes += JSON.stringify(shown).length
    // An event may change several items, and is in one part with all of them.
    const isFull = bytes > MAX_BYTES || kept.length >= limit
    if (isFull && item.updatedSeq < (kept.at(-1)?.updatedSeq ?? 0)) {
      begin = item.updatedSeq + 1
      break
    }
    kept.push(shown)
  }
  return { items: [...open.map(toShown), ...kept], start: Math.max(begin, start) }
}
