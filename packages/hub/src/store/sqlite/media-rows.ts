// Uses of media files in SQLite.
import { v7 as uuidv7 } from 'uuid'
import type { MediaFacts, MediaIndex, MediaUseInput } from '../media-index.js'
import type { Database } from './database.js'

export class MediaRows implements MediaIndex {
  readonly #findUse
  readonly #insert
  readonly #find
  readonly #isUsed

  constructor(db: Database) {
    this.#findUse = db.prepare(
      'SELECT id FROM Media WHERE sha256 = ? AND sessionId IS ? AND mimeType = ? LIMIT 1',
    )
    this.#insert = db.prepare(
      'INSERT INTO Media (id, sessionId, sha256, mimeType, byteLength) VALUES (?, ?, ?, ?, ?)',
    )
    this.#find = db.prepare('SELECT sha256, mimeType, byteLength FROM Media WHERE id = ?')
    this.#isUsed = db.prepare('SELECT 1 FROM Media WHERE sha256 = ? LIMIT 1')
  }

  add({ sha256, sessionId, mimeType, byteLength }: MediaUseInput): string {
    const known = this.#findUse.get(sha256, sessionId, mimeType) as { id: string } | undefined
    if (known !== undefined) return known.id
    const id = uuidv7()
    this.#insert.run(id, sessionId, sha256, mimeType, byteLength)
    return id
  }

  find(id: string): MediaFacts | undefined {
    return this.#find.get(id) as MediaFacts | undefined
  }

  isUsed(sha256: string): boolean {
    return this.#isUsed.get(sha256) !== undefined
  }

  /** A row is stored when it is added. */
  flush(): void {}

  /** The files of the data directory are all there is. */
  load(): undefined {}

  removeUnused(): void {}
}
