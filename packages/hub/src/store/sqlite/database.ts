// Opens the one SQLite connection of the hub: all statements and the migrations share it.
// A second SQLite library in this process would not see its locks, so no other code may open the file.

import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { createPrivateFile, HUB_ID_FILE } from '../data-files.js'
import { findStorageProblem } from '../storage-error.js'

/** One open SQLite connection. */
export type Database = DatabaseSyncInstance

/** `full` survives a power cut; `normal` survives a crash of the hub but may lose the last commits to a power cut. */
export type Durability = 'full' | 'normal'

/** The file cannot be opened as a database. The message is for the person who starts the hub. */
export class DatabaseOpenError extends Error {
  override name = 'DatabaseOpenError'
}

/** Opens the database file, and creates it when there is none. An unreadable file is not changed. */
export function openDatabase(file: string, options: { durability: Durability }): Database {
  let db: Database | undefined
  try {
    requireNotEmptied(file)
    createPrivateFile(file)
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true })
    configure(db, options.durability)
    return db
  } catch (error) {
    db?.close()
    throw new DatabaseOpenError(explain(file, error), { cause: error })
  }
}

/**
 * Moves everything into the one file and closes it. Plain `close()` loses nothing either, but leaves the write-ahead log behind:
 * the driver finishes a connection only when the last of its statements is collected.
 */
export function closeDatabase(db: Database): void {
  if (!db.isOpen) return
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

/** Checks the whole file and returns its errors. Takes seconds per gigabyte: for `quayside doctor`, not for the start. */
export function findCorruption(db: Database): string[] {
  const rows: { quick_check: string }[] = db.prepare('PRAGMA quick_check').all()
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
}

/** SQLite takes an empty file for a new database. Beside the data of a hub it is what a failed copy or a crash of the file system left. */
function requireNotEmptied(file: string): void {
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0
  if (isEmpty && existsSync(join(dirname(file), HUB_ID_FILE))) throw new Error('the file is empty')
}

const BUSY_TIMEOUT_MS = 5_000
const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024
const CACHE_SIZE_KIB = 16 * 1024

function configure(db: Database, durability: Durability): void {
  const journal: { journal_mode: string } = db.prepare('PRAGMA journal_mode = WAL').get()
  if (journal.journal_mode !== 'wal') {
    throw new Error('its file system does not support write-ahead logging (a network drive?)')
  }
  db.exec(`
    PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'};
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};
    PRAGMA cache_size = -${CACHE_SIZE_KIB};
  `)
  // Reads the schema, so that a damaged file fails here and not in the middle of a session.
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
}

function explain(file: string, error: unknown): string {
  // SQLite quotes from the file, line breaks included.
  const text = error instanceof Error ? error.message : String(error)
  const message = text.replaceAll(/\s+/g, ' ')
  if (/not a database/.test(message)) {
    return (
      `${file} is not a database. It was left as it is. ` +
      'Move it away or restore it from a backup, then start again.'
    )
  }
  if (/malformed/.test(message)) {
    return (
      `The database ${file} is damaged (${message}). It was left as it is. ` +
      'Restore it from a backup, or recover what can be read with: ' +
      `sqlite3 ${file} .recover > recovered.sql`
    )
  }
  if (message === 'the file is empty') {
    return (
      `The database ${file} is empty, but its folder holds the data of a hub. It was left as it is. ` +
      'Restore it from a backup (quayside restore), or remove the file to begin with no sessions.'
    )
  }
  if (/unable to open|readonly|EACCES|EPERM|EROFS|EISDIR/i.test(message)) {
    return `The database ${file} cannot be opened for writing: ${message}. Check that it is a file and who owns it.`
  }
  if (/locked|busy/i.test(message)) {
    return `The database ${file} is in use by another program. Close that program and start again.`
  }
  const problem = findStorageProblem(error)
  if (problem !== undefined) return `The database ${file} cannot be opened. ${problem}`
  return `The database ${file} cannot be opened: ${message}.`
}
