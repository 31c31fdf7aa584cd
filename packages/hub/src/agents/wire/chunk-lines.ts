// Fast path for text chunks: most lines of an agent differ only in their text. They are read without parsing the rest, and
// the texts of consecutive lines are joined.
import type { SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from './frames.js'

/** The form of a line that carries one text chunk: the characters before and after the text. */
type Form = {
  readonly head: string
  readonly tail: string
  readonly params: JsonObject
  readonly update: SessionUpdate
}

export type JoinedChunks = { readonly params: JsonObject; readonly chunks: number }

const CHUNKS: ReadonlySet<unknown> = new Set(['agent_message_chunk', 'agent_thought_chunk'])
/** Placeholder of the text. A line that contains it elsewhere has no form. */
const PLACE = '<text>'

export class ChunkLines {
  #form: Form | undefined
  #texts: string[] = []

  /** True when the line has the learned form. Its text is kept until `take`. */
  join(line: string): boolean {
    const text = this.#form && readText(this.#form, line)
    if (text === undefined) return false
    this.#texts.push(text)
    return true
  }

  /** The params of one `session/update` with the joined texts, if there are any. */
  take(): JoinedChunks | undefined {
    if (this.#form === undefined || this.#texts.length === 0) return undefined
    const { params, update } = this.#form
    const joined = { ...params, update: withText(update, this.#texts.join('')) }
    const chunks = this.#texts.length
    this.#texts = []
    return { params: joined, chunks }
  }

  /** Learns the form of a `session/update` that was parsed, because the next lines may have the same form. */
  learn(line: string, message: JsonObject): void {
    this.#form = formOf(line, message)
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
  // Nothing but these: any other value may be nested too deeply to be written again.
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

type PlainChunk = SessionUpdate & { readonly content: { readonly text: string } }

/** Whatever else a chunk says belongs to it alone. */
function isPlainChunk(update: unknown): update is PlainChunk {
  if (!isObject(update) || !CHUNKS.has(update['sessionUpdate'])) return false
  const { content, messageId } = update
  if (!isObject(content) || content['type'] !== 'text' || typeof content['text'] !== 'string')
    return false
  const isBare = Object.keys(content).length === 2
  const fields = typeof messageId === 'string' ? 3 : 2
  return isBare && Object.keys(update).length === fields
}

function withText(update: SessionUpdate, text: string): SessionUpdate {
  return { ...update, content: { type: 'text', text } }
}
