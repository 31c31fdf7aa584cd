// Reads text, or a range of lines, from an open file, with bounded memory.
import type { FileHandle } from 'node:fs/promises'

export const MAX_READ_BYTES = 10 * 1024 * 1024
/** The limit for a range of lines in a larger file. */
const MAX_SCANNED_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 0x0a

/** `line` counts from 1. Absent or null means from the first line, or to the last. */
export type LineRange = {
  readonly line?: number | null | undefined
  readonly limit?: number | null | undefined
}

/** Lines keep their ends, so that consecutive ranges join to the file. Undefined when a limit is exceeded. */
export async function readTextRange(
  file: FileHandle,
  range: LineRange,
): Promise<string | undefined> {
  const lines = new LineWindow(range)
  const kept: Buffer[] = []
  let keptBytes = 0
  for (let position = 0; position < MAX_SCANNED_BYTES && !lines.isComplete;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), { position })
    if (bytesRead === 0) return decode(kept)
    position += bytesRead
    const part = lines.take(buffer.subarray(0, bytesRead))
    keptBytes += part.length
    if (keptBytes > MAX_READ_BYTES) return undefined
    if (part.length > 0) kept.push(part)
  }
  return lines.isComplete ? decode(kept) : undefined
}

/** Invalid UTF-8 becomes U+FFFD. A byte order mark is kept, so that writing the text back does not change the file. */
function decode(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString('utf8')
}

class LineWindow {
  #linesBefore: number
  #linesWanted: number

  constructor({ line, limit }: LineRange) {
    this.#linesBefore = Math.max(0, (line ?? 1) - 1)
    this.#linesWanted = Math.max(0, limit ?? Infinity)
  }

  get isComplete(): boolean {
    return this.#linesWanted === 0
  }

  /** The part of the next chunk that is in the window. */
  take(chunk: Buffer): Buffer {
    let start = 0
    for (; this.#linesBefore > 0; this.#linesBefore--) {
      const end = chunk.indexOf(LINE_FEED, start)
      if (end < 0) return chunk.subarray(0, 0)
      start = end + 1
    }
    if (this.#linesWanted === Infinity) return chunk.subarray(start)
    let end = start
    for (; this.#linesWanted > 0; this.#linesWanted--) {
      const lineFeed = chunk.indexOf(LINE_FEED, end)
      if (lineFeed < 0) return chunk.subarray(start)
      end = lineFeed + 1
    }
    return chunk.subarray(start, end)
  }
}
