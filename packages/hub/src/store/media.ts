// Media: images and large outputs, as files named by their SHA-256 under <data directory>/media and a row for each use.
// A file is on the disk before its row, and the row before the event that refers to it: a reference never dangles.
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
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../errors.js'
import { mediaPath, syncFolder } from './data-files.js'
import type { Database } from './database.js'

export const MAX_MEDIA_BYTES = 20 * 1024 * 1024

export type NewMedia = {
  /** The session whose purge takes it along; without one it stays. */
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

/**
 * A file without a row (a crash in between, a purged session) is harmless: nothing refers to it, the next use takes it over.
 * To purge: read the session's hashes, delete its row (`Media` cascades), remove the files whose hash no row has any more.
 */
export class MediaStore {
  readonly #folder: string
  readonly #incoming: string
  readonly #statements

  /** Only under the data directory's lock: what an earlier hub left half written is removed. */
  constructor(db: Database, folder: string) {
    this.#folder = folder
    this.#incoming = join(folder, 'incoming')
    rmSync(this.#incoming, { recursive: true, force: true })
    mkdirSync(this.#incoming, { recursive: true, mode: 0o700 })
    this.#statements = {
      findUse: db.prepare(
        'SELECT id FROM Media WHERE sha256 = ? AND sessionId IS ? AND mimeType = ? LIMIT 1',
      ),
      insert: db.prepare(
        'INSERT INTO Media (id, sessionId, sha256, mimeType, byteLength) VALUES (?, ?, ?, ?, ?)',
      ),
      find: db.prepare('SELECT sha256, mimeType, byteLength FROM Media WHERE id = ?'),
    }
  }

  /**
   * Durable when it returns; synchronous, because updates are taken in wire order. The same bytes and type in the same
   * session are the same media. Throws `body_too_large`, or `storage_failed` when the disk is full.
   */
  put({ sessionId, mimeType, bytes }: NewMedia): StoredMedia {
    if (bytes.length > MAX_MEDIA_BYTES)
      throw new HubError('body_too_large', { byteLength: bytes.length, maxBytes: MAX_MEDIA_BYTES })
    const type = cleanMimeType(mimeType)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    try {
      this.#keepFile(sha256, bytes)
      const id = this.#keepRow([sha256, sessionId ?? null, type], bytes.length)
      return { id, url: `/media/${id}`, mimeType: type, byteLength: bytes.length }
    } catch (error) {
      throw new HubError('storage_failed', {}, { cause: error })
    }
  }

  find(id: string): MediaFile | undefined {
    const row: { sha256: string; mimeType: string; byteLength: number } | undefined =
      this.#statements.find.get(id)
    if (row === undefined) return undefined
    const { sha256, ...facts } = row
    return { path: mediaPath(this.#folder, sha256), ...facts }
  }

  /** By the address that `put` answered; whatever else it is, nothing is found. */
  findByUrl(url: unknown): MediaFile | undefined {
    const id = typeof url === 'string' ? /^\/media\/([\w-]+)$/.exec(url)?.[1] : undefined
    return id === undefined ? undefined : this.find(id)
  }

  #keepRow(use: [sha256: string, sessionId: string | null, type: string], length: number): string {
    const known: { id: string } | undefined = this.#statements.findUse.get(...use)
    if (known !== undefined) return known.id
    const id = uuidv7()
    const [sha256, sessionId, type] = use
    this.#statements.insert.run(id, sessionId, sha256, type, length)
    return id
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

/** Agents say anything; what is stored can stand in a header. */
function cleanMimeType(said: string): string {
  const type = said.split(';', 1)[0]?.trim().toLowerCase() ?? ''
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
