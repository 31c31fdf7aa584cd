// Offloads media from the stream of an agent's updates before they are stored, and splits long texts into chunks.
// Text runs begin and end exactly where the transcript's do (protocol/src/transcript/fold-update.ts).
import { type ChunkUpdate, isReplacement, type SessionUpdate } from '@quayside/protocol'
import { ItemStarts } from '../../agents/wire/item-starts.js'
import { isPlainTextChunk, isTextChunk, type TextChunk } from '../../agents/wire/text-chunk.js'
import { DataUriOffloader, type PutMedia } from './data-uri-offloader.js'
import { offloadMedia } from './offload-media.js'

/**
 * A longer text is stored as several chunks, which append to each other. Twice the length that the log joins small chunks to
 * (`chunk-joiner.ts`): a text that the agent sent in one piece stays one event if possible.
 */
const MAX_CHUNK_CHARS = 128 * 1024
const MAX_ID_CHARS = 1024

type Speaker = { readonly sessionUpdate: string; readonly messageId?: unknown }
/** The message that the agent is writing; its offloader holds text back. */
type Run = Speaker & { readonly images: DataUriOffloader }

export class UpdateOffloader {
  readonly #put: PutMedia
  readonly #items = new ItemStarts()
  #run: Run | undefined

  constructor(put: PutMedia) {
    this.#put = put
  }

  /** Returns the updates to store now, in order: usually this one, none while its text is held back. Throws what `put` throws. */
  offload(update: SessionUpdate): SessionUpdate[] {
    const ready = isTextChunk(update)
      ? this.#offloadText(update)
      : [...(this.#endsRun(update) ? this.#endRun() : []), update]
    return ready.map((one) => (isPlainAndSmall(one) ? one : offloadMedia(one, this.#put)))
  }

  /** Returns the text that was held back. To be stored before a turn's end and before a question: both end the text run. */
  flush(): SessionUpdate[] {
    this.#items.clear()
    return this.#endRun()
  }

  #offloadText(update: TextChunk): SessionUpdate[] {
    const ended = this.#run && isContinued(this.#run, update) ? [] : this.#endRun()
    const { content } = update
    const text = isReplacement(update as ChunkUpdate)
      ? this.#replaceRun(update)
      : this.#continueRun(update)
    if (text === content.text && text.length <= MAX_CHUNK_CHARS) return [...ended, update]
    const [first = '', ...rest] = splitIntoChunks(text)
    // A plain chunk is empty while all of its text is held back.
    const isEmpty = first === '' && isPlainTextChunk(update)
    const begun = isEmpty ? [] : [{ ...update, content: { ...content, text: first } }]
    return [...ended, ...begun, ...rest.map((piece) => textChunk(update, piece))]
  }

  #continueRun(update: TextChunk): string {
    const { sessionUpdate, messageId, content } = update
    this.#run ??= { sessionUpdate, messageId, images: new DataUriOffloader(this.#put) }
    return this.#run.images.push(content.text)
  }

  /** The text so far is void, including the text held back. All of the new text must be in the chunk that is marked. */
  #replaceRun(update: TextChunk): string {
    this.#run = undefined
    const images = new DataUriOffloader(this.#put)
    return images.push(update.content.text) + images.end()
  }

  #endRun(): SessionUpdate[] {
    const run = this.#run
    this.#run = undefined
    return run === undefined
      ? []
      : splitIntoChunks(run.images.end()).map((piece) => textChunk(run, piece))
  }

  #endsRun(update: SessionUpdate): boolean {
    return update.sessionUpdate === 'user_message_chunk' || this.#items.startsItem(update)
  }
}
function isContinued(run: Run, { sessionUpdate, messageId }: Speaker): boolean {
  if (sessionUpdate !== run.sessionUpdate) return false
  return messageId === undefined || messageId === null || messageId === run.messageId
}

/** True for most updates of an agent, which need no search for media. */
function isPlainAndSmall(update: SessionUpdate): boolean {
  return isPlainTextChunk(update) && (update.messageId?.length ?? 0) <= MAX_ID_CHARS
}

function textChunk({ sessionUpdate, messageId }: Speaker, text: string): SessionUpdate {
  const id = messageId === undefined ? {} : { messageId }
  return { sessionUpdate, content: { type: 'text', text }, ...id }
}

function splitIntoChunks(text: string): string[] {
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
