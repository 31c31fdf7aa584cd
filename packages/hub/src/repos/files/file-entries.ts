// Inspects and opens names in a folder without following links: on Linux by descriptors, elsewhere by paths.
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { systemCode } from './file-access-error.js'

/** A file, folder or link. `path` reaches it; `path/name` reaches an entry inside. */
export type Entry = {
  readonly path: string
  readonly stats: BigIntStats
  close(): Promise<void>
}

export type OpenFile = Entry & { readonly handle: FileHandle }

export type Entries = {
  /** Does not open the file, so a FIFO or a device is not affected. Never follows a link in the last name. */
  find(path: string): Promise<Entry | undefined>
  /** Opens an entry that was found, or creates one with O_CREAT. */
  open(path: string, flags: number): Promise<OpenFile>
  /** The current path of the entry. */
  whereIs(entry: Entry): Promise<string>
}

/** Not in Node's constants; the same number on every architecture Node runs on. */
const O_PATH = 0o10000000
const NEVER_WAIT = constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * `/proc/self/fd/N/name` is openat(N, name): it stays in the inspected folder, even if the folder's path has changed.
 * Opening `/proc/self/fd/N` opens the inspected file itself. So no file can be replaced between check and use.
 */
export const descriptorEntries: Entries = {
  async find(path) {
    const handle = await unlessMissing(open(path, O_PATH | constants.O_NOFOLLOW))
    return handle === undefined ? undefined : describe(handle)
  },
  async open(path, flags) {
    // Reopening a descriptor follows a link in /proc. O_EXCL does not follow a link in the last name.
    return describe(await open(path, flags | NEVER_WAIT))
  },
  whereIs: ({ path }) => readlink(path),
}

async function describe(handle: FileHandle): Promise<OpenFile> {
  const stats = await statOrClose(handle)
  return { path: `/proc/self/fd/${handle.fd}`, stats, handle, close: () => handle.close() }
}

/**
 * For macOS, which has no /proc. Weaker: a folder that is replaced by a link between check and open is detected only
 * after opening, by comparing the found file, the opened file and the path. That rejects before a byte is read or
 * changed, unless an attacker switches back and forth between all of these steps. An empty file or folder may have been
 * created at the target of the link.
 */
export const pathEntries: Entries = {
  async find(path) {
    const stats = await unlessMissing(lstat(path, { bigint: true }))
    return stats === undefined ? undefined : { path, stats, close: async () => {} }
  },
  async open(path, flags) {
    const handle = await open(path, flags | NEVER_WAIT | constants.O_NOFOLLOW)
    const stats = await statOrClose(handle)
    return { path, stats, handle, close: () => handle.close() }
  },
  async whereIs({ path, stats }) {
    const real = await realpath(path)
    if (isSameFile(await lstat(real, { bigint: true }), stats)) return real
    throw Object.assign(new Error('The file was replaced while it was opened'), { code: 'ELOOP' })
  },
}

/** Closes the handle when `stat` fails. */
async function statOrClose(handle: FileHandle): Promise<BigIntStats> {
  try {
    return await handle.stat({ bigint: true })
  } catch (error) {
    await handle.close()
    throw error
  }
}

export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
