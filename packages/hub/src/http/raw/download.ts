// Answers that are too long to hold: written as fast as the reader takes them, and no further when it has gone.
import { once } from 'node:events'
import type { Response } from 'express'

const WRITE_CHARS = 64 * 1024
const MAX_NAME_CHARS = 60
const KEEP_ALIVE_MS = 15_000

/** Writes everything and ends the response. When the reader goes, `texts` is ended; when `texts` fails, the connection is. */
export async function sendAll(response: Response, texts: AsyncIterable<string>): Promise<void> {
  let waiting = ''
  for await (const text of texts) {
    if (response.destroyed) return
    waiting += text
    if (waiting.length < WRITE_CHARS) continue
    const isRoom = response.write(waiting)
    waiting = ''
    if (!isRoom) await roomIn(response)
  }
  if (response.headersSent) response.end(waiting)
  // A short answer has its length and an ETag, like any other.
  else response.send(Buffer.from(waiting))
}

/** Aborts when the reader has gone, or has everything. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** Resolves when there is room again, or the reader has gone. */
export async function roomIn(response: Response): Promise<void> {
  if (response.destroyed) return
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  over.abort()
}

/** Writes `text` at intervals, so that nothing on the way closes a silent stream. Returns a function that stops it. */
export function keepAlive(response: Response, text: string): () => void {
  const timer = setInterval(() => {
    // A reader that is behind has enough to read.
    if (!response.writableNeedDrain) response.write(text)
  }, KEEP_ALIVE_MS)
  return () => clearInterval(timer)
}

/** A name that every system takes, from a title that anybody may have written: letters and digits of any script. */
export function fileNameOf(title: string | null, id: string): string {
  const words = (title ?? '').normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const name = words
    .join('-')
    .slice(0, MAX_NAME_CHARS)
    .replace(/[\uD800-\uDBFF]$/, '')
  return name === '' ? `session-${id}` : `${name}-${id.slice(-8)}`
}
