// Reads an agent's stdout: bytes to lines, lines to JSON-RPC messages, each classified. Never throws, never answers.
import { StringDecoder } from 'node:string_decoder'
import { isObject, type JsonObject, TOO_DEEP } from '../../json.js'

/** One message, classified by its fields. */
export type Frame =
  | { readonly is: 'request'; readonly message: JsonObject }
  | { readonly is: 'notification'; readonly message: JsonObject; readonly method: string }
  | { readonly is: 'response'; readonly message: JsonObject }
  | {
      readonly is: 'junk'
      readonly reason: string
      readonly text: string
      /** Of an answer with neither a result nor an error: its request must end all the same. */
      readonly id?: unknown
    }

/** A longer line is skipped. */
export const MAX_LINE_CHARS = 16 * 1024 * 1024
const JUNK_TEXT_CHARS = 200
/** Far more than real messages need, and far below the limits of JSON.stringify (a few thousand) and SQLite (1000). */
const MAX_DEPTH = 100

/** A line without its newline, or only the beginning of a line over the limit. */
export type Line = { readonly text: string; readonly tooLong: boolean }

/** Splits a byte stream into lines. Chunks may end anywhere, also inside a UTF-8 sequence. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #maxChars: number
  #parts: string[] = []
  #length = 0
  #skipping = false

  constructor(maxChars = MAX_LINE_CHARS) {
    this.#maxChars = maxChars
  }

  /** The lines that this chunk completes. */
  push(chunk: Buffer): Line[] {
    const pieces = this.#decoder.write(chunk).split('\n')
    const rest = pieces.pop() ?? ''
    const lines = pieces.map((piece) => this.#complete(piece))
    this.#add(rest)
    return lines
  }

  /** The last line when the stream ends without a newline. */
  end(): Line[] {
    this.#add(this.#decoder.end())
    return this.#length > 0 ? [this.#complete('')] : []
  }

  #complete(piece: string): Line {
    // Nearly every line is within one chunk.
    if (this.#length === 0 && piece.length <= this.#maxChars) return { text: piece, tooLong: false }
    this.#add(piece)
    const line = { text: this.#parts.join(''), tooLong: this.#skipping }
    this.#parts = []
    this.#length = 0
    this.#skipping = false
    return line
  }

  #add(piece: string): void {
    if (piece === '' || this.#skipping) return
    this.#parts.push(piece)
    this.#length += piece.length
    if (this.#length <= this.#maxChars) return
    this.#parts = [this.#parts.join('').slice(0, JUNK_TEXT_CHARS)]
    this.#skipping = true
  }
}

/** The frames of one line, in order: none for a blank line, several for a batch. */
export function parseLine(line: Line): Frame[] {
  if (line.tooLong) return [junk('line too long', line.text)]
  // `trim` also removes a byte order mark.
  const text = line.text.trim()
  if (text === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return [junk('not JSON', text)]
  }
  return Array.isArray(parsed)
    ? parsed.map((message) => classify(message, text))
    : [classify(parsed, text)]
}

/** `text` is the original line, because a junk value may be nested too deeply to be serialised. */
export function classify(message: unknown, text: string): Frame {
  if (!isObject(message)) return junk('not an object', text)
  const hasId = 'id' in message
  const { method, id } = message
  if (typeof method === 'string') {
    if (!hasId) return { is: 'notification', message, method }
    return isId(id) ? { is: 'request', message } : junk('a request with an odd id', text)
  }
  if (hasId && ('result' in message || 'error' in message)) return { is: 'response', message }
  const hollow = junk('neither request, notification nor response', text)
  return hasId && method === undefined ? { ...hollow, id } : hollow
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isFinite(id) || id === null
}

/** A copy without the parts that are nested too deeply to be serialised. */
export function limitDepth(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return TOO_DEEP
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth - 1))
  const fields = Object.entries(value)
  return Object.fromEntries(fields.map(([name, field]) => [name, limitDepth(field, depth - 1)]))
}

function junk(reason: string, text: string): Extract<Frame, { is: 'junk' }> {
  return { is: 'junk', reason, text: text.slice(0, JUNK_TEXT_CHARS) }
}
