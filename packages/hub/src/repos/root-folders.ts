// The root folders: those that the hub was started with, and repositories elsewhere that an admin has added. Added ones
// are stored in the data directory.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOTS_FILE, writeDurably } from '../store/data-files.js'
import { storageFailed } from '../store/storage-error.js'

export type RootFoldersOptions = {
  /** From the hub's start. */
  readonly configured: readonly string[]
  readonly dataDir: string
}

const fileSchema = z.strictObject({ added: z.array(z.string()) })

export class RootFolders {
  readonly configured: readonly string[]
  readonly dataDir: string
  #added: readonly string[]

  constructor({ configured, dataDir }: RootFoldersOptions) {
    this.configured = configured
    this.dataDir = dataDir
    this.#added = read(join(dataDir, ROOTS_FILE))
  }

  get added(): readonly string[] {
    return this.#added
  }

  get all(): readonly string[] {
    return [...this.configured, ...this.#added]
  }

  /** Idempotent. */
  add(path: string): void {
    if (!this.#added.includes(path)) this.#store([...this.#added, path])
  }

  /** False when it was not added before. */
  remove(path: string): boolean {
    if (!this.#added.includes(path)) return false
    this.#store(this.#added.filter((one) => one !== path))
    return true
  }

  #store(added: readonly string[]): void {
    try {
      writeDurably(join(this.dataDir, ROOTS_FILE), `${JSON.stringify({ added }, null, 2)}\n`)
    } catch (cause) {
      throw storageFailed(cause, { file: ROOTS_FILE })
    }
    this.#added = added
  }
}

function read(file: string): readonly string[] {
  if (!existsSync(file)) return []
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).added
  } catch (cause) {
    throw new Error(`${file} is damaged. Correct it, or remove it and add the folders again.`, {
      cause,
    })
  }
}
