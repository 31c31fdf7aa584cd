// Reads and writes files for an agent (ACP `fs/*`), confined to one repository by the path that is resolved at the moment
// of use. Reads may follow a hard link, which looks like any file; writes may not.
import { constants, lstatSync, realpathSync, type BigIntStats } from 'node:fs'
import { FileAccessError, systemCode, toFileAccessError } from './file-access-error.js'
import {
  descriptorEntries,
  type Entries,
  type Entry,
  type OpenFile,
  pathEntries,
} from './file-entries.js'
import { openRoot, PathWalk, type Pinned } from './path-walk.js'
import { isGitPath } from './sensitive-paths.js'
import { type LineRange, MAX_READ_BYTES, readTextRange } from './text-range.js'

export { FileAccessError } from './file-access-error.js'

export type ReadTextFile = LineRange & { readonly path: string }

export type WriteTextFile = {
  readonly path: string
  readonly content: string
  /** Called with the resolved path, relative to the repository. `false` rejects with `protected`. */
  readonly isAllowed?: (location: string) => boolean
}

const MAX_ATTEMPTS = 3

export class ConfinedFiles {
  readonly #pinned: Pinned
  readonly #entries: Entries
  #lastWrite: Promise<unknown> = Promise.resolve()

  /** Pins the folder that `root` resolves to now. Throws when it does not exist. */
  constructor(
    root: string,
    entries = process.platform === 'linux' ? descriptorEntries : pathEntries,
  ) {
    const path = realpathSync.native(root)
    const stats = lstatSync(path, { bigint: true })
    // With `/` every file of the machine, including devices and /proc, would be inside.
    if (!stats.isDirectory() || path === '/')
      throw new FileAccessError('invalid_path', root, { reason: 'cannot be a repository' })
    this.#pinned = { path, stats }
    this.#entries = entries
  }

  /** The resolved path, relative to the repository. The file need not exist. */
  locate(path: string): Promise<string> {
    return this.#walk(path, async (walk) => {
      await walk.find()
      return walk.location
    })
  }

  /** A range of lines also works in a file that is too large to read whole. A range after the end is empty. */
  readTextFile({ path, line, limit }: ReadTextFile): Promise<string> {
    return this.#walk(path, async (walk) => {
      const found = await requireFound(walk, path)
      const isWhole = (line ?? 1) <= 1 && (limit ?? undefined) === undefined
      if (isWhole && found.stats.size > MAX_READ_BYTES) throw new FileAccessError('too_large', path)
      const file = await openForReading(walk, path, found)
      const text = await readTextRange(file.handle, { line, limit })
      if (text === undefined) throw new FileAccessError('too_large', path)
      return text
    })
  }

  /** The whole file, or only its size when that is more than `maxBytes`. */
  readBytes(path: string, maxBytes: number): Promise<{ byteLength: number; bytes?: Buffer }> {
    return this.#walk(path, async (walk) => {
      const file = await openForReading(walk, path, await requireFound(walk, path))
      const byteLength = Number(file.stats.size)
      if (byteLength > maxBytes) return { byteLength }
      const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(byteLength), {
        position: 0,
      })
      return { byteLength, bytes: buffer.subarray(0, bytesRead) }
    })
  }

  /** Creates missing folders. Writes are serialised, because concurrent ones would mix. */
  writeTextFile(request: WriteTextFile): Promise<void> {
    const write = this.#lastWrite.then(() => this.#write(request, MAX_ATTEMPTS))
    this.#lastWrite = write.catch(() => {})
    return write
  }

  async #write(request: WriteTextFile, attempts: number): Promise<void> {
    const { path, content } = request
    try {
      await this.#walk(path, async (walk) => {
        const file = await openForWriting(walk, request)
        await overwrite(file, content)
      })
    } catch (error) {
      const isLateToCreate =
        error instanceof FileAccessError && systemCode(error.cause) === 'EEXIST'
      if (!isLateToCreate || attempts === 1) throw error
      await this.#write(request, attempts - 1)
    }
  }

  async #walk<T>(path: string, use: (walk: PathWalk) => Promise<T>): Promise<T> {
    const root = await openRoot(this.#entries, this.#pinned, path).catch((error: unknown) => {
      throw toFileAccessError(error, path)
    })
    const walk = new PathWalk({ entries: this.#entries, root, path })
    try {
      return await use(walk)
    } catch (error) {
      throw toFileAccessError(error, path)
    } finally {
      await walk.close()
      await root.entry.close()
    }
  }
}

async function requireFound(walk: PathWalk, path: string): Promise<Entry> {
  const found = await walk.find()
  if (found === undefined) throw new FileAccessError('not_found', path)
  return found
}

async function openForReading(walk: PathWalk, path: string, found: Entry): Promise<OpenFile> {
  const file = await walk.open(found, constants.O_RDONLY)
  requireRegular(file, path)
  await walk.whereIs(file)
  return file
}

/** Checks the found file, then the opened file, before anything is changed. */
async function openForWriting(walk: PathWalk, request: WriteTextFile): Promise<OpenFile> {
  const { path } = request
  const found = await walk.find()
  requireAllowed(walk.location, request)
  if (found !== undefined) requireOneName(found.stats, path)
  const file = await (found === undefined ? walk.create() : walk.open(found, constants.O_WRONLY))
  requireRegular(file, path)
  requireOneName(file.stats, path)
  requireAllowed(await walk.whereIs(file), request)
  return file
}

/** Writes in place, to keep mode, owner and watchers. Truncates last, so that the file is never seen empty. */
async function overwrite({ handle }: OpenFile, content: string): Promise<void> {
  const bytes = Buffer.from(content, 'utf8')
  await handle.writeFile(bytes)
  await handle.truncate(bytes.length)
}

function requireAllowed(location: string, { path, isAllowed }: WriteTextFile): void {
  if (isGitPath(location) || isAllowed?.(location) === false)
    throw new FileAccessError('protected', path)
}

function requireRegular({ stats }: OpenFile, path: string): void {
  if (!stats.isFile()) throw new FileAccessError('not_a_file', path)
}

function requireOneName(stats: BigIntStats, path: string): void {
  if (stats.nlink > 1n) throw new FileAccessError('hard_link', path)
  if (stats.nlink < 1n)
    throw new FileAccessError('failed', path, { reason: 'was replaced while it was opened' })
}
