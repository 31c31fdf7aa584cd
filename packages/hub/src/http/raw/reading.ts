// A session as JSON and downloads that are sent while they are read, because a long one has hundreds of megabytes: its
// messages, its log, and its transcript in three formats.
import { readFile } from 'node:fs/promises'
import {
  attachmentsOf,
  entryLine,
  HTML_END,
  htmlHead,
  htmlOf,
  markdownHead,
  markdownOf,
  TRANSCRIPT_POLICY,
  type TranscriptAbout,
  type TranscriptEntry,
} from '@quayside/protocol'
import type { EventLog } from '../../sessions/log/event-log.js'
import { exportEntries } from '../../sessions/reading/transcript-export.js'
import type { MediaStore } from '../../store/media.js'
import { fileNameOf, goneSignal, sendAll } from './download.js'
import { SHOWN_TYPES } from './media.js'
import type { RawRoom } from '../../api/room.js'
import { jsonOf } from '../../sessions/log/encoded-events.js'
import { yieldLoop } from '../../yield-loop.js'

const MAX_IMAGE_BYTES = 5 * 1024 * 1024
const MAX_IMAGES_BYTES = 25 * 1024 * 1024

const TYPES = {
  jsonl: 'application/x-ndjson',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const

type Name = 'session/get' | 'session/messages' | 'session/export' | 'session/transcript'

export const reading: RawRoom<Name> = ({ reader, eventLog, media }) => {
  return {
    'session/get': async ({ sessionId, messages }, { response }) => {
      const detail = await reader.requireDetail(sessionId)
      const texts = messages === '0' ? ['[]'] : reader.messagesJson(detail)
      await sendAll(response.type('json'), detailJson(detail, texts))
    },
    'session/messages': async ({ sessionId, since }, { response }) => {
      const session = await reader.requireSummary(sessionId)
      await sendAll(response.type('json'), reader.messagesJson(session, since))
    },
    'session/export': async ({ sessionId }, { response }) => {
      const { id } = await reader.requireSummary(sessionId)
      response.attachment(`session-${id}.jsonl`).type('application/x-ndjson')
      await sendAll(response, eventLines(eventLog, id, goneSignal(response)))
    },
    'session/transcript': async ({ sessionId, format }, { response }) => {
      const { id, title, extensionId, repo, createdAt } = await reader.requireDetail(sessionId)
      const about = { sessionId: id, title, agent: extensionId, repo: repo.name, createdAt }
      const entries = exportEntries(eventLog, id, goneSignal(response))
      response.attachment(`${fileNameOf(title, id)}.${format}`).type(TYPES[format])
      if (format === 'html')
        response.setHeader('Content-Security-Policy', `sandbox; ${TRANSCRIPT_POLICY}`)
      if (format === 'jsonl') await sendAll(response, lines(entries))
      else if (format === 'md') await sendAll(response, markdown(about, entries))
      else await sendAll(response, html(about, entries, new Images(media)))
    },
  }
}

async function* detailJson(
  detail: object,
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(detail).slice(0, -1)},"messages":`
  yield* texts
  yield '}'
}

async function* eventLines(
  eventLog: EventLog,
  id: string,
  gone: AbortSignal,
): AsyncGenerator<string> {
  for (let page = await eventLog.read(id, 0); page.length > 0 && !gone.aborted;) {
    yield page.map((event) => `${jsonOf(event)}\n`).join('')
    await yieldLoop()
    page = await eventLog.read(id, page.at(-1)?.seq ?? 0)
  }
}

type Entries = AsyncIterable<TranscriptEntry>

async function* lines(entries: Entries): AsyncGenerator<string> {
  for await (const entry of entries) yield `${entryLine(entry)}\n`
}

async function* markdown(about: TranscriptAbout, entries: Entries): AsyncGenerator<string> {
  yield markdownHead(about)
  for await (const entry of entries) yield markdownOf(entry)
}

async function* html(
  about: TranscriptAbout,
  entries: Entries,
  images: Images,
): AsyncGenerator<string> {
  yield htmlHead(about)
  for await (const entry of entries) {
    const found = await images.of(entry)
    yield htmlOf(entry, (url) => found.get(url))
  }
  yield HTML_END
}

/** The pictures of one file as data URIs, up to a total size. */
class Images {
  readonly #media: MediaStore
  #bytesLeft = MAX_IMAGES_BYTES

  constructor(media: MediaStore) {
    this.#media = media
  }

  async of(entry: TranscriptEntry): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const attachment of attachmentsOf(entry)) {
      if (attachment.type !== 'image' || attachment.url === undefined) continue
      const uri = await this.#load(attachment.url)
      if (uri !== undefined) found.set(attachment.url, uri)
    }
    return found
  }

  async #load(url: string): Promise<string | undefined> {
    const file = await this.#media.findByUrl(url)
    if (file === undefined || !SHOWN_TYPES.has(file.mimeType)) return undefined
    if (file.byteLength > Math.min(MAX_IMAGE_BYTES, this.#bytesLeft)) return undefined
    // A file that is gone leaves a picture out, not the whole transcript.
    const bytes = await readFile(file.path).catch(() => undefined)
    if (bytes === undefined) return undefined
    this.#bytesLeft -= bytes.length
    return `data:${file.mimeType};base64,${bytes.toString('base64')}`
  }
}
