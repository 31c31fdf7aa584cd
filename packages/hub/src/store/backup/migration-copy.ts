// The automatic copy of the database before its schema changes. Called right before migrateUp, under the data directory's lock.
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BACKUPS_FOLDER, makePrivateFolder, syncFolder, timeStamp } from '../data-files.js'
import { CopyError, copyDatabase, openForReading, requireSound } from './database-copy.js'
import type { Database } from '../sqlite/database.js'
import { migrationStatus } from '../sqlite/migrations.js'
import { MIGRATIONS_FOLDER } from '../../places.js'

/** Older copies are removed. */
const KEPT_COPIES = 3
const COPY_NAME = /^before-(?:rollback-of-)?\d{4}_.*-\d{8}T\d{9}Z\.db$/

/**
 * Writes `backups/before-<migration>-<time>.db` when an existing database is about to be migrated, and returns its path.
 * Throws `CopyError` before anything is changed.
 */
export function copyBeforeMigration(
  db: Database,
  dataDir: string,
  folder = MIGRATIONS_FOLDER,
): string | undefined {
  const status = migrationStatus(db, folder)
  const pending = status.find(({ state }) => state === 'pending')
  const isNew = status.every(({ state }) => state === 'pending')
  // migrateUp itself refuses unknown and edited migrations.
  const isForeign = status.some(({ state }) => state === 'unknown' || state === 'edited')
  if (pending === undefined || isNew || isForeign) return undefined
  return keepCopy(db, dataDir, pending.id)
}

/** The same before the newest migration is rolled back, which drops its tables with their rows. */
export function copyBeforeRollback(
  db: Database,
  dataDir: string,
  folder = MIGRATIONS_FOLDER,
): string | undefined {
  const last = migrationStatus(db, folder).findLast(({ state }) => state === 'applied')
  return last && keepCopy(db, dataDir, `rollback-of-${last.id}`)
}

function keepCopy(db: Database, dataDir: string, reason: string): string {
  const folder = join(dataDir, BACKUPS_FOLDER)
  const path = join(folder, `before-${reason}-${timeStamp()}.db`)
  const half = `${path}.partial`
  try {
    makePrivateFolder(folder)
    removeHalves(folder)
    copyDatabase(db, half)
    keepIfSound(half, path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CopyError(
      `The database must change its shape, and the copy to be made before that failed. ${why} ` +
        `Nothing was changed. See that ${folder} can be written and has room, then try again.`,
      { cause: error },
    )
  }
  prune(folder)
  return path
}

function keepIfSound(half: string, path: string): void {
  try {
    const copy = openForReading(half)
    try {
      requireSound(copy)
    } finally {
      copy.close()
    }
    renameSync(half, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(half, { force: true })
    throw error
  }
}

function removeHalves(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.endsWith('.db.partial')) rmSync(join(folder, name), { force: true })
}

function prune(folder: string): void {
  const copies = readdirSync(folder)
    .filter((name) => COPY_NAME.test(name))
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
  for (const name of copies.slice(KEPT_COPIES)) rmSync(join(folder, name), { force: true })
}

function timeOf(name: string): string {
  return name.slice(-'20260101T000000000Z.db'.length)
}
