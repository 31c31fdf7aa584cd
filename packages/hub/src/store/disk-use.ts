// The disk use of a data directory, by kind, for `quayside doctor` and the settings page. Only calls stat: opening the
// database file a second time in the hub's process would drop its locks.
import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUPS_FOLDER, DATABASE_FILE, MEDIA_FOLDER, SET_ASIDE_PREFIX } from './data-files.js'

export type DiskPart = { readonly bytes: number; readonly files: number }
export type DiskUse = {
  readonly database: DiskPart
  /** The write-ahead log: commits that are not in the database file yet. */
  readonly walBytes: number
  readonly media: DiskPart
  /** The raw wire logs. */
  readonly wire: DiskPart
  /** Without files that are shared with the media in use. */
  readonly backups: DiskPart
  /** Data that restores have set aside. */
  readonly setAside: DiskPart
  readonly other: DiskPart
  readonly totalBytes: number
  /** Free space for this user. */
  readonly freeBytes: number
}

/** Files that appear or vanish meanwhile may be counted or not. A folder that does not exist is empty. */
export async function measureDiskUse(dataDir: string): Promise<DiskUse> {
  const walk = new Walk()
  const names = await namesIn(dataDir)
  const measure = (isPart: (name: string) => boolean): Promise<DiskPart> =>
    walk.measure(names.filter(isPart).map((name) => join(dataDir, name)))
  // In this order: a file with several names counts for the first part that has it.
  const database = await measure(isDatabase)
  const media = await measure((name) => name === MEDIA_FOLDER)
  const wire = await measure((name) => name === WIRE_FOLDER)
  const backups = await measure((name) => name === BACKUPS_FOLDER)
  const setAside = await measure((name) => name.startsWith(SET_ASIDE_PREFIX))
  const other = await measure(
    (name) => !isDatabase(name) && !KNOWN.has(name) && !name.startsWith(SET_ASIDE_PREFIX),
  )
  const parts = { database, media, wire, backups, setAside, other }
  const wal = await findStats(join(dataDir, `${DATABASE_FILE}-wal`))
  return {
    ...parts,
    walBytes: wal?.size ?? 0,
    totalBytes: Object.values(parts).reduce((sum, { bytes }) => sum + bytes, 0),
    freeBytes: await measureFreeBytes(dataDir),
  }
}

/** A file, or a folder with everything in it. */
export function measurePath(path: string): Promise<DiskPart> {
  return new Walk().measure([path])
}

export async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const WIRE_FOLDER = 'wire'
const KNOWN: ReadonlySet<string> = new Set([MEDIA_FOLDER, WIRE_FOLDER, BACKUPS_FOLDER])

function isDatabase(name: string): boolean {
  return /^(?:-(?:wal|shm|journal))?$/.test(name.replace(DATABASE_FILE, ''))
}

class Walk {
  /** Files that have several names and were counted under another. */
  readonly #seen = new Set<string>()

  async measure(paths: readonly string[]): Promise<DiskPart> {
    let bytes = 0
    let files = 0
    const rest = [...paths]
    for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
      const stats = await findStats(path)
      if (stats?.isDirectory()) rest.push(...(await pathsIn(path)))
      else if (stats !== undefined && this.#isNew(stats)) {
        bytes += stats.size
        files += 1
      }
    }
    return { bytes, files }
  }

  #isNew({ nlink, dev, ino }: Stats): boolean {
    if (nlink < 2) return true
    const { size } = this.#seen
    return this.#seen.add(`${dev}:${ino}`).size > size
  }
}

async function pathsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).map((name) => join(folder, name))
}

async function namesIn(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.map(({ name }) => name)
}

/** Undefined when it is gone or cannot be read. Links are not followed: their targets are not in the data directory. */
function findStats(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined)
}
