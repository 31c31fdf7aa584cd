// Migrations go up and down with rows in place; a failed, edited or unknown one is reported and changes nothing.
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '../src/store/sqlite/database.js'
import { MigrationError } from '../src/store/migration-scripts.js'
import { migrateDown, migrateUp, migrationStatus } from '../src/store/sqlite/migrations.js'
import {
  countRows,
  insert,
  insertSamples,
  SAMPLES,
  TABLES,
  TempFolder,
  TestDatabase,
} from './store-fixture.js'
import { MIGRATIONS_FOLDER } from '../src/places.js'

const IDS = readdirSync(MIGRATIONS_FOLDER)
  .filter((id) => existsSync(join(MIGRATIONS_FOLDER, id, 'sqlite')))
  .toSorted()

test('Database migration: up makes every table, down removes every table, up works again, all with rows in place', () => {
  using store = new TestDatabase({ migrated: false })

  expect(migrateUp(store.db)).toEqual(IDS)
  insertSamples(store.db)
  expect(TABLES.map((table) => countRows(store.db, table))).toEqual(TABLES.map(() => 1))

  expect(migrateDown(store.db, IDS.length)).toEqual(IDS.toReversed())
  expect(namesIn(store.db)).toEqual(['schema_migration'])
  expect(countRows(store.db, 'schema_migration')).toBe(0)

  expect(migrateUp(store.db)).toEqual(IDS)
  insertSamples(store.db)
  expect(TABLES.map((table) => countRows(store.db, table))).toEqual(TABLES.map(() => 1))
})

test('up twice changes nothing, and keeps the rows', () => {
  using store = new TestDatabase()
  insertSamples(store.db)

  expect(migrateUp(store.db)).toEqual([])
  expect(countRows(store.db, 'AgentMessage')).toBe(1)
})

test('down more often than there are migrations stops at the first', () => {
  using store = new TestDatabase()

  expect(migrateDown(store.db, IDS.length + 5)).toEqual(IDS.toReversed())
  expect(migrateDown(store.db, 1)).toEqual([])
})

test('status distinguishes applied from pending and changes nothing', () => {
  using store = new TestDatabase({ migrated: false })
  expect(migrationStatus(store.db)).toEqual(
    IDS.map((id) => ({ id, state: 'pending', appliedAt: null })),
  )
  expect(namesIn(store.db)).toEqual([])

  const before = Date.now()
  migrateUp(store.db)

  const [status] = migrationStatus(store.db)
  expect(status).toMatchObject({ id: '0001_init', state: 'applied' })
  expect(status?.appliedAt).toBeGreaterThanOrEqual(before)
})

test('a migration that rebuilds a table keeps the rows of its children, up and down', () => {
  using store = new TestDatabase()
  using folder = withOneMore(rebuildSession('"extra" BOOLEAN NOT NULL DEFAULT false'))
  insertSamples(store.db)
  const before = columnsOf(store.db, 'AgentSession')

  expect(migrateUp(store.db, folder.path)).toEqual(['9999_test'])
  expect(columnsOf(store.db, 'AgentSession')).toEqual([...before, 'extra'])
  expectEveryRow(store.db)

  expect(migrateDown(store.db, 1, folder.path)).toEqual(['9999_test'])
  expect(columnsOf(store.db, 'AgentSession')).toEqual(before)
  expectEveryRow(store.db)
})

test('foreign keys hold again after a migration, and after a failed one', () => {
  using store = new TestDatabase()
  using folder = withOneMore({ up: 'CREATE TABLE broken (', down: '' })
  const insertOrphan = () =>
    insert(store.db, 'AgentSession', { ...SAMPLES['AgentSession'], repoId: '?' })
  expect(insertOrphan).toThrow(/FOREIGN KEY/)

  expect(() => migrateUp(store.db, folder.path)).toThrow(MigrationError)

  expect(insertOrphan).toThrow(/FOREIGN KEY/)
})

test('a failed migration leaves nothing and is named', () => {
  using store = new TestDatabase()
  using folder = withOneMore({
    up: 'CREATE TABLE half (id TEXT); DELETE FROM AgentMessage; INSERT INTO nowhere VALUES (1);',
    down: '',
  })
  insertSamples(store.db)

  expect(() => migrateUp(store.db, folder.path)).toThrow(
    'The migration 9999_test (up) failed and was undone: no such table: nowhere',
  )

  expect(namesIn(store.db)).not.toContain('half')
  expectEveryRow(store.db)
  expect(migrationStatus(store.db, folder.path).map(({ state }) => state)).toEqual([
    ...IDS.map(() => 'applied'),
    'pending',
  ])
})

test('a failed way down leaves the migration applied', () => {
  using store = new TestDatabase()
  using folder = withOneMore({
    up: 'CREATE TABLE extra (id TEXT);',
    down: 'DROP TABLE extra; DROP TABLE nowhere;',
  })
  migrateUp(store.db, folder.path)

  expect(() => migrateDown(store.db, 1, folder.path)).toThrow('9999_test (down) failed')

  expect(namesIn(store.db)).toContain('extra')
  expect(migrationStatus(store.db, folder.path).map(({ state }) => state)).toEqual([
    ...IDS.map(() => 'applied'),
    'applied',
  ])
})

test('a migration that would leave rows pointing to nothing is undone', () => {
  using store = new TestDatabase()
  using folder = withOneMore({ up: 'DELETE FROM Repo;', down: '' })
  insertSamples(store.db)

  expect(() => migrateUp(store.db, folder.path)).toThrow(
    '1 rows point to nothing, the first from AgentSession to Repo',
  )
  expectEveryRow(store.db)
})

test('an edited migration is refused by name, up and down; other line ends are no edit', () => {
  using store = new TestDatabase()
  using folder = withOneMore({ up: 'CREATE TABLE a (id TEXT);\n', down: 'DROP TABLE a;\n' })
  migrateUp(store.db, folder.path)

  folder.write('9999_test/sqlite/up.sql', 'CREATE TABLE a (id TEXT);\r\n')
  expect(migrateUp(store.db, folder.path)).toEqual([])

  folder.write('9999_test/sqlite/up.sql', 'CREATE TABLE b (id TEXT);\n')
  expect(() => migrateUp(store.db, folder.path)).toThrow('The migration 9999_test was edited')
  expect(() => migrateDown(store.db, 1, folder.path)).toThrow('The migration 9999_test was edited')
  expect(migrationStatus(store.db, folder.path).at(-1)?.state).toBe('edited')
})

test('a database of a newer hub is refused, with what to do', () => {
  using store = new TestDatabase()
  using folder = withOneMore({ up: 'CREATE TABLE a (id TEXT);', down: 'DROP TABLE a;' })
  migrateUp(store.db, folder.path)

  for (const attempt of [() => migrateUp(store.db), () => migrateDown(store.db, 1)]) {
    expect(attempt).toThrow(MigrationError)
    expect(attempt).toThrow(
      /made by a newer hub: it has the migration 9999_test.*Start the newer version/,
    )
  }
  expect(migrationStatus(store.db).at(-1)).toMatchObject({ id: '9999_test', state: 'unknown' })
})

test('a database of another program is refused and not touched', () => {
  using store = new TestDatabase({ migrated: false })
  store.db.exec('CREATE TABLE photos (id TEXT)')

  expect(() => migrateUp(store.db)).toThrow(/was not made by Quayside .* QUAYSIDE_DATA_DIR/)
  expect(namesIn(store.db)).toEqual(['photos'])
})

test('a script that commits by itself is reported', () => {
  using store = new TestDatabase()
  using folder = withOneMore({ up: 'CREATE TABLE a (id TEXT); COMMIT;', down: '' })

  expect(() => migrateUp(store.db, folder.path)).toThrow('remove its COMMIT or ROLLBACK')
})

test('a migration without its way down is refused before anything runs', () => {
  using store = new TestDatabase({ migrated: false })
  using folder = new TempFolder()
  folder.write('0001_alone/sqlite/up.sql', 'CREATE TABLE a (id TEXT);')

  expect(() => migrateUp(store.db, folder.path)).toThrow(/down\.sql is missing/)
  expect(namesIn(store.db)).toEqual([])
})

/** The real migrations and one more. */
function withOneMore(script: { up: string; down: string }): TempFolder {
  const folder = new TempFolder()
  cpSync(MIGRATIONS_FOLDER, folder.path, { recursive: true })
  folder.write('9999_test/sqlite/up.sql', script.up)
  folder.write('9999_test/sqlite/down.sql', script.down)
  return folder
}

/** The SQL that Prisma writes for a changed table: a new table, the rows copied, the old one dropped. */
function rebuildSession(column: string): { up: string; down: string } {
  const kept =
    '"id", "repoId", "extensionId", "status", "title", "metadata", "settings", "acpSessionId", "lastSeq", "createdAt", "updatedAt", "endedAt", ' +
    '"pinned", "archived", "turnCount", "messageCount", "snapshot", "number", "workspace", "forkedFrom", "forkedSeq", "forkedTurn"'
  const rebuild = (extra: string) => `
    PRAGMA foreign_keys = OFF;
    CREATE TABLE "new_AgentSession" (
      "id" TEXT NOT NULL PRIMARY KEY, "repoId" TEXT NOT NULL, "extensionId" TEXT NOT NULL, "status" TEXT NOT NULL,
      "title" TEXT, "metadata" TEXT NOT NULL, "settings" TEXT NOT NULL, "acpSessionId" TEXT, "lastSeq" INTEGER NOT NULL,
      "createdAt" DATETIME NOT NULL, "updatedAt" DATETIME NOT NULL, "endedAt" DATETIME,
      "pinned" BOOLEAN, "archived" BOOLEAN, "turnCount" INTEGER, "messageCount" INTEGER, "snapshot" TEXT, "number" INTEGER, "workspace" TEXT,
      "forkedFrom" TEXT, "forkedSeq" INTEGER, "forkedTurn" TEXT${extra},
      FOREIGN KEY ("repoId") REFERENCES "Repo" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
    );
    INSERT INTO "new_AgentSession" (${kept}) SELECT ${kept} FROM "AgentSession";
    DROP TABLE "AgentSession";
    ALTER TABLE "new_AgentSession" RENAME TO "AgentSession";
    PRAGMA foreign_keys = ON;`
  return { up: rebuild(`, ${column}`), down: rebuild('') }
}

function expectEveryRow(db: Database): void {
  for (const [table, sample] of Object.entries(SAMPLES)) {
    const rows: unknown[] = db.prepare(`SELECT * FROM "${table}"`).all()
    expect(rows, table).toHaveLength(1)
    expect(rows[0], table).toMatchObject(sample)
  }
}

function columnsOf(db: Database, table: string): string[] {
  const rows: { name: string }[] = db.prepare(`PRAGMA table_info("${table}")`).all()
  return rows.map((row) => row.name)
}

function namesIn(db: Database): string[] {
  const rows: { name: string }[] = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all()
  return rows.map((row) => row.name)
}
