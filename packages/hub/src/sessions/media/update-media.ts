// Takes what is heavy out of an agent's update before it is stored: images, sounds, files and huge texts become media.
// What stays is valid ACP and at most about 1 MiB. An update without anything heavy is returned as it is.
import { writeCut } from '@quayside/protocol'
import { MAX_MEDIA_BYTES } from '../../store/media.js'
import { decodeBase64, type PutMedia } from './data-uris.js'
import { fitFields, jsonBytes } from './fit-json.js'

const MAX_TEXT_CHARS = 256 * 1024
const PREVIEW_CHARS = 16 * 1024
const MAX_META_BYTES = 64 * 1024
const MAX_UPDATE_BYTES = 960 * 1024
/** One character is at most six bytes of JSON (`\u0000`), so what is lighter than this needs no exact measure. */
const BYTES_PER_CHAR = 6
/** SQLite refuses JSON nested deeper than 1000, and JSON.stringify has an end too. */
const MAX_DEPTH = 500
/** Each costs a write to the disk; an update with more of them is moved as a whole. */
const MAX_MEDIA = 64
const TOO_DEEP = '[nested too deeply to keep]'

/**
 * What was moved is referred to in the `_meta.quayside` of the object that held it: `{ media, bytes, mimeType }`.
 * There `meta` refers to a `_meta` that was too fat and `update` to a whole update; `note` says why something was dropped.
 * ACP wants `data` and `blob`, so they stay as empty strings; an image also gets the reference as its `uri`.
 * Strings that were cut say so in their last line. Throws only what `put` throws.
 */
export function takeMediaOut<Update extends object>(update: Update, put: PutMedia): Update {
  return new Lightening(put).take(update as Fields) as unknown as Update
}

type Fields = { readonly [field: string]: unknown }
type Reference = { readonly media: string; readonly bytes: number; readonly mimeType: string }
type Place = 'update' | 'meta'

class Lightening {
  readonly #put: PutMedia
  #chars = 0
  #mediaLeft = MAX_MEDIA

  constructor(put: PutMedia) {
    this.#put = put
  }

  take(update: Fields): Fields {
    const light = this.#fields(update, 0, 'update')
    if (this.#chars * BYTES_PER_CHAR <= MAX_UPDATE_BYTES) return light
    if (jsonBytes(light) <= MAX_UPDATE_BYTES) return light
    this.#mediaLeft = 1
    const moved = this.#moveJson(light)
    const { _meta: meta, ...rest } = light
    const kept = fitFields(asFields(meta), MAX_META_BYTES)
    const quayside = { ...asFields(kept['quayside']), update: moved }
    return { ...fitFields(rest, MAX_UPDATE_BYTES / 2), _meta: { ...kept, quayside } }
  }

  #walk(value: unknown, depth: number, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, place)
    this.#chars += 8
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) return TOO_DEEP
    if (Array.isArray(value)) return this.#list(value, depth, place)
    const fields = value as Fields
    return this.#fields(place === 'update' ? this.#block(fields) : fields, depth, place)
  }

  #list(items: readonly unknown[], depth: number, place: Place): readonly unknown[] {
    const light = items.map((item) => this.#walk(item, depth + 1, place))
    return light.some((item, index) => item !== items[index]) ? light : items
  }

  #fields(fields: Fields, depth: number, place: Place): Fields {
    let changed: Map<string, unknown> | undefined
    for (const [name, value] of Object.entries(fields)) {
      this.#chars += name.length
      const isMeta = name === '_meta' && place === 'update'
      const light = isMeta ? this.#meta(value, depth + 1) : this.#walk(value, depth + 1, place)
      if (light === value) continue
      changed ??= new Map(Object.entries(fields))
      changed.set(name, light)
    }
    // Not by assignment: a field may be called `__proto__`.
    return changed === undefined ? fields : Object.fromEntries(changed)
  }

  #text(text: string, place: Place): string {
    this.#chars += Math.min(text.length, MAX_TEXT_CHARS)
    const isLong = text.length > (place === 'meta' ? MAX_META_BYTES : MAX_TEXT_CHARS)
    const moved = isLong ? this.#moveText(text, 'text/plain') : undefined
    return moved === undefined ? text : cut(text, moved)
  }

  /** Streamed terminal output comes in `_meta`, so texts in it are cut before anything is left out. */
  #meta(meta: unknown, depth: number): unknown {
    const before = this.#chars
    const light = this.#walk(meta, depth, 'meta')
    if ((this.#chars - before) * BYTES_PER_CHAR <= MAX_META_BYTES) return light
    if (jsonBytes(light) <= MAX_META_BYTES) return light
    const moved = this.#moveJson(light)
    if (moved === undefined) return light
    const kept = fitFields(asFields(light), MAX_META_BYTES / 2)
    return { ...kept, quayside: { ...asFields(kept['quayside']), meta: moved } }
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
      default:
        return block
    }
  }

  /** Some agents send a data URI, as `data` or as `uri`. */
  #image(block: Fields): Fields {
    const { data, uri } = block
    const isInUri = typeof uri === 'string' && /^data:/i.test(uri)
    if (!isFilled(data) && !isInUri) return block
    const { _meta: meta, ...light } = this.#binary(
      isFilled(data) ? block : { ...block, data: uri },
      'data',
    )
    if (light['data'] !== '') return block
    const quayside = asFields(asFields(meta)['quayside'])
    const address = quayside['media'] ?? (isInUri ? null : uri)
    const source = isFilled(uri) && !isInUri ? { uri } : {}
    const image = { ...light, ...(address !== undefined && { uri: address }), _meta: meta }
    return withNote(image, { ...quayside, ...source })
  }

  #resource(block: Fields): Fields {
    const { resource } = block
    if (!isFields(resource) || typeof resource['uri'] !== 'string') return block
    const light = this.#longText(this.#binary(resource, 'blob'))
    return light === resource ? block : { ...block, resource: light }
  }

  #longText(block: Fields): Fields {
    const { text } = block
    if (typeof text !== 'string' || text.length <= MAX_TEXT_CHARS) return block
    const moved = this.#moveText(text, 'text/plain')
    return moved === undefined ? block : withNote({ ...block, text: cut(text, moved) }, moved)
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
    const moved = this.#move(typeof mimeType === 'string' ? mimeType : '', bytes)
    return moved === undefined ? block : withNote(empty, moved)
  }

  #moveJson(value: unknown): Reference | undefined {
    return this.#moveText(JSON.stringify(value), 'application/json')
  }

  /** Of more than media can hold, the beginning. */
  #moveText(text: string, mimeType: string): Reference | undefined {
    const bytes = Buffer.from(text)
    if (bytes.length <= MAX_MEDIA_BYTES) return this.#move(mimeType, bytes)
    const moved = this.#move('text/plain', bytes.subarray(0, MAX_MEDIA_BYTES))
    return moved && { ...moved, bytes: bytes.length }
  }

  #move(mimeType: string, bytes: Buffer): Reference | undefined {
    if (this.#mediaLeft === 0) return undefined
    this.#mediaLeft -= 1
    return { media: this.#put(mimeType, bytes), bytes: bytes.length, mimeType }
  }
}

function cut(text: string, { media, bytes }: Reference): string {
  // Never through the middle of a surrogate pair.
  const preview = text.slice(0, PREVIEW_CHARS).replace(/[\uD800-\uDBFF]$/, '')
  return writeCut({ text: preview, is: 'beginning', media, bytes })
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
