// Lets exactly one hub work in a data directory. The lock is an open exclusive transaction on a tiny database of its own,
// so the system frees it when the hub dies, even by kill -9; hub.json beside it only names the holder.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { messageOfError } from '../errors.js'
import { isAlive } from '../is-alive.js'
import { createPrivateFile } from './data-files.js'
import { dataDirectoryError } from './storage-error.js'

/** The hub that holds a data directory, as it is written in hub.json. */
export interface LockHolder {
  readonly pid: number
  /** The address it listens on; absent until it does. */
  readonly address?: string
  /** A bearer token for commands of the same user on this machine; it dies with the hub. */
  readonly localToken?: string
  /** PEM; the certificate that it serves TLS with. */
  readonly certificate?: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

export interface DataLock {
  /** Writes the address of this hub into hub.json, for people and other commands. */
  announce(holder: Pick<LockHolder, 'address' | 'localToken' | 'certificate'>): void
  release(): void
}

/** Another hub works in this directory. The message names it and a way out. */
export class DataDirectoryLockedError extends Error {
  override name = 'DataDirectoryLockedError'

  readonly directory: string
  /** Without its token: errors end up in logs. */
  readonly holder: Omit<LockHolder, 'localToken'> | undefined

  constructor(directory: string, holder: LockHolder | undefined) {
    super(explain(directory, holder))
    this.directory = directory
    this.holder = holder && withoutToken(holder)
  }
}

/** Takes the directory for this process. Throws `DataDirectoryLockedError` when another hub has it. */
export function lockDataDirectory(dataDirectory: string): DataLock {
  const directory = resolve(dataDirectory)
  const lock = takeLock(directory)
  const startedAt = Date.now()
  try {
    writeHolder(directory, { pid: process.pid, startedAt })
  } catch (error) {
    lock.close()
    throw dataDirectoryError(directory, error)
  }
  return {
    announce: (holder) => writeHolder(directory, { pid: process.pid, ...holder, startedAt }),
    release: () => {
      if (!lock.isOpen) return
      // First hub.json, then the lock: the next holder writes its own.
      rmSync(join(directory, HOLDER_FILE), { force: true })
      lock.close()
    },
  }
}

/** The holder of the directory, if its process lives. Other commands find the running hub by it. */
export function findLockHolder(directory: string): LockHolder | undefined {
  const holder = readHolder(directory)
  return holder !== undefined && isAlive(holder.pid) ? holder : undefined
}

/** For other processes than the hub. A read fails while the lock is held, and does not take it. */
export function isDataDirectoryLocked(directory: string): boolean {
  const file = join(directory, LOCK_FILE)
  if (!existsSync(file)) return false
  const lock = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    lock.close()
  }
}

const LOCK_FILE = 'hub.lock'
const HOLDER_FILE = 'hub.json'

function takeLock(directory: string): DatabaseSyncInstance {
  const file = join(directory, LOCK_FILE)
  const lock = openLock(directory, file)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new DataDirectoryLockedError(directory, findLockHolder(directory))
    if (/not a database|malformed/.test(messageOfError(error)))
      throw new Error(`${file} is damaged. Remove that file if no hub runs.`, { cause: error })
    throw dataDirectoryError(directory, error)
  }
}

function openLock(directory: string, file: string): DatabaseSyncInstance {
  try {
    createPrivateFile(file)
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw dataDirectoryError(directory, error)
  }
}

function isBusy(error: unknown): boolean {
  return /locked|busy/i.test(messageOfError(error))
}

// By rename, so that a reader never sees half a file.
function writeHolder(directory: string, holder: LockHolder): void {
  const file = join(directory, HOLDER_FILE)
  const draft = `${file}.${holder.pid}`
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

function readHolder(directory: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8'))
    return isLockHolder(holder) ? holder : undefined
  } catch {
    // Missing or unreadable: the lock itself decides, this file only names its holder.
    return undefined
  }
}

function isLockHolder(value: unknown): value is LockHolder {
  if (typeof value !== 'object' || value === null) return false
  const { pid, address, localToken, certificate, startedAt } = value as Partial<
    Record<keyof LockHolder, unknown>
  >
  return (
    Number.isInteger(pid) &&
    typeof startedAt === 'number' &&
    (address === undefined || typeof address === 'string') &&
    (localToken === undefined || typeof localToken === 'string') &&
    (certificate === undefined || typeof certificate === 'string')
  )
}

function withoutToken(holder: LockHolder): Omit<LockHolder, 'localToken'> {
  const copy: { -readonly [Key in keyof LockHolder]: LockHolder[Key] } = { ...holder }
  delete copy.localToken
  return copy
}

function explain(directory: string, holder: LockHolder | undefined): string {
  const who = holder === undefined ? 'Another hub' : `Another hub (${describe(holder)})`
  return (
    `${who} already works in ${directory}. ` +
    'Use that one, stop it first, or give this one its own directory with QUAYSIDE_DATA_DIR.'
  )
}

function describe(holder: LockHolder): string {
  const since = new Date(holder.startedAt).toISOString()
  const where = holder.address === undefined ? '' : `, ${holder.address}`
  return `process ${holder.pid}${where}, since ${since}`
}
