// Media: images and large outputs, as files named by their SHA-256 under <data directory>/media and a row for each use.
// The file is on the disk before its row, and the row before the event that refers to it: a reference never dangles.
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { HubError } from '../errors.js'
import { storageFailed } from './storage-error.js'
import { mediaPath, syncFolder } from './data-files.js'
import type { MediaIndex } from './media-index.js'

export const MAX_MEDIA_BYTES = 20 * 1024 * 1024

export type NewMedia = {
  /** The session that is removed together with it; without one it stays. */
  readonly sessionId?: string
  readonly mimeType: string
  readonly bytes: Buffer
}
export type StoredMedia = {
  readonly id: string
  readonly url: string
  readonly mimeType: string
  readonly byteLength: number
}
export type MediaFile = {
  readonly path: string
  readonly mimeType: string
  readonly byteLength: number
}

/** A file without a row (a crash in between, a removed session) is harmless: nothing refers to it, and the next use adopts it. */
export class MediaStore {
  readonly #index: MediaIndex
  readonly #folder: string
  readonly #incoming: string

  /** Only under the data directory's lock: removes half-written files of an earlier hub. */
  constructor(index: MediaIndex, folder: string) {
    this.#index = index
    this.#folder = folder
    this.#incoming = join(folder, 'incoming')
    rmSync(this.#incoming, { recursive: true, force: true })
    mkdirSync(this.#incoming, { recursive: true, mode: 0o700 })
  }

  /**
   * Durable when it returns; synchronous, because updates are processed in wire order. The same bytes and type in the same
   * session are the same media. Throws `body_too_large`, or `storage_failed`, such as on a full disk.
   */
  put({ sessionId, mimeType, bytes }: NewMedia): StoredMedia {
    if (bytes.length > MAX_MEDIA_BYTES)
      throw new HubError('body_too_large', { byteLength: bytes.length, maxBytes: MAX_MEDIA_BYTES })
    const type = cleanMimeType(mimeType)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    try {
      this.#keepFile(sha256, bytes)
      const use = { sha256, mimeType: type, byteLength: bytes.length }
      const id = this.#index.add({ ...use, sessionId: sessionId ?? null })
      return { id, url: `/media/${id}`, mimeType: type, byteLength: bytes.length }
    } catch (error) {
      throw storageFailed(error)
    }
  }

  find(id: string): MediaFile | undefined {
    const found = this.#index.find(id)
    if (found === undefined) return undefined
    const { sha256, mimeType, byteLength } = found
    return { path: mediaPath(this.#folder, sha256), mimeType, byteLength }
  }

  /** By the address that `put` returned; undefined for any other value. */
  findByUrl(url: unknown): MediaFile | undefined {
    const id = typeof url === 'string' ? /^\/media\/([\w-]+)$/.exec(url)?.[1] : undefined
    return id === undefined ? undefined : this.find(id)
  }

  #keepFile(sha256: string, bytes: Buffer): void {
    const path = mediaPath(this.#folder, sha256)
    const folder = join(path, '..')
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.length) {
      if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
        syncFolder(this.#folder)
      const half = join(this.#incoming, randomUUID())
      try {
        writeDurably(half, bytes)
        renameSync(half, path)
      } finally {
        rmSync(half, { force: true })
      }
    }
    syncFolder(folder)
  }
}

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

/** Agents send any text; the stored type is valid in a header. */
function cleanMimeType(sent: string): string {
  const type = sent.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return MIME_TYPE.test(type) ? type : 'application/octet-stream'
}

function writeDurably(path: string, bytes: Buffer): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
