// How a name in a folder is looked at and opened without following links: on Linux by descriptors, elsewhere by paths.
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { systemCode } from './file-access-error.js'

/** A file, folder or link that was looked at. `path` reaches it; `path/name` reaches what is in it. */
export type Entry = {
  readonly path: string
  readonly stats: BigIntStats
  close(): Promise<void>
}

export type OpenFile = Entry & { readonly handle: FileHandle }

export type Entries = {
  /** Looks without opening, so a FIFO or a device notices nothing. Never follows a link in the last name. */
  find(path: string): Promise<Entry | undefined>
  /** Opens what was found, or with O_CREAT what was not. */
  open(path: string, flags: number): Promise<OpenFile>
  /** Where it lies now. */
  whereIs(entry: Entry): Promise<string>
}

/** Not in Node's constants; the same number on every architecture Node runs on. */
const O_PATH = 0o10000000
const NEVER_WAIT = constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * `/proc/self/fd/N/name` is openat(N, name): the folder is the one that was looked at, whatever its path leads to by now.
 * Opening `/proc/self/fd/N` opens the very file that was looked at. So nothing can be exchanged between check and use.
 */
export const descriptorEntries: Entries = {
  async find(path) {
    const handle = await unlessMissing(open(path, O_PATH | constants.O_NOFOLLOW))
    return handle === undefined ? undefined : describe(handle)
  },
  async open(path, flags) {
    // A link in /proc is how a descriptor is opened again; O_EXCL does not follow one in the last name either.
    return describe(await open(path, flags | NEVER_WAIT))
  },
  whereIs: ({ path }) => readlink(path),
}

async function describe(handle: FileHandle): Promise<OpenFile> {
  const stats = await statOrClose(handle)
  return { path: `/proc/self/fd/${handle.fd}`, stats, handle, close: () => handle.close() }
}

/**
 * For macOS, which has no /proc. Weaker: a folder exchanged for a link between look and open is noticed only after the
 * opening, by comparing what was found, what was opened and what the path leads to then. That refuses before a byte is
 * read or changed, unless somebody exchanges it back and forth between all of these steps; and an empty file or folder
 * may have been created where the link led.
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
    throw Object.assign(new Error('The file was exchanged while it was opened'), { code: 'ELOOP' })
  },
}

/** Closes what it cannot describe. */
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
