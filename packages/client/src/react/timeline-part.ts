// A part of a conversation as it was before one event, extended page by page towards its beginning and, away from the loaded end,
// towards that.
import { type Item, placeOf, type Timeline } from '@quayside/protocol'

/** The events with which a part grows towards the end. */
const STEP = 60

export class TimelinePart {
  readonly items = new Map<string, Item>()
  /** The cursor of the items before it; 0 at the beginning of the conversation. */
  start = 0
  end: number
  readonly #read: (before: number) => Promise<Timeline>

  /** Without an `end` it includes all newer items. */
  constructor(read: (before: number) => Promise<Timeline>, end = Number.POSITIVE_INFINITY) {
    this.#read = read
    this.end = end
  }

  async loadOlder(at = this.start): Promise<void> {
    if (at > 0) this.start = await this.#load(at)
  }

  /** Up to the event `until` at most. */
  async loadNewer(until: number): Promise<void> {
    const end = Math.min(this.end + STEP, until)
    for (let at = end; at > this.end;) at = await this.#load(at)
    this.end = Math.max(this.end, end)
  }

  /** The prompt of a running turn is known before its place is read. There it would be first, and earlier rows come after it. */
  has(item: Item): boolean {
    const place = placeOf(item)
    return place < this.end && (item.type !== 'user' || place >= this.start)
  }

  /** The items before an event; an item that is known already may have a newer state. */
  async #load(at: number): Promise<number> {
    const { items, before = 0 } = await this.#read(at)
    for (const item of items)
      if (item.updatedSeq > (this.items.get(item.id)?.updatedSeq ?? 0))
        this.items.set(item.id, item)
    return before
  }
}
