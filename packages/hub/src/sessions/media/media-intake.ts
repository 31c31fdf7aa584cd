// What happens to an agent's updates before they are stored: heavy things become media, images leave the text, long texts
// are cut into chunks. Text runs begin and end here exactly where the transcript's do (protocol/src/transcript/fold-update.ts).
import type { SessionUpdate } from '@quayside/protocol'
import { DataUriRewriter, type PutMedia } from './data-uris.js'
import { takeMediaOut } from './update-media.js'

/** Chunks append, so a longer text loses nothing when it is stored as several. */
const MAX_CHUNK_CHARS = 128 * 1024
const MAX_ID_CHARS = 1024

type Speaker = { readonly sessionUpdate: string; readonly messageId?: unknown }
/** The message an agent is writing; its rewriter knows what of the text is held back. */
type Run = Speaker & { readonly rewriter: DataUriRewriter }
type TextUpdate = SessionUpdate & { readonly content: { readonly text: string } }

export class MediaIntake {
  readonly #put: PutMedia
  /** Tool calls and the plan of this turn: news about them do not end a text run. */
  readonly #seen = new Set<string>()
  #run: Run | undefined

  constructor(put: PutMedia) {
    this.#put = put
  }

  /** The updates to store now, in order: usually this one, none while its text is held back. Throws what `put` throws. */
  take(update: SessionUpdate): SessionUpdate[] {
    const ready = isTextChunk(update)
      ? this.#takeText(update)
      : [...(this.#endsRun(update) ? this.#endRun() : []), update]
    return ready.map((one) => (isLight(one) ? one : takeMediaOut(one, this.#put)))
  }

  /** What was held back. To be stored before a turn's end and before a question: both end the text run. */
  flush(): SessionUpdate[] {
    this.#seen.clear()
    return this.#endRun()
  }

  #takeText(update: TextUpdate): SessionUpdate[] {
    const ended = this.#run && isContinued(this.#run, update) ? [] : this.#endRun()
    const { content } = update
    const text = isReplacement(update) ? this.#replaceRun(update) : this.#continueRun(update)
    if (text === content.text && text.length <= MAX_CHUNK_CHARS) return [...ended, update]
    const [first = '', ...rest] = cutIntoChunks(text)
    const isNothing = first === '' && isPlain(update)
    const begun = isNothing ? [] : [{ ...update, content: { ...content, text: first } }]
    return [...ended, ...begun, ...rest.map((piece) => textChunk(update, piece))]
  }

  #continueRun(update: TextUpdate): string {
    const { sessionUpdate, messageId, content } = update
    this.#run ??= { sessionUpdate, messageId, rewriter: new DataUriRewriter(this.#put) }
    return this.#run.rewriter.push(content.text)
  }

  /** The text so far is void, and with it what was held back; nothing of the new one may come without its mark. */
  #replaceRun(update: TextUpdate): string {
    this.#run = undefined
    const rewriter = new DataUriRewriter(this.#put)
    return rewriter.push(update.content.text) + rewriter.end()
  }

  #endRun(): SessionUpdate[] {
    const run = this.#run
    this.#run = undefined
    return run === undefined
      ? []
      : cutIntoChunks(run.rewriter.end()).map((piece) => textChunk(run, piece))
  }

  /** Usage, commands, modes and what nobody knows come in the middle of a message. */
  #endsRun({ sessionUpdate, toolCallId }: SessionUpdate): boolean {
    switch (sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        return typeof toolCallId === 'string' && this.#isNew(`tool:${toolCallId}`)
      case 'plan':
        return this.#isNew('plan')
      default:
        return CHUNKS.has(sessionUpdate)
    }
  }

  #isNew(item: string): boolean {
    const { size } = this.#seen
    return this.#seen.add(item).size > size
  }
}

const CHUNKS: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
])

function isTextChunk(update: SessionUpdate): update is TextUpdate {
  const { sessionUpdate, content } = update
  if (!CHUNKS.has(sessionUpdate) || sessionUpdate === 'user_message_chunk') return false
  if (typeof content !== 'object' || content === null) return false
  const { type, text } = content as { type?: unknown; text?: unknown }
  return type === 'text' && typeof text === 'string'
}

/** Set by agents/quirks.ts. */
function isReplacement(update: SessionUpdate): boolean {
  const meta = update['_meta'] as { quayside?: { replaces?: unknown } | null } | null | undefined
  return meta?.quayside?.replaces === true
}

function isContinued(run: Run, { sessionUpdate, messageId }: Speaker): boolean {
  if (sessionUpdate !== run.sessionUpdate) return false
  return messageId === undefined || messageId === null || messageId === run.messageId
}

/** Nothing is lost when it is left out while its text is held back. */
function isPlain(update: TextUpdate): boolean {
  const fields = 'messageId' in update ? 3 : 2
  return Object.keys(update).length === fields && Object.keys(update.content).length === 2
}

/** Nothing but a chunk of text, as most of what an agent sends: there is nothing to look for in it. */
function isLight(update: SessionUpdate): boolean {
  if (!isTextChunk(update) || !isPlain(update)) return false
  const { messageId } = update
  return (
    messageId === undefined || (typeof messageId === 'string' && messageId.length <= MAX_ID_CHARS)
  )
}

function textChunk({ sessionUpdate, messageId }: Speaker, text: string): SessionUpdate {
  const said = messageId === undefined ? {} : { messageId }
  return { sessionUpdate, content: { type: 'text', text }, ...said }
}

function cutIntoChunks(text: string): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + MAX_CHUNK_CHARS, text.length)
    // Never through the middle of a surrogate pair.
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    chunks.push(text.slice(at, end))
    at = end
  }
  return chunks
}
