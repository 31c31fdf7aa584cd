// Reads an agent's stdout: bytes to lines, lines to JSON-RPC messages, each classified. Never throws, never answers.
import { StringDecoder } from 'node:string_decoder'

export type JsonObject = { readonly [key: string]: unknown }

/** One message of the wire, told apart by its fields alone. */
export type Frame =
  | { readonly is: 'request'; readonly message: JsonObject }
  | { readonly is: 'notification'; readonly message: JsonObject; readonly method: string }
  | { readonly is: 'response'; readonly message: JsonObject }
  | { readonly is: 'junk'; readonly reason: string; readonly text: string }

/** A line longer than this is skipped up to its end. */
export const MAX_LINE_CHARS = 16 * 1024 * 1024
const JUNK_TEXT_CHARS = 200

/** Cuts a byte stream into lines, whatever its chunks; UTF-8 sequences may be split anywhere. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #maxChars: number
  #parts: string[] = []
  #length = 0
  #skipping = false

  constructor(maxChars = MAX_LINE_CHARS) {
    this.#maxChars = maxChars
  }

  /** The lines that this chunk completes. A line over the cap comes out as its cut beginning with `tooLong`. */
  push(chunk: Buffer): { readonly text: string; readonly tooLong: boolean }[] {
    const pieces = this.#decoder.write(chunk).split('\n')
    const rest = pieces.pop() ?? ''
    const lines = pieces.map((piece) => {
      this.#add(piece)
      return this.#take()
    })
    this.#add(rest)
    return lines
  }

  /** The last line when the stream ends without a newline. */
  end(): { readonly text: string; readonly tooLong: boolean }[] {
    this.#add(this.#decoder.end())
    return this.#length > 0 ? [this.#take()] : []
  }

  #add(piece: string): void {
    if (piece === '' || this.#skipping) return
    this.#parts.push(piece)
    this.#length += piece.length
    if (this.#length <= this.#maxChars) return
    this.#parts = [this.#parts.join('').slice(0, JUNK_TEXT_CHARS)]
    this.#skipping = true
  }

  #take(): { text: string; tooLong: boolean } {
    const line = { text: this.#parts.join(''), tooLong: this.#skipping }
    this.#parts = []
    this.#length = 0
    this.#skipping = false
    return line
  }
}

/** The frames of one line, in order: none for a blank line, several for a batch. */
export function parseLine(line: { readonly text: string; readonly tooLong: boolean }): Frame[] {
  if (line.tooLong) return [junk('line too long', line.text)]
  const text = line.text.replace(/^\uFEFF/, '').trim()
  if (text === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return [junk('not JSON', text)]
  }
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return messages.map(classify)
}

export function classify(message: unknown): Frame {
  if (!isObject(message)) return junk('not an object', JSON.stringify(message))
  const hasId = 'id' in message
  const { method } = message
  if (typeof method === 'string')
    return hasId ? { is: 'request', message } : { is: 'notification', message, method }
  if (hasId && ('result' in message || 'error' in message)) return { is: 'response', message }
  return junk('neither request, notification nor response', JSON.stringify(message))
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function junk(reason: string, text: string): Frame {
  return { is: 'junk', reason, text: text.slice(0, JUNK_TEXT_CHARS) }
}
