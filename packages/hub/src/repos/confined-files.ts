// The files an agent may read and write through the hub (ACP `fs/*`): those of one repository, by where a path leads
// at the moment of use. Reads may follow a hard link, which nothing tells from a file; writes may not.
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
  /** Asked about the place the path resolves to, relative to the repository; `false` refuses with `protected`. */
  readonly isAllowed?: (location: string) => boolean
}

const MAX_ATTEMPTS = 3

export class ConfinedFiles {
  readonly #pinned: Pinned
  readonly #entries: Entries
  #lastWrite: Promise<unknown> = Promise.resolve()

  /** Pins the folder that `root` leads to now. Throws when there is none. */
  constructor(
    root: string,
    entries = process.platform === 'linux' ? descriptorEntries : pathEntries,
  ) {
    const path = realpathSync.native(root)
    const stats = lstatSync(path, { bigint: true })
    // In `/` every file of the machine, devices and /proc included, would be the repository's.
    if (!stats.isDirectory() || path === '/')
      throw new FileAccessError('invalid_path', root, { reason: 'cannot be a repository' })
    this.#pinned = { path, stats }
    this.#entries = entries
  }

  /** Where a path leads now, relative to the repository, whether the file exists or not. */
  locate(path: string): Promise<string> {
    return this.#walk(path, async (walk) => {
      await walk.find()
      return walk.location
    })
  }

  /** A range of lines may lie in a file that is too large to read whole. A range after the end is empty. */
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

  /** Creates the file and its folders when they are missing. One write after the other: two at once would mix. */
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

/** Everything is checked before anything is changed: first what was found, then what was opened. */
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

/** In place, so that mode, owner and watchers stay; the rest of a longer file goes last, so it is never seen empty. */
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
