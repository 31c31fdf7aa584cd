// Reads lines that differ from the last one only in their text without parsing them, and joins texts that came together.
// Most lines of an agent are such chunks. A line that is not is parsed as usual (agent-stream.ts).
import type { SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from '../../json.js'
import { isPlainTextChunk, type PlainTextChunk, withText } from './text-chunk.js'

/** A line with a plain text chunk: the characters before and after its text. */
type Form = {
  readonly head: string
  readonly tail: string
  readonly params: JsonObject
  readonly update: PlainTextChunk
}

export type JoinedChunks = { readonly params: JsonObject; readonly chunks: number }

/** Stands for the text. A line that contains it elsewhere too has no form. */
const PLACE = '<text>'
const MAX_LEARNED_CHARS = 64 * 1024

export class ChunkLines {
  #form: Form | undefined
  #texts: string[] = []

  /** True when the line differs from the last learned one only in its text, which is kept until `take`. */
  join(line: string): boolean {
    const text = this.#form && readText(this.#form, line)
    if (text === undefined) return false
    this.#texts.push(text)
    return true
  }

  /** The params of one `session/update` with the text of all joined lines, if there were any. */
  take(): JoinedChunks | undefined {
    if (this.#form === undefined || this.#texts.length === 0) return undefined
    const { params, update } = this.#form
    const joined = { ...params, update: withText(update, this.#texts.join('')) }
    const chunks = this.#texts.length
    this.#texts = []
    return { params: joined, chunks }
  }

  /** Remembers the form of a `session/update` that had to be parsed, for the lines after it. A long line costs more than it saves. */
  learn(line: string, message: JsonObject): void {
    if (line.length <= MAX_LEARNED_CHARS) this.#form = formOf(line, message)
  }
}

/** Only the text is parsed. The quotes around it are the last character of the head and the first of the tail. */
function readText({ head, tail }: Form, line: string): string | undefined {
  const end = line.length - tail.length
  // Slices, because `startsWith` takes several times as long.
  if (line.slice(0, head.length) !== head || line.slice(end) !== tail) return undefined
  try {
    return JSON.parse(line.slice(head.length - 1, end + 1)) as string
  } catch {
    return undefined
  }
}

function formOf(line: string, message: JsonObject): Form | undefined {
  const { params } = message
  // No other fields: their values may be nested too deeply for JSON.stringify.
  if (!hasOnly(message, ['jsonrpc', 'method', 'params']) || !isObject(params)) return undefined
  const { update, sessionId } = params
  if (!hasOnly(params, ['sessionId', 'update']) || typeof sessionId !== 'string') return undefined
  if (message['jsonrpc'] !== '2.0' || !isPlainChunk(update)) return undefined
  const placed = { ...message, params: { ...params, update: withText(update, PLACE) } }
  const [head = '', tail = '', ...more] = JSON.stringify(placed).split(PLACE)
  const written = JSON.stringify(update.content.text).slice(1, -1)
  return more.length === 0 && line === head + written + tail
    ? { head, tail, params, update }
    : undefined
}

function hasOnly(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key))
}

function isPlainChunk(update: unknown): update is PlainTextChunk {
  return isObject(update) && isPlainTextChunk(update as SessionUpdate)
}
