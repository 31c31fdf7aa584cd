// Migrates the database to the schema of this build, and back. Each migration is one folder with an up.sql and a down.sql;
// each runs in one transaction, and the table schema_migration records it.

import type { Database } from './database.js'
import { MIGRATIONS_FOLDER } from '../../places.js'
import {
  explainEdited,
  type Migration,
  MigrationError,
  readMigrations,
} from '../migration-scripts.js'
import { inTransaction } from './transaction.js'

/** `edited`: its file changed after it ran. `unknown`: it ran, but this build does not have it. */
export type MigrationState = 'applied' | 'pending' | 'edited' | 'unknown'

export interface MigrationStatus {
  readonly id: string
  readonly state: MigrationState
  /** Milliseconds since 1970, or null when it has not run. */
  readonly appliedAt: number | null
}

/** Runs pending migrations, oldest first, and returns their ids. Throws `MigrationError`. */
export function migrateUp(db: Database, folder = MIGRATIONS_FOLDER): string[] {
  const known = readMigrations(folder, 'sqlite')
  requireKnownDatabase(db, known)
  const applied = readApplied(db)
  const pending = known.filter((migration) => !applied.has(migration.id))
  for (const migration of pending) {
    runAlone(db, { id: migration.id, direction: 'up', sql: migration.up }, () => {
      db.exec(CREATE_BOOKKEEPING)
      db.prepare('INSERT INTO schema_migration (id, checksum, appliedAt) VALUES (?, ?, ?)').run(
        migration.id,
        migration.checksum,
        Date.now(),
      )
    })
  }
  return pending.map((migration) => migration.id)
}

/** Rolls back the last `count` migrations, newest first, and returns their ids. Throws `MigrationError`. */
export function migrateDown(db: Database, count: number, folder = MIGRATIONS_FOLDER): string[] {
  const known = readMigrations(folder, 'sqlite')
  requireKnownDatabase(db, known)
  const applied = readApplied(db)
  const last = known
    .filter((migration) => applied.has(migration.id))
    .toReversed()
    .slice(0, count)
  for (const migration of last) {
    runAlone(db, { id: migration.id, direction: 'down', sql: migration.down }, () => {
      db.prepare('DELETE FROM schema_migration WHERE id = ?').run(migration.id)
    })
  }
  return last.map((migration) => migration.id)
}

/** All migrations with their states, in order. Changes nothing and never throws for a bad state. */
export function migrationStatus(db: Database, folder = MIGRATIONS_FOLDER): MigrationStatus[] {
  const known = new Map(
    readMigrations(folder, 'sqlite').map((migration) => [migration.id, migration]),
  )
  const applied = readApplied(db)
  const ids = [...new Set([...known.keys(), ...applied.keys()])].toSorted()
  return ids.map((id) => {
    const row = applied.get(id)
    return { id, state: stateOf(known.get(id), row), appliedAt: row?.appliedAt ?? null }
  })
}

interface AppliedRow {
  readonly id: string
  readonly checksum: string
  readonly appliedAt: number
}

const CREATE_BOOKKEEPING = `CREATE TABLE IF NOT EXISTS schema_migration (
  id TEXT NOT NULL PRIMARY KEY,
  checksum TEXT NOT NULL,
  appliedAt DATETIME NOT NULL
)`

function readApplied(db: Database): Map<string, AppliedRow> {
  if (!tableNames(db).includes('schema_migration')) return new Map()
  const rows: AppliedRow[] = db
    .prepare('SELECT id, checksum, appliedAt FROM schema_migration ORDER BY id')
    .all()
  return new Map(rows.map((row) => [row.id, row]))
}

function stateOf(migration: Migration | undefined, row: AppliedRow | undefined): MigrationState {
  if (row === undefined) return 'pending'
  if (migration === undefined) return 'unknown'
  return migration.checksum === row.checksum ? 'applied' : 'edited'
}

function requireKnownDatabase(db: Database, known: readonly Migration[]): void {
  const tables = tableNames(db)
  if (tables.length > 0 && !tables.includes('schema_migration')) {
    throw new MigrationError(
      `The database ${db.location() ?? ''} was not made by Quayside (it has a table "${tables[0]}"). ` +
        'Nothing was changed. Choose another data directory with QUAYSIDE_DATA_DIR.',
    )
  }
  const byId = new Map(known.map((migration) => [migration.id, migration]))
  for (const row of readApplied(db).values()) {
    const state = stateOf(byId.get(row.id), row)
    if (state === 'unknown') throw new MigrationError(explainUnknown(db, row.id))
    if (state === 'edited') throw new MigrationError(explainEdited(row.id, 'sqlite'))
  }
}

function explainUnknown(db: Database, id: string): string {
  return (
    `The database ${db.location() ?? ''} was made by a newer hub: it has the migration ${id}, which this version does not know. ` +
    'Nothing was changed. Start the newer version again, or use it to roll back (quayside db rollback), ' +
    'or choose another data directory with QUAYSIDE_DATA_DIR.'
  )
}

interface Step {
  readonly id: string
  readonly direction: 'up' | 'down'
  readonly sql: string
}

/**
 * Runs one script and its bookkeeping in one transaction with foreign keys off.
 *
 * Rebuilding a table drops the old one, and with foreign keys on that deletes the rows of its children. The switch
 * does nothing inside a transaction, so it must come before BEGIN. https://sqlite.org/lang_altertable.html#otheralter
 */
function runAlone(db: Database, step: Step, record: () => void): void {
  db.exec('PRAGMA foreign_keys = OFF')
  try {
    inTransaction(db, () => {
      db.exec(step.sql)
      requireTransaction(db)
      requireForeignKeys(db)
      record()
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(
      `The migration ${step.id} (${step.direction}) failed and was undone: ${reason}`,
      { cause: error },
    )
  } finally {
    db.exec('PRAGMA foreign_keys = ON')
  }
}

function requireTransaction(db: Database): void {
  if (!db.isTransaction) {
    throw new Error('the script ends the transaction itself; remove its COMMIT or ROLLBACK')
  }
}

function requireForeignKeys(db: Database): void {
  const broken: { table: string; parent: string }[] = db.prepare('PRAGMA foreign_key_check').all()
  const first = broken[0]
  if (first === undefined) return
  throw new Error(
    `${broken.length} rows point to nothing, the first from ${first.table} to ${first.parent}`,
  )
}

function tableNames(db: Database): string[] {
  const rows: { name: string }[] = db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all()
  return rows.map((row) => row.name)
}
