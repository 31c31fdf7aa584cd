// A ring buffer of the last bytes of an output. Always valid UTF-8, never more than its limit.
import { StringDecoder } from 'node:string_decoder'

/** A piece of output. The reader continues at `next`. */
export type OutputPiece = {
  readonly text: string
  /** Bytes that were dropped before this reader got them. */
  readonly skippedBytes: number
  readonly next: number
}

const FIRST_CAPACITY_BYTES = 4 * 1024
const PIECE_BYTES = 64 * 1024

export class OutputTail {
  // Decoded on arrival, because a replacement character is longer than the byte it replaces.
  readonly #decoder = new StringDecoder('utf8')
  readonly #limitBytes: number
  /** Grows up to the limit; the byte at offset `n` of the output is at `n % limit`. */
  #ring = Buffer.alloc(0)
  #totalBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get truncated(): boolean {
    return this.#totalBytes > this.#limitBytes
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  get capacityBytes(): number {
    return this.#ring.length
  }

  push(chunk: Buffer): void {
    this.#write(Buffer.from(this.#decoder.write(chunk)))
  }

  /** An incomplete character at the end becomes a replacement character. */
  end(): void {
    this.#write(Buffer.from(this.#decoder.end()))
  }

  text(): string {
    return this.#bytes(this.#firstKept(), this.#totalBytes).toString()
  }

  /** Undefined at the end. Returns at most one page, so that a slow reader holds little. */
  readAfter(offset: number, pageBytes = PIECE_BYTES): OutputPiece | undefined {
    const from = Math.max(offset, this.#firstKept())
    if (from >= this.#totalBytes) return undefined
    let next = Math.min(from + pageBytes, this.#totalBytes)
    while (next < this.#totalBytes && this.#isContinuation(next)) next -= 1
    return { text: this.#bytes(from, next).toString(), skippedBytes: from - offset, next }
  }

  /** The offset of the first whole character in the ring. */
  #firstKept(): number {
    let offset = Math.max(0, this.#totalBytes - this.#limitBytes)
    while (offset < this.#totalBytes && this.#isContinuation(offset)) offset += 1
    return offset
  }

  #isContinuation(offset: number): boolean {
    const byte = this.#ring[offset % this.#limitBytes] ?? 0
    return (byte & 0b1100_0000) === 0b1000_0000
  }

  #write(bytes: Buffer): void {
    this.#totalBytes += bytes.length
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#limitBytes))
    if (kept.length === 0) return
    this.#grow(Math.min(this.#totalBytes, this.#limitBytes))
    const fitting = kept.copy(this.#ring, (this.#totalBytes - kept.length) % this.#limitBytes)
    kept.copy(this.#ring, 0, fitting)
  }

  #grow(neededBytes: number): void {
    if (neededBytes <= this.#ring.length) return
    const wanted = Math.max(neededBytes, this.#ring.length * 2, FIRST_CAPACITY_BYTES)
    const grown = Buffer.alloc(Math.min(wanted, this.#limitBytes))
    this.#ring.copy(grown)
    this.#ring = grown
  }

  #bytes(from: number, to: number): Buffer {
    if (from === to) return Buffer.alloc(0)
    const start = from % this.#limitBytes
    const end = start + to - from
    if (end <= this.#limitBytes) return this.#ring.subarray(start, end)
    return Buffer.concat([
      this.#ring.subarray(start),
      this.#ring.subarray(0, end - this.#limitBytes),
    ])
  }
}
