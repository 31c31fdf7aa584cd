// Joins text chunks of one message that wait for the same commit into one chunk, still a valid ACP update.
import type { EventBody } from '@quayside/protocol'
import { isPlainTextChunk, type PlainTextChunk, withText } from '../../agents/wire/text-chunk.js'

/** Text beyond this starts a new event, so that no single event grows without limit. */
const MAX_JOINED_LENGTH = 64 * 1024

/** A run of text chunks that may still grow until it is committed. */
export class TextRun {
  readonly #first: PlainTextChunk
  readonly #turnId: string | undefined
  readonly #parts: string[]
  #length: number

  private constructor(chunk: PlainTextChunk, turnId: string | undefined) {
    this.#first = chunk
    this.#turnId = turnId
    this.#parts = [chunk.content.text]
    this.#length = chunk.content.text.length
  }

  static from(body: EventBody): TextRun | undefined {
    if (body.type !== 'acp.update' || !isPlainTextChunk(body.data.update)) return undefined
    return new TextRun(body.data.update, body.data.turnId)
  }

  /** Adds the next chunk. False when it belongs to another message or the run is full. */
  tryJoin(body: EventBody): boolean {
    if (body.type !== 'acp.update' || body.data.turnId !== this.#turnId) return false
    const { update } = body.data
    if (!isPlainTextChunk(update)) return false
    if (update.sessionUpdate !== this.#first.sessionUpdate) return false
    if ((update.messageId ?? null) !== (this.#first.messageId ?? null)) return false
    if (this.#length + update.content.text.length > MAX_JOINED_LENGTH) return false
    this.#parts.push(update.content.text)
    this.#length += update.content.text.length
    return true
  }

  get length(): number {
    return this.#length
  }

  toBody(): EventBody {
    const update = withText(this.#first, this.#parts.join(''))
    const turn = this.#turnId === undefined ? {} : { turnId: this.#turnId }
    return { type: 'acp.update', data: { ...turn, update } }
  }
}
