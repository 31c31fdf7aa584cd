// Migrates a PostgreSQL database to the schema of this build, and back, in one transaction: two hubs that start at the same time
// wait for each other.
import type { ClientBase } from 'pg'
import { MIGRATIONS_FOLDER } from '../../places.js'
import {
  explainEdited,
  type Migration,
  MigrationError,
  readMigrations,
} from '../migration-scripts.js'
import type { Connections } from './connections.js'

/** Any number that no other program locks in this database. */
export const MIGRATION_LOCK = 4_444_019
const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS "schema_migration" (
  "id" text PRIMARY KEY,
  "checksum" text NOT NULL,
  "appliedAt" bigint NOT NULL
)`

/** Runs pending migrations, oldest first, and returns their ids. Throws `MigrationError`. */
export function migrateUp(db: Connections, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  return locked(db, folder, async (client, known, applied) => {
    const pending = known.filter(({ id }) => !applied.has(id))
    for (const { id, up, checksum } of pending) {
      await run(client, `${id} (up)`, up)
      const row = [id, checksum, Date.now()]
      await client.query('INSERT INTO "schema_migration" VALUES ($1, $2, $3)', row)
    }
    return pending.map(({ id }) => id)
  })
}

/** Rolls back the last `count` migrations, newest first, and returns their ids. Throws `MigrationError`, also while a hub uses the database. */
export function migrateDown(
  db: Connections,
  count: number,
  folder = MIGRATIONS_FOLDER,
): Promise<string[]> {
  return locked(db, folder, async (client, known, applied) => {
    await requireNoHub(client)
    const last = known.filter(({ id }) => applied.has(id)).toReversed()
    for (const { id, down } of last.slice(0, count)) {
      await run(client, `${id} (down)`, down)
      await client.query('DELETE FROM "schema_migration" WHERE "id" = $1', [id])
    }
    return last.slice(0, count).map(({ id }) => id)
  })
}

type Work = (
  client: ClientBase,
  known: readonly Migration[],
  applied: ReadonlyMap<string, string>,
) => Promise<string[]>

function locked(db: Connections, folder: string, work: Work): Promise<string[]> {
  const known = readMigrations(folder, 'postgres')
  return db.inTransaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await requireOwnDatabase(client)
    await client.query(BOOKKEEPING)
    const { rows } = await client.query<{ id: string; checksum: string }>(
      'SELECT "id", "checksum" FROM "schema_migration"',
    )
    const applied = new Map(rows.map(({ id, checksum }) => [id, checksum]))
    requireKnown(known, applied)
    return work(client, known, applied)
  })
}

/** A hub works with the schema of its build, or with the next one. */
async function requireNoHub(client: ClientBase): Promise<void> {
  const { rows: tables } = await client.query(`SELECT 1 WHERE to_regclass('"Hub"') IS NOT NULL`)
  if (tables.length === 0) return
  const { rows } = await client.query<{ name: string }>(
    'SELECT "name" FROM "Hub" WHERE NOT "dead" AND "leaseUntil" > clock_timestamp() LIMIT 1',
  )
  if (rows[0] === undefined) return
  throw new MigrationError(
    `The hub "${rows[0].name}" uses the PostgreSQL database. Nothing was changed. Stop all hubs of it first.`,
  )
}

async function requireOwnDatabase(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name`,
  )
  const names = rows.map(({ name }) => name)
  if (names.length === 0 || names.includes('schema_migration')) return
  throw new MigrationError(
    `The PostgreSQL database was not made by Quayside (it has a table "${names[0]}"). Nothing was changed. Choose an empty database.`,
  )
}

function requireKnown(known: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const checksums = new Map(known.map(({ id, checksum }) => [id, checksum]))
  for (const [id, checksum] of applied) {
    if (!checksums.has(id))
      throw new MigrationError(
        `The PostgreSQL database was made by a newer hub: it has the migration ${id}, which this version does not know. ` +
          'Nothing was changed. Start the newer version again.',
      )
    if (checksums.get(id) !== checksum) throw new MigrationError(explainEdited(id, 'postgres'))
  }
}

async function run(client: ClientBase, name: string, sql: string): Promise<void> {
  try {
    await client.query(sql)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(`The migration ${name} failed and was undone: ${reason}`, { cause })
  }
}
