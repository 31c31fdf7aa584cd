// Reads lines that differ from an earlier one only in their text without parsing them, and joins texts that came together.
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

/** Receives the params of a `session/update` with the text of so many lines. */
export type EmitChunks = (params: JsonObject, chunks: number) => void

/** Stands for the text. A line that contains it elsewhere too has no form. */
const PLACE = '<text>'
const MAX_LEARNED_CHARS = 64 * 1024
/** Answers and thoughts alternate, each with a message id or without. */
const MAX_FORMS = 4

export class ChunkLines {
  readonly #emit: EmitChunks
  /** The one that was learned last comes first. */
  #forms: Form[] = []
  /** Of the texts that wait. */
  #form: Form | undefined
  #texts: string[] = []

  constructor(emit: EmitChunks) {
    this.#emit = emit
  }

  /** True when the line differs from a learned one only in its text, which then waits. Emits earlier texts that it does not continue. */
  join(line: string): boolean {
    if (this.#form !== undefined && this.#joinAs(this.#form, line)) return true
    this.flush()
    return this.#forms.some((form) => this.#joinAs(form, line))
  }

  /** Emits the texts that wait, as one update. */
  flush(): void {
    const form = this.#form
    if (form === undefined) return
    const texts = this.#texts
    this.#form = undefined
    this.#texts = []
    this.#emit({ ...form.params, update: withText(form.update, texts.join('')) }, texts.length)
  }

  /** Remembers the form of a `session/update` that had to be parsed, for the lines after it. A long line costs more than it saves. */
  learn(line: string, message: JsonObject): void {
    const form = line.length <= MAX_LEARNED_CHARS ? formOf(line, message) : undefined
    if (form !== undefined) this.#forms = [form, ...this.#forms.slice(0, MAX_FORMS - 1)]
  }

  #joinAs(form: Form, line: string): boolean {
    const text = readText(form, line)
    if (text === undefined) return false
    this.#form = form
    this.#texts.push(text)
    return true
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
