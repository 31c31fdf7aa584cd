// Walks from a pinned root to a file, one name at a time, and resolves links itself, so that no step can leave the root.
import { constants } from 'node:fs'
import { mkdir, readlink, realpath } from 'node:fs/promises'
import { FileAccessError, systemCode } from './file-access-error.js'
import { type Entries, type Entry, isSameFile, type OpenFile } from './file-entries.js'

/** The limit of Linux. */
const MAX_LINKS = 40
/** Each name costs one lookup. The longest path without detours needs fewer. */
const MAX_LOOKUPS = 2500
const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255

/** The real path of the root and its stats at the time it was pinned. */
export type Pinned = Pick<Entry, 'path' | 'stats'>

export type Root = {
  readonly path: string
  readonly entry: Entry
}

export type WalkOptions = {
  readonly entries: Entries
  readonly root: Root
  /** The agent's path, which errors name. */
  readonly path: string
}

/** One resolution of one path. Holds descriptors until `close`. */
export class PathWalk {
  readonly #entries: Entries
  readonly #root: Root
  readonly #path: string
  readonly #held = new Set<Entry>()
  #folder: Entry
  #location: string[] = []
  #names: string[] = []
  /** The number of trailing names from the agent's path. The names before them come from a link. */
  #ownNames = 0
  #links = 0
  #lookups = 0

  constructor({ entries, root, path }: WalkOptions) {
    this.#entries = entries
    this.#root = root
    this.#path = path
    this.#folder = root.entry
  }

  /** The regular file, or undefined when it, and perhaps some of its folders, are missing. */
  async find(): Promise<Entry | undefined> {
    this.#names = await this.#namesInRoot(requirePath(this.#path))
    this.#ownNames = this.#names.length
    for (;;) {
      const name = this.#names.shift()
      if (name === undefined) throw this.#error('not_a_file', 'is a folder')
      if (name === '..') {
        this.#leaveFolder()
        continue
      }
      const entry = await this.#look(name)
      if (entry === undefined) return this.#missing(name)
      if (entry.stats.isSymbolicLink()) await this.#followLink(name, entry)
      else if (entry.stats.isDirectory()) await this.#enter(name, entry)
      else return this.#requireFile(name, entry)
    }
  }

  /** The resolved path, relative to the root, also of a missing file. */
  get location(): string {
    return [...this.#location, ...this.#names].join('/')
  }

  /** Opens the file that `find` returned. */
  async open(found: Entry, flags: number): Promise<OpenFile> {
    const file = this.#hold(await this.#entries.open(found.path, flags))
    if (!isSameFile(file.stats, found.stats)) throw this.#error('outside', 'was replaced')
    return file
  }

  /** Creates the missing file and its folders. Throws EEXIST when another process created the file first. */
  async create(): Promise<OpenFile> {
    for (;;) {
      // Do not create files in a folder that was moved out of the root meanwhile.
      if (this.#folder !== this.#root.entry) await this.whereIs(this.#folder)
      const name = this.#names.shift()
      if (name === undefined) throw this.#error('not_a_file')
      const path = `${this.#folder.path}/${name}`
      if (this.#names.length === 0) return this.#createFile(name, path)
      await mkdir(path).catch(unlessExists)
      const entry = await this.#look(name)
      if (entry?.stats.isDirectory() !== true) throw this.#error('outside', 'was replaced')
      await this.#enter(name, entry)
    }
  }

  async #createFile(name: string, path: string): Promise<OpenFile> {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants
    const file = this.#hold(await this.#entries.open(path, O_WRONLY | O_CREAT | O_EXCL))
    this.#location.push(name)
    return file
  }

  /** The current path of an entry, relative to the root. Throws when it is outside. */
  async whereIs(entry: Entry): Promise<string> {
    const root = await this.#entries.whereIs(this.#root.entry)
    const inside = pathInside(root, await this.#entries.whereIs(entry))
    if (inside === undefined || inside === '') throw this.#error('outside')
    return inside
  }

  async close(): Promise<void> {
    for (const entry of this.#held) await entry.close()
    this.#held.clear()
  }

  async #look(name: string): Promise<Entry | undefined> {
    if (++this.#lookups > MAX_LOOKUPS) throw this.#error('invalid_path', 'takes too many detours')
    const entry = await this.#entries.find(`${this.#folder.path}/${name}`)
    return entry === undefined ? undefined : this.#hold(entry)
  }

  #missing(name: string): undefined {
    this.#names.unshift(name)
    if (this.#names.length > this.#ownNames)
      throw this.#error('not_found', 'leads through a link to nothing')
    // The kernel does not resolve `missing/../file` either. Folders are created only for paths without `..`.
    if (this.#names.includes('..')) throw this.#error('not_found')
    return undefined
  }

  #requireFile(name: string, entry: Entry): Entry {
    if (this.#names.length > 0)
      throw this.#error('not_a_file', 'leads through a file that is not a folder')
    if (!entry.stats.isFile()) throw this.#error('not_a_file')
    this.#location.push(name)
    return entry
  }

  async #enter(name: string, entry: Entry): Promise<void> {
    const left = this.#folder
    this.#folder = entry
    this.#location.push(name)
    await this.#release(left)
  }

  /** Restarts at the root, because parent folders are not held open, and `..` of a moved folder is wrong. */
  #leaveFolder(): void {
    if (this.#location.pop() === undefined) throw this.#error('outside')
    this.#names.unshift(...this.#location)
    this.#backToRoot()
  }

  #backToRoot(): void {
    this.#location = []
    this.#folder = this.#root.entry
  }

  async #followLink(name: string, link: Entry): Promise<void> {
    if (++this.#links > MAX_LINKS) throw this.#error('not_a_file', 'leads through too many links')
    await this.#release(link)
    // Read by name, so it may be another link by now. Its target is walked like any other name.
    const target = await readlink(`${this.#folder.path}/${name}`)
    this.#ownNames = Math.min(this.#ownNames, this.#names.length)
    if (target.startsWith('/')) {
      this.#names.unshift(...(await this.#namesInRoot(target)))
      this.#backToRoot()
    } else this.#names.unshift(...namesOf(target))
  }

  /**
   * The names below the root. A path may reach the root through other links (`/home/me/ws` to `/data/ws`), so this finds
   * the first part that resolves into it. That is only a hint: the walk starts at the pinned root.
   */
  async #namesInRoot(path: string): Promise<string[]> {
    const names = namesOf(path)
    const rootNames = namesOf(this.#root.path)
    if (rootNames.every((name, at) => name === names[at])) return names.slice(rootNames.length)
    for (const [at, name] of names.entries()) {
      // Resolving `..` here would reveal whether a folder outside exists.
      if (name === '..') break
      const real = await realpath(`/${names.slice(0, at + 1).join('/')}`).catch(() => undefined)
      if (real === undefined) break
      const inside = pathInside(this.#root.path, real)
      if (inside !== undefined) return [...namesOf(inside), ...names.slice(at + 1)]
    }
    throw this.#error('outside')
  }

  #hold<T extends Entry>(entry: T): T {
    this.#held.add(entry)
    return entry
  }

  async #release(entry: Entry): Promise<void> {
    if (this.#held.delete(entry)) await entry.close()
  }

  #error(code: FileAccessError['code'], reason?: string): FileAccessError {
    return new FileAccessError(code, this.#path, reason === undefined ? {} : { reason })
  }
}

/** Opens the root and verifies that it is still the pinned folder. */
export async function openRoot(entries: Entries, pinned: Pinned, path: string): Promise<Root> {
  const entry = await entries.find(pinned.path)
  if (entry !== undefined && isSameFile(entry.stats, pinned.stats))
    return { path: pinned.path, entry }
  await entry?.close()
  const reason = 'cannot be reached: its repository was moved or deleted'
  throw new FileAccessError('failed', path, { reason })
}

function requirePath(path: string): string {
  if (!path.startsWith('/'))
    throw new FileAccessError('invalid_path', path, { reason: 'is not an absolute path' })
  if (path.includes('\0')) throw new FileAccessError('invalid_path', path)
  const isTooLong =
    Buffer.byteLength(path) > MAX_PATH_BYTES ||
    path.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)
  if (isTooLong) throw new FileAccessError('invalid_path', path, { reason: 'is too long' })
  if (/\/\.{0,2}$/.test(path))
    throw new FileAccessError('not_a_file', path, { reason: 'names a folder' })
  return path
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

/** Compares whole names: `/ws-evil` is not inside `/ws`. The folder itself is ''. */
function pathInside(folder: string, path: string): string | undefined {
  if (path === folder) return ''
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}

function unlessExists(error: unknown): void {
  if (systemCode(error) !== 'EEXIST') throw error
}
