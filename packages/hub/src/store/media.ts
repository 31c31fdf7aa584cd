// Media: images and large outputs, as files named by their SHA-256 under <data directory>/media and a row for each use.
// With PostgreSQL the bytes are in the database too, and a hub fetches the file of another one when it is asked for it.
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
import type { Media } from '@quayside/protocol'
import { HubError } from '../errors.js'
import { storageFailed } from './storage-error.js'
import { mediaPath, syncFolder } from './data-files.js'
import { type MaybePromise, whenReady } from './maybe-promise.js'
import type { MediaFacts, MediaIndex } from './media-index.js'

export const MAX_MEDIA_BYTES = 20 * 1024 * 1024

export type NewMedia = {
  /** The session that is removed together with it; without one it stays. */
  readonly sessionId?: string
  readonly mimeType: string
  readonly bytes: Buffer
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
   * Durable before any event that refers to it; synchronous, because updates are processed in wire order. The same bytes and type in the same
   * session are the same media. Throws `body_too_large`, or `storage_failed`, such as on a full disk.
   */
  put({ sessionId, mimeType, bytes }: NewMedia): Media {
    if (bytes.length > MAX_MEDIA_BYTES)
      throw new HubError('body_too_large', { byteLength: bytes.length, maxBytes: MAX_MEDIA_BYTES })
    const type = cleanMimeType(mimeType)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    try {
      this.#keepFile(sha256, bytes)
      const use = { sha256, mimeType: type, byteLength: bytes.length }
      const path = mediaPath(this.#folder, sha256)
      const id = this.#index.add({ ...use, sessionId: sessionId ?? null }, path)
      return { id, url: `/media/${id}`, mimeType: type, byteLength: bytes.length }
    } catch (error) {
      throw storageFailed(error)
    }
  }

  /** Returns when all media are stored, also for other hubs. */
  flush(): MaybePromise<void> {
    return this.#index.flush()
  }

  find(id: string): MaybePromise<MediaFile | undefined> {
    return whenReady(this.#index.find(id), (found) => found && this.#open(found))
  }

  #open({ sha256, mimeType, byteLength }: MediaFacts): MaybePromise<MediaFile> {
    const file = { path: mediaPath(this.#folder, sha256), mimeType, byteLength }
    if (isThere(file)) return file
    return whenReady(this.#index.load(sha256), (bytes) => {
      // Another request may have fetched it meanwhile.
      if (bytes && !isThere(file)) this.#keepFile(sha256, bytes)
      return file
    })
  }

  /** By the address that `put` returned; undefined for any other value. */
  findByUrl(url: unknown): MaybePromise<MediaFile | undefined> {
    const id = typeof url === 'string' ? /^\/media\/([\w-]+)$/.exec(url)?.[1] : undefined
    return id === undefined ? undefined : this.find(id)
  }

  #keepFile(sha256: string, bytes: Uint8Array): void {
    const path = mediaPath(this.#folder, sha256)
    const folder = join(path, '..')
    if (!isThere({ path, byteLength: bytes.length })) {
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

function isThere({ path, byteLength }: Pick<MediaFile, 'path' | 'byteLength'>): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === byteLength
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
