// Uses of media files in PostgreSQL, and their bytes, which every hub can read. An id is made of the use itself, so that it is
// known before the row is stored; rows and bytes are stored before the next commit, which may refer to them.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { errorCode } from '../data-files.js'
import type { MediaFacts, MediaIndex, MediaUseInput } from '../media-index.js'
import { type Connections, sqlState } from './connections.js'

/** The bytes stay in their file until they are sent. */
type WaitingUse = MediaUseInput & { readonly id: string; readonly path: string }

/** Another hub has removed the bytes, or still needs them. */
const FOREIGN_KEY = '23503'

export class MediaRows implements MediaIndex {
  readonly #db: Connections
  /** Rows that are not stored yet, by id. */
  readonly #waiting = new Map<string, WaitingUse>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(db: Connections) {
    this.#db = db
  }

  add(use: MediaUseInput, path: string): string {
    const id = idOf(use)
    if (!this.#waiting.has(id)) {
      this.#waiting.set(id, { ...use, id, path })
      // Media that no event refers to, such as an upload, are stored too. A commit repeats what fails here.
      setImmediate(() => void this.flush().catch(() => undefined))
    }
    return id
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#flush())
    return this.#flushing
  }

  async find(id: string): Promise<MediaFacts | undefined> {
    const use = this.#waiting.get(id)
    if (use === undefined) return this.#db.readOne(FIND, [id])
    const { sha256, mimeType, byteLength } = use
    return { sha256, mimeType, byteLength }
  }

  async load(sha256: string): Promise<Uint8Array | undefined> {
    return (await this.#db.readOne<{ bytes: Buffer }>(LOAD, [sha256]))?.bytes
  }

  async isUsed(sha256: string): Promise<boolean> {
    const row = await this.#db.readOne<{ found: boolean }>(IS_USED, [sha256])
    return row?.found === true || [...this.#waiting.values()].some((use) => use.sha256 === sha256)
  }

  async removeUnused(sha256: string): Promise<void> {
    await this.#db.write(REMOVE_UNUSED, [sha256]).catch((error: unknown) => {
      if (sqlState(error) !== FOREIGN_KEY) throw error
    })
  }

  async #flush(): Promise<void> {
    const uses = [...this.#waiting.values()]
    if (uses.length === 0) return
    const hashes = uses.map(({ sha256 }) => sha256)
    const known = await this.#db.write<{ sha256: string }>(KNOWN, [hashes])
    const isKnown = new Set(known.map(({ sha256 }) => sha256))
    await this.#addKnown(uses.filter(({ sha256 }) => isKnown.has(sha256)))
    for (const use of uses.filter(({ sha256 }) => !isKnown.has(sha256))) await this.#addNew(use)
  }

  async #addKnown(uses: readonly WaitingUse[]): Promise<void> {
    if (uses.length === 0) return
    try {
      await this.#db.write(ADD, valuesOf(uses))
      for (const { id } of uses) this.#waiting.delete(id)
    } catch (error) {
      if (sqlState(error) !== FOREIGN_KEY) throw error
      for (const use of uses) await this.#addNew(use)
    }
  }

  async #addNew(use: WaitingUse): Promise<void> {
    const bytes = await readFile(use.path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
    // Without its file it cannot be stored, and it must not hold up the log.
    if (bytes) await this.#db.write(ADD_WITH_FILE, [...valuesOf([use]), use.sha256, bytes])
    this.#waiting.delete(use.id)
  }
}

function idOf({ sha256, sessionId, mimeType }: MediaUseInput): string {
  const use = JSON.stringify([sha256, sessionId, mimeType])
  return createHash('sha256').update(use).digest('hex').slice(0, 32)
}

function valuesOf(uses: readonly WaitingUse[]): unknown[] {
  return [
    uses.map(({ id }) => id),
    uses.map(({ sessionId }) => sessionId),
    uses.map(({ sha256 }) => sha256),
    uses.map(({ mimeType }) => mimeType),
    uses.map(({ byteLength }) => byteLength),
    Date.now(),
  ]
}

const INSERT = `INSERT INTO "Media" ("id", "sessionId", "sha256", "mimeType", "byteLength", "createdAt")
    SELECT *, $6::bigint FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) ON CONFLICT DO NOTHING`
const KNOWN = {
  name: 'media_known',
  text: 'SELECT "sha256" FROM "MediaFile" WHERE "sha256" = ANY ($1::text[])',
}
const ADD = { name: 'media_add', text: INSERT }
const ADD_WITH_FILE = {
  name: 'media_add_with_file',
  text: `WITH file AS (INSERT INTO "MediaFile" ("sha256", "bytes") VALUES ($7, $8) ON CONFLICT DO NOTHING) ${INSERT}`,
}
const FIND = {
  name: 'media_find',
  text: 'SELECT "sha256", "mimeType", "byteLength" FROM "Media" WHERE "id" = $1',
}
const LOAD = {
  name: 'media_load',
  text: 'SELECT "bytes" FROM "MediaFile" WHERE "sha256" = $1',
}
const IS_USED = {
  name: 'media_is_used',
  text: 'SELECT EXISTS (SELECT 1 FROM "Media" WHERE "sha256" = $1) AS "found"',
}
/** Fails when another hub begins to use it meanwhile. */
const REMOVE_UNUSED = {
  name: 'media_remove_unused',
  text: `DELETE FROM "MediaFile" AS f WHERE "sha256" = $1 AND NOT EXISTS (SELECT 1 FROM "Media" AS m WHERE m."sha256" = f."sha256")`,
}
