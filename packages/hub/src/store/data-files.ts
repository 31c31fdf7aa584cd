// The layout of a data directory, and copies of its files that survive a power cut.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export const DATABASE_FILE = 'quayside.db'
export const MEDIA_FOLDER = 'media'
export const CONFIG_FILE = 'config.json'
export const EXTENSION_SETTINGS_FILE = 'extension-settings.json'
export const SECRETS_FILE = 'secrets.json'
export const EXTENSIONS_FOLDER = 'extensions'
/** The MCP servers of sessions with their secrets. */
export const SESSION_SECRETS_FOLDER = 'session-secrets'
/** The setup of agents: settings, secrets, and people's own extensions. */
export const AGENT_SETUP = [
  EXTENSION_SETTINGS_FILE,
  SECRETS_FILE,
  SESSION_SECRETS_FOLDER,
  EXTENSIONS_FOLDER,
] as const
/** Not in backups: a folder that was added on one machine is not added on another. */
export const ROOTS_FILE = 'roots.json'
/** Records of clones in progress. */
export const CLONES_FOLDER = 'clones'
export const BACKUPS_FOLDER = 'backups'
export const SNAPSHOTS_FOLDER = 'snapshots'
/** The steps of undo that are in progress. */
export const UNDO_FOLDER = 'undo'
/** The work trees of sessions that have their own. */
export const WORKTREES_FOLDER = 'worktrees'
/** Tells the processes of this hub from those of others. */
export const HUB_ID_FILE = 'hub-id'
/** The key pair for push services. */
export const PUSH_KEYS_FILE = 'push-keys.json'
/** The data before a restore. The hub never deletes it. */
export const SET_ASIDE_PREFIX = 'before-restore-'

/** The path of a media file in a media folder. */
export function mediaPath(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256)
}

/** A moment as part of a file name; later moments sort later. */
export function timeStamp(now = new Date()): string {
  return now.toISOString().replaceAll(/[-:.]/g, '')
}

/** Not for a file that this process has open as a database: closing it would drop the database's locks. */
export function sha256Of(file: string): string {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1024 * 1024)
  const descriptor = openSync(file, 'r')
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      hash.update(chunk.subarray(0, read))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

/** For files that are never changed in place. Falls back to a copy where the file system cannot link. */
export function linkOrCopy(from: string, to: string): void {
  if (!canLink(from, to)) copyDurably(from, to)
}

/** Makes the link. False when these two folders cannot share a file. */
export function canLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (CANNOT_LINK.has(errorCode(error) ?? '')) return false
    throw error
  }
}

export function copyDurably(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  sync(to, 'r+')
}

/** By rename, so that a reader never finds half a file. */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  sync(draft, 'r+')
  renameSync(draft, file)
  syncFolder(dirname(file))
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** A folder of the data directory that is the hub's alone. Closes one that an earlier version left open to others. */
export function makeOwnFolder(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  makePrivateFolder(path)
  chmodSync(path, 0o700)
  return path
}

/**
 * Makes an empty file that only its owner can read, inside folders that only their owner can enter.
 * Existing folders keep their mode: the person may have named a shared one.
 */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    // Never open an existing file here: closing it would drop the POSIX locks of a connection this process has on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    if (isOpenToOthers(file)) chmodSync(file, 0o600)
  }
}

/** Makes the names in a folder durable. Windows cannot open folders and does not need it. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') sync(path, 'r')
}

export function syncFile(path: string): void {
  sync(path, 'r+')
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

const CANNOT_LINK: ReadonlySet<string> = new Set([
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
])

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function isOpenToOthers(file: string): boolean {
  const stats = statSync(file)
  return stats.isFile() && (stats.mode & 0o077) !== 0
}
