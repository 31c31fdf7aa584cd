// Whole copies of a database: written from one read transaction, so they are consistent while others commit.
import { existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { createPrivateFile, syncFile } from '../data-files.js'
import type { Database } from '../sqlite/database.js'
import { migrationStatus } from '../sqlite/migrations.js'

/** A copy that could not be made or is damaged. The message is for people. */
export class CopyError extends Error {
  override name = 'CopyError'
}

export type DatabaseFacts = {
  /** The ids of the migrations that have run. */
  readonly migrations: readonly string[]
  /** Rows per table. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Opens a database read-only, also while a hub in another process writes. Never in the hub's own process:
 * closing a second connection would drop the locks of the first.
 */
export function openForReading(file: string): Database {
  return new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
}

/** Writes a compact copy that only its owner can read. Removes it on failure. Throws `CopyError`. */
export function copyDatabase(db: Database, target: string): void {
  if (existsSync(target)) throw new CopyError(`${target} exists already.`)
  try {
    createPrivateFile(target)
    db.prepare('VACUUM INTO ?').run(target)
    syncFile(target)
  } catch (error) {
    rmSync(target, { force: true })
    rmSync(`${target}-journal`, { force: true })
    throw new CopyError(explain(target, error), { cause: error })
  }
}

/** Reads the whole database. Throws `CopyError` when it is damaged. */
export function requireSound(db: Database): DatabaseFacts {
  const rows: { integrity_check: string }[] = db.prepare('PRAGMA integrity_check').all()
  const problems = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  if (problems.length > 0)
    throw new CopyError(
      `The database ${db.location() ?? ''} is damaged: ${problems[0]?.replaceAll(/\s+/g, ' ')}`,
    )
  return {
    migrations: migrationStatus(db)
      .filter(({ state }) => state !== 'pending')
      .map(({ id }) => id),
    counts: countRows(db),
  }
}

export type MediaUse = { readonly sha256: string; readonly byteLength: number }

/** Every media file that a database refers to, once. */
export function mediaOf(db: Database, { counts }: DatabaseFacts): MediaUse[] {
  if (!('Media' in counts)) return []
  return db
    .prepare('SELECT sha256, max(byteLength) AS byteLength FROM Media GROUP BY sha256')
    .all() as MediaUse[]
}

export function hasSize(file: string, bytes: number): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === bytes
}

const BUSY_TIMEOUT_MS = 5_000

function countRows(db: Database): Record<string, number> {
  const tables: { name: string }[] = db
    .prepare(
      `SELECT name FROM sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => {
      const row: { count: number } = db
        .prepare(`SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`)
        .get()
      return [name, row.count]
    }),
  )
}

function explain(target: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  if (/full|ENOSPC|disk I\/O/i.test(reason))
    return `The database could not be copied to ${target}: ${reason}. Is the disk full?`
  if (/malformed|not a database/i.test(reason))
    return `The database could not be copied to ${target}: it is damaged (${reason}). \`quayside doctor\` says more.`
  return `The database could not be copied to ${target}: ${reason}.`
}
