// One follower of a session's wire traffic: queues lines until they are read. The agent never waits for a follower.
import { setImmediate } from 'node:timers/promises'
import type { WireFrame } from '@quayside/protocol'
import type { Redactor } from '../redact/redact.js'
import { belongsTo, type KeptLine, WireReader, type WireSource } from './wire-frame.js'

/** Replaces lines that came faster than they were read. */
export type DroppedFrames = { readonly at: number; readonly dropped: number }

const MAX_WAITING_CHARS = 8 * 1024 * 1024
const MAX_WAITING_LINES = 50_000
/** Time to decode lines before yielding to the event loop. */
const PAGE_MS = 4

export class WireFollow {
  readonly #sessionId: string
  readonly #redactor: Redactor
  readonly #readers = new Map<WireSource, WireReader>()
  #waiting: KeptLine[] = []
  #waitingChars = 0
  #dropped = 0
  #wake = (): void => undefined

  constructor(sessionId: string, redactor: Redactor) {
    this.#sessionId = sessionId
    this.#redactor = redactor
  }

  /** Queues a line of a process that serves the session. */
  take(line: KeptLine): void {
    const isFull =
      this.#waitingChars > MAX_WAITING_CHARS || this.#waiting.length >= MAX_WAITING_LINES
    if (isFull || this.#dropped > 0) this.#dropped += 1
    else {
      this.#waiting.push(line)
      this.#waitingChars += line.text.length
    }
    this.#wake()
  }

  /** Yields the last `limit` of the queued lines, then new lines page by page, until `signal` aborts. */
  async *pages(limit: number, signal: AbortSignal): AsyncGenerator<(WireFrame | DroppedFrames)[]> {
    const wake = () => this.#wake()
    signal.addEventListener('abort', wake, { once: true })
    yield this.#read(Infinity).slice(-limit)
    while (!signal.aborted) {
      const page = this.#read(PAGE_MS)
      if (page.length > 0) yield page
      // While lines are queued, yield to the event loop between pages.
      if (this.#waiting.length > 0 || this.#dropped > 0) await setImmediate()
      else await this.#line(signal)
    }
  }

  #read(ms: number): (WireFrame | DroppedFrames)[] {
    const until = performance.now() + ms
    const page: (WireFrame | DroppedFrames)[] = []
    let taken = 0
    for (const line of this.#waiting) {
      taken += 1
      this.#waitingChars -= line.text.length
      const frame = this.#frameOf(line)
      if (frame !== undefined) page.push(frame)
      if (performance.now() > until) break
    }
    this.#waiting = this.#waiting.slice(taken)
    if (this.#waiting.length > 0 || this.#dropped === 0) return page
    page.push({ at: Date.now(), dropped: this.#dropped })
    this.#dropped = 0
    return page
  }

  #frameOf(line: KeptLine): WireFrame | undefined {
    const reader = this.#readers.get(line.source) ?? new WireReader(this.#redactor)
    this.#readers.set(line.source, reader)
    const frame = reader.read(line)
    return belongsTo(this.#sessionId, line, frame) ? frame : undefined
  }

  async #line(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (signal.aborted) resolve()
    })
    this.#wake = () => undefined
  }
}
