// Offloads media from an update or another event before it is stored: images, sounds, files and huge texts become media.
// The rest is valid ACP and at most about 1 MiB. An update without anything to offload is returned as the same object.
import {
  type EventBody,
  type EventData,
  type StoredDiff,
  unifiedDiff,
  writeCut,
} from '@quayside/protocol'
import { TOO_DEEP } from '../../json.js'
import { MAX_MEDIA_BYTES } from '../../store/media.js'
import { decodeBase64, type PutMedia } from './data-uri-offloader.js'
import { fitFields, jsonBytes } from './fit-json.js'

const MAX_TEXT_CHARS = 256 * 1024
const PREVIEW_CHARS = 16 * 1024
const MAX_META_BYTES = 64 * 1024
/** Of all edits of an update together: their texts must not make it lose its other fields. */
const MAX_EDITS_CHARS = 480 * 1024
/** Longer hunks become media, so that the `_meta` of their entry stays within its limit. */
const MAX_PATCH_BYTES = 32 * 1024
const MAX_UPDATE_BYTES = 960 * 1024
/** One character is at most six bytes of JSON (`\u0000`): below a limit divided by this, no exact measure is needed. */
const BYTES_PER_CHAR = 6
/** SQLite refuses JSON nested deeper than 1000, and JSON.stringify has a limit too. */
const MAX_DEPTH = 500
/** Each costs a write to the disk; an update with more of them is offloaded as a whole. */
const MAX_MEDIA = 64
/** Of the output of a terminal or a tool. */
const OUTPUT_END_CHARS = 64 * 1024

/**
 * The reference to the media is in the `_meta.quayside` of the object that held it: `{ media, bytes, mimeType }`.
 * There `meta` refers to a `_meta` that was too large and `update` to a whole update; `note` says why something was dropped;
 * `diff` has the changes of an edit (protocol/src/acp/stored-diff.ts).
 * ACP requires `data` and `blob`, so they stay as empty strings; an image also gets the reference as its `uri`.
 * The last line of a truncated string says so. Throws only what `put` throws.
 */
export function offloadMedia<Update extends object>(update: Update, put: PutMedia): Update {
  return new MediaOffloader(put).offload(update as Fields) as unknown as Update
}

/** For events other than updates, permissions and prompts, whose media are offloaded where they come in. */
export function offloadEvent(body: EventBody, put: PutMedia): EventBody {
  switch (body.type) {
    case 'turn.ended':
    case 'question.asked':
    case 'agent.started':
      return { type: body.type, data: offloadMedia(body.data, put) } as EventBody
    case 'terminal.exited':
      return { type: body.type, data: offloadOutput(body.data, put) }
    default:
      return body
  }
}

/** Keeps the end of a long output, which says how the command went. */
function offloadOutput(exit: EventData['terminal.exited'], put: PutMedia) {
  const { output = '' } = exit
  if (output.length <= MAX_TEXT_CHARS) return offloadMedia(exit, put)
  const bytes = Buffer.from(output)
  const media = put('text/plain', bytes)
  return { ...exit, output: keepEnd(output, { media, bytes: bytes.length }) }
}

type Fields = { readonly [field: string]: unknown }
type Stored = { readonly media: string; readonly bytes: number }
type Reference = Stored & { readonly mimeType: string }
type Part = 'update' | 'meta'

class MediaOffloader {
  readonly #put: PutMedia
  #chars = 0
  #mediaLeft = MAX_MEDIA

  constructor(put: PutMedia) {
    this.#put = put
  }

  offload(update: Fields): Fields {
    const small = this.#fields(this.#edits(update), 0, 'update')
    if (this.#chars * BYTES_PER_CHAR <= MAX_UPDATE_BYTES) return small
    if (jsonBytes(small) <= MAX_UPDATE_BYTES) return small
    this.#mediaLeft = 1
    const stored = this.#offloadJson(small)
    const { _meta: meta, ...rest } = small
    const kept = fitFields(asFields(meta), MAX_META_BYTES)
    const quayside = { ...asFields(kept['quayside']), update: stored }
    return { ...fitFields(rest, MAX_UPDATE_BYTES / 2), _meta: { ...kept, quayside } }
  }

  #walk(value: unknown, depth: number, part: Part): unknown {
    if (typeof value === 'string') return this.#text(value, part)
    this.#chars += 8
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) return TOO_DEEP
    if (Array.isArray(value)) return this.#list(value, depth, part)
    const fields = value as Fields
    return this.#fields(part === 'update' ? this.#block(fields) : fields, depth, part)
  }

  #list(items: readonly unknown[], depth: number, part: Part): readonly unknown[] {
    const small = items.map((item) => this.#walk(item, depth + 1, part))
    return small.some((item, index) => item !== items[index]) ? small : items
  }

  #fields(fields: Fields, depth: number, part: Part): Fields {
    let changed: Map<string, unknown> | undefined
    for (const name of Object.keys(fields)) {
      const value = fields[name]
      this.#chars += name.length
      const isMeta = name === '_meta' && part === 'update'
      const small = isMeta ? this.#meta(value, depth + 1) : this.#walk(value, depth + 1, part)
      if (small === value) continue
      changed ??= new Map(Object.entries(fields))
      changed.set(name, small)
    }
    // Not by assignment: a field may be called `__proto__`.
    return changed === undefined ? fields : Object.fromEntries(changed)
  }

  #text(text: string, part: Part): string {
    this.#chars += Math.min(text.length, MAX_TEXT_CHARS)
    const isLong = text.length > (part === 'meta' ? MAX_META_BYTES : MAX_TEXT_CHARS)
    const stored = isLong ? this.#offloadText(text, 'text/plain') : undefined
    return stored === undefined ? text : keepBeginning(text, stored)
  }

  /** Some agents stream terminal output in `_meta`: its texts are truncated before any field is left out. */
  #meta(meta: unknown, depth: number): unknown {
    const before = this.#chars
    const small = this.#walk(meta, depth, 'meta')
    if ((this.#chars - before) * BYTES_PER_CHAR <= MAX_META_BYTES) return small
    if (jsonBytes(small) <= MAX_META_BYTES) return small
    const stored = this.#offloadJson(small)
    if (stored === undefined) return small
    const kept = fitFields(asFields(small), MAX_META_BYTES / 2)
    return { ...kept, quayside: { ...asFields(kept['quayside']), meta: stored } }
  }

  #block(block: Fields): Fields {
    switch (block['type']) {
      case 'image':
        return typeof block['mimeType'] === 'string' ? this.#image(block) : block
      case 'audio':
        return typeof block['mimeType'] === 'string' ? this.#binary(block, 'data') : block
      case 'resource':
        return this.#resource(block)
      case 'text':
        return this.#longText(block)
      case 'content':
        return this.#toolOutput(block)
      default:
        return block
    }
  }

  /** Some agents send a data URI, as `data` or as `uri`. */
  #image(block: Fields): Fields {
    const { data, uri } = block
    const isInUri = typeof uri === 'string' && /^data:/i.test(uri)
    if (!isFilled(data) && !isInUri) return block
    const { _meta: meta, ...small } = this.#binary(
      isFilled(data) ? block : { ...block, data: uri },
      'data',
    )
    if (small['data'] !== '') return block
    const quayside = asFields(asFields(meta)['quayside'])
    const address = quayside['media'] ?? (isInUri ? null : uri)
    const source = isFilled(uri) && !isInUri ? { uri } : {}
    const image = { ...small, ...(address !== undefined && { uri: address }), _meta: meta }
    return withNote(image, { ...quayside, ...source })
  }

  #resource(block: Fields): Fields {
    const { resource } = block
    if (!isFields(resource) || typeof resource['uri'] !== 'string') return block
    const small = this.#longText(this.#binary(resource, 'blob'))
    return small === resource ? block : { ...block, resource: small }
  }

  #longText(block: Fields, shorten = keepBeginning): Fields {
    const { text } = block
    if (typeof text !== 'string' || text.length <= MAX_TEXT_CHARS) return block
    const stored = this.#offloadText(text, 'text/plain')
    return stored === undefined
      ? block
      : withNote({ ...block, text: shorten(text, stored) }, stored)
  }

  /** Its end says how the tool call went. */
  #toolOutput(entry: Fields): Fields {
    const { content } = entry
    if (!isFields(content) || content['type'] !== 'text') return entry
    const small = this.#longText(content, keepEnd)
    return small === content ? entry : { ...entry, content: small }
  }

  /** People decide about an edit by its diff, so it is made from the whole texts. */
  #edits(update: Fields): Fields {
    const { content } = update
    if (!Array.isArray(content)) return update
    let chars = 0
    const entries = content.map((entry: unknown) => {
      if (!isEdit(entry)) return entry
      const longest = Math.max(entry.oldText?.length ?? 0, entry.newText.length)
      chars += (entry.oldText?.length ?? 0) + entry.newText.length
      const isWhole = longest <= MAX_TEXT_CHARS && chars <= MAX_EDITS_CHARS
      return isWhole ? withoutDiff(entry) : this.#diff(entry)
    })
    return entries.some((entry, at) => entry !== content[at])
      ? { ...update, content: entries }
      : update
  }

  #diff(block: Edit): Fields {
    const { newText } = block
    const before = block.oldText ?? ''
    const oldStored = before === '' ? undefined : this.#offloadText(before, 'text/plain')
    const newStored = newText === '' ? undefined : this.#offloadText(newText, 'text/plain')
    const { patch, added, removed } = unifiedDiff(before, newText)
    const diff: StoredDiff = {
      added,
      removed,
      ...(patch !== undefined && this.#patch(patch)),
      ...(oldStored && { oldMedia: oldStored.media }),
      ...(newStored && { newMedia: newStored.media }),
    }
    const small = { ...block, newText: shortenEdit(newText, newStored) }
    return withNote(before === '' ? small : { ...small, oldText: shortenEdit(before, oldStored) }, {
      diff,
    })
  }

  #patch(patch: string): Pick<StoredDiff, 'patch' | 'patchMedia'> {
    if (patch.length <= MAX_PATCH_BYTES && jsonBytes(patch) <= MAX_PATCH_BYTES) return { patch }
    const stored = this.#offloadText(patch, 'text/x-diff')
    return stored ? { patchMedia: stored.media } : {}
  }

  #binary(block: Fields, field: 'data' | 'blob'): Fields {
    const base64 = block[field]
    if (!isFilled(base64)) return block
    const bytes = decodeBase64(base64.replace(/^data:[^,]{0,200};base64,/i, ''))
    const empty = { ...block, [field]: '' }
    if (bytes === undefined)
      return withNote(empty, { note: 'not valid base64', chars: base64.length })
    if (bytes.length > MAX_MEDIA_BYTES)
      return withNote(empty, { note: 'larger than 20 MiB', bytes: bytes.length })
    const { mimeType } = block
    const stored = this.#store(typeof mimeType === 'string' ? mimeType : '', bytes)
    return stored === undefined ? block : withNote(empty, stored)
  }

  #offloadJson(value: unknown): Reference | undefined {
    return this.#offloadText(JSON.stringify(value), 'application/json')
  }

  /** Stores only the beginning of a text that is larger than media may be. */
  #offloadText(text: string, mimeType: string): Reference | undefined {
    const bytes = Buffer.from(text)
    if (bytes.length <= MAX_MEDIA_BYTES) return this.#store(mimeType, bytes)
    const stored = this.#store('text/plain', bytes.subarray(0, MAX_MEDIA_BYTES))
    return stored && { ...stored, bytes: bytes.length }
  }

  #store(mimeType: string, bytes: Buffer): Reference | undefined {
    if (this.#mediaLeft === 0) return undefined
    this.#mediaLeft -= 1
    return { media: this.#put(mimeType, bytes), bytes: bytes.length, mimeType }
  }
}

function keepBeginning(text: string, { media, bytes }: Stored): string {
  // Never through the middle of a surrogate pair.
  const preview = text.slice(0, PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  return writeCut({ text: preview, is: 'beginning', media, bytes })
}

function keepEnd(text: string, { media, bytes }: Stored): string {
  // Never from the middle of a surrogate pair.
  const end = text.slice(-OUTPUT_END_CHARS).replace(/^[\uDC00-\uDFFF]/, '')
  return writeCut({ text: end, is: 'end', media, bytes })
}

type Edit = Fields & { readonly oldText?: string | null; readonly newText: string }

function isEdit(value: unknown): value is Edit {
  if (!isFields(value) || value['type'] !== 'diff') return false
  return typeof (value['oldText'] ?? '') === 'string' && typeof value['newText'] === 'string'
}

function shortenEdit(text: string, stored: Stored | undefined): string {
  return stored && text.length > PREVIEW_CHARS ? keepBeginning(text, stored) : text
}

/** Only the hub makes these diffs: one by the agent could show another change than its texts. */
function withoutDiff(block: Fields): Fields {
  const meta = asFields(block['_meta'])
  const { diff, ...quayside } = asFields(meta['quayside'])
  return diff === undefined ? block : withNote(block, quayside)
}

function withNote(block: Fields, note: Reference | Fields): Fields {
  return { ...block, _meta: { ...asFields(block['_meta']), quayside: note } }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}
