// Offloads base64 images from a message's text while it streams: a data URI becomes a /media reference, even when it
// spans many chunks. All other text passes at once; only a possible beginning of a data URI is held back.
import { MAX_MEDIA_BYTES } from '../../store/media.js'

/** Stores bytes and returns their address. */
export type PutMedia = (mimeType: string, bytes: Buffer) => string

/** Replaces an image that is too large to store. An address, so that the markup around it stays valid. */
export const TOO_LARGE = 'about:blank#image-larger-than-20-MiB'
/** Each image costs a write to the disk. Images beyond this number per message stay text. */
export const MAX_IMAGES = 100

/** One per message. The joined results of `push` and `end` do not depend on the boundaries of the chunks. */
export class DataUriOffloader {
  readonly #put: PutMedia
  /** The last character passed on: `metadata:` is not `data:`. */
  #before = ''
  /** The possible beginning of a data URI or, behind one, of an ellipsis. */
  #held = ''
  #uri: OpenUri | undefined
  #images = 0

  constructor(put: PutMedia) {
    this.#put = put
  }

  /** Returns the text that can be passed on now. */
  push(text: string): string {
    return this.#read(text, false)
  }

  /** Returns the text that was held back: the message is over. */
  end(): string {
    return this.#read('', true)
  }

  #read(text: string, isEnd: boolean): string {
    const all = this.#before + this.#held + text
    let at = this.#before.length
    let out = ''
    for (;;) {
      if (this.#uri === undefined) {
        const header = findHeader(all, at)
        const stop = header?.index ?? (isEnd ? all.length : findBeginning(all, at))
        out += all.slice(at, stop)
        at = stop
        if (header === undefined) break
        at += header.text.length
        this.#uri = new OpenUri(header.text)
      }
      at = this.#uri.take(all, at)
      if (!isEnd && mayContinue(all, at)) break
      out += this.#close(this.#uri, isElided(all, at))
      this.#uri = undefined
    }
    this.#before = all.charAt(at - 1)
    this.#held = all.slice(at)
    return out
  }

  #close(uri: OpenUri, isElided: boolean): string {
    if (uri.isTooLarge) return TOO_LARGE
    const bytes = isElided || this.#images >= MAX_IMAGES ? undefined : uri.decode()
    if (bytes === undefined || bytes.length === 0) return uri.text
    this.#images += 1
    return this.#put(uri.mimeType, bytes)
  }
}

/** Accepts line breaks and the URL alphabet. Undefined for a text with any other character. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const end = compact.search(/[^A-Za-z0-9+/_-]/)
  if (end >= 0 && !/^={1,2}$/.test(compact.slice(end, end + 3))) return undefined
  return Buffer.from(compact, 'base64')
}

const TYPES = ['png', 'jpeg', 'jpg', 'gif', 'webp', 'avif', 'bmp', 'svg+xml']
const HEADERS = [
  ...TYPES.map((type) => `data:image/${type};base64,`),
  'data:image/svg+xml;charset=utf-8;base64,',
  'data:image/svg+xml;charset=utf8;base64,',
]
const LONGEST_HEADER = Math.max(...HEADERS.map((header) => header.length))
const HEADER = new RegExp(`(?<!\\w)(?:${HEADERS.join('|').replaceAll('+', '\\+')})`, 'gi')

function findHeader(text: string, from: number): { index: number; text: string } | undefined {
  // Most texts are short and contain no header: the expression would cost more than the rest of the path.
  if (!text.includes(':', from)) return undefined
  HEADER.lastIndex = from
  const match = HEADER.exec(text)
  return match ? { index: match.index, text: match[0] } : undefined
}

/** The position at which the text ends in a possible beginning of a header, else its length. */
function findBeginning(text: string, from: number): number {
  for (let at = Math.max(from, text.length - LONGEST_HEADER + 1); at < text.length; at += 1) {
    const first = text.charAt(at)
    if ((first !== 'd' && first !== 'D') || /\w/.test(text.charAt(at - 1))) continue
    const beginning = text.slice(at).toLowerCase()
    if (HEADERS.some((header) => header.startsWith(beginning))) return at
  }
  return text.length
}

function mayContinue(text: string, at: number): boolean {
  return at === text.length || text.slice(at) === '.'
}

/** `data:image/png;base64,iVBORw0…` is an example in prose, not an image. */
function isElided(text: string, at: number): boolean {
  return text.startsWith('..', at) || text.charAt(at) === '…'
}

const MAX_BASE64_CHARS = Math.ceil((MAX_MEDIA_BYTES * 4) / 3)
const PIECE_CHARS = 64 * 1024

/** A data URI whose end has not arrived yet. */
class OpenUri {
  readonly #header: string
  /** Base64 is ASCII. Kept as bytes: millions of tiny strings would cost many times their length. */
  #pieces: Buffer[] = []
  #last = ''
  #length = 0
  #padding = ''

  constructor(header: string) {
    this.#header = header
  }

  get mimeType(): string {
    const type = this.#header.slice('data:'.length).split(';', 1)[0]?.toLowerCase() ?? ''
    return type === 'image/jpg' ? 'image/jpeg' : type
  }

  get isTooLarge(): boolean {
    return this.#length > MAX_BASE64_CHARS
  }

  get text(): string {
    return this.#header + this.#body() + this.#padding
  }

  /** Takes the characters of the URI and returns the position behind them. */
  take(text: string, from: number): number {
    let at = from
    if (this.#padding === '') {
      at = endOfBase64(text, from)
      this.#add(text.slice(from, at))
    }
    for (; text.charAt(at) === '=' && this.#padding.length < 2; at += 1) this.#padding += '='
    return at
  }

  decode(): Buffer | undefined {
    const body = this.#body()
    if (!body.includes('%')) return decodeBase64(body)
    const unescaped = body.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return decodeBase64(unescaped)
  }

  #add(piece: string): void {
    this.#length += piece.length
    if (this.isTooLarge) {
      this.#pieces = []
      this.#last = ''
      return
    }
    this.#last += piece
    if (this.#last.length < PIECE_CHARS) return
    this.#pieces.push(Buffer.from(this.#last, 'latin1'))
    this.#last = ''
  }

  #body(): string {
    return Buffer.concat(this.#pieces).toString('latin1') + this.#last
  }
}

/** Percent signs are part of it: in a URI `+`, `/` and `=` may be escaped. */
function endOfBase64(text: string, from: number): number {
  NOT_BASE64.lastIndex = from
  return NOT_BASE64.exec(text)?.index ?? text.length
}

const NOT_BASE64 = /[^A-Za-z0-9+/%]/g
