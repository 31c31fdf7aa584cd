// Most of what an agent writes is one line again and again with another text in it. Such lines are read without being parsed,
// and as chunks append, the texts of those that came together are joined at once.
import type { SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from './frames.js'

/** A line that brings a chunk of text and nothing else: what is written before and after its text. */
type Form = {
  readonly head: string
  readonly tail: string
  readonly params: JsonObject
  readonly update: SessionUpdate
}

export type JoinedChunks = { readonly params: JsonObject; readonly chunks: number }

const CHUNKS: ReadonlySet<unknown> = new Set(['agent_message_chunk', 'agent_thought_chunk'])
/** Stands for the text. A line in which it is written elsewhere too has no form. */
const PLACE = '<text>'

export class ChunkLines {
  #form: Form | undefined
  #texts: string[] = []

  /** True when the line is like the last one that was learned but for its text, which is kept until it is taken. */
  join(line: string): boolean {
    const text = this.#form && readText(this.#form, line)
    if (text === undefined) return false
    this.#texts.push(text)
    return true
  }

  /** The params of one `session/update` that says what the joined lines said, if there were any. */
  take(): JoinedChunks | undefined {
    if (this.#form === undefined || this.#texts.length === 0) return undefined
    const { params, update } = this.#form
    const joined = { ...params, update: withText(update, this.#texts.join('')) }
    const chunks = this.#texts.length
    this.#texts = []
    return { params: joined, chunks }
  }

  /** A `session/update` that had to be parsed: those that follow may be like it. */
  learn(line: string, message: JsonObject): void {
    this.#form = formOf(line, message)
  }
}

/** Only the text is parsed. The quotes around it are the last character of the head and the first of the tail. */
function readText({ head, tail }: Form, line: string): string | undefined {
  const end = line.length - tail.length
  // Compared as slices: `startsWith` takes several times as long.
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
