// The database file: it opens with the right mode and settings, survives kill -9, and a damaged one is reported.
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import {
  closeDatabase,
  DatabaseOpenError,
  findCorruption,
  openDatabase,
  type Database,
} from '../src/store/sqlite/database.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { countRows, insertSamples, StoreChild, TempFolder, TestDatabase } from './store-fixture.js'
import { MIGRATIONS_FOLDER } from '../src/places.js'

test.each([
  { durability: 'full', synchronous: 2 },
  { durability: 'normal', synchronous: 1 },
] as const)('durability $durability is synchronous=$synchronous', ({ durability, synchronous }) => {
  using folder = new TempFolder()
  const db = openDatabase(folder.file('hub.sqlite'), { durability })

  expect(pragma(db, 'synchronous')).toBe(synchronous)
  db.close()
})

test('the connection is configured as the design asks', () => {
  using store = new TestDatabase()

  const names = ['journal_mode', 'foreign_keys', 'trusted_schema', 'temp_store', 'busy_timeout']
  expect(names.map((name) => pragma(store.db, name))).toEqual(['wal', 1, 0, 2, 5_000])
  expect(pragma(store.db, 'journal_size_limit')).toBe(64 * 1024 * 1024)
})

test('the files are readable by their owner only, also those SQLite adds', () => {
  using folder = new TempFolder()
  const file = folder.file('data/hub.sqlite')
  const db = openDatabase(file, { durability: 'full' })
  migrateUp(db)

  expect(modeOf(folder.file('data'))).toBe(0o700)
  expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600])
  db.close()
})

test('a file that others could read is closed to them, a folder that exists keeps its mode', () => {
  using folder = new TempFolder()
  chmodSync(folder.path, 0o755)
  const file = folder.write('hub.sqlite', '')
  chmodSync(file, 0o644)

  openDatabase(file, { durability: 'full' }).close()

  expect(modeOf(file)).toBe(0o600)
  expect(modeOf(folder.path)).toBe(0o755)
})

test('a file that is not a database is refused and unchanged', () => {
  using folder = new TempFolder()
  const text = 'my shopping list\n'.repeat(500)
  const file = folder.write('hub.sqlite', text)

  const open = () => openDatabase(file, { durability: 'full' })

  expect(open).toThrow(DatabaseOpenError)
  expect(open).toThrow(`${file} is not a database. It was left as it is.`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a damaged database is refused and unchanged', () => {
  using folder = new TempFolder()
  const file = folder.file('hub.sqlite')
  fillDatabase(file)
  const bytes = readFileSync(file)
  bytes.fill(0xaa, 100, 4_096)
  writeFileSync(file, bytes)

  const open = () => openDatabase(file, { durability: 'full' })

  expect(open).toThrow(/is damaged .* Restore it from a backup/)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('damage behind the first page is found by the full check', () => {
  using folder = new TempFolder()
  const file = folder.file('hub.sqlite')
  fillDatabase(file)
  const healthy = openDatabase(file, { durability: 'full' })
  expect(findCorruption(healthy)).toEqual([])
  closeDatabase(healthy)
  const bytes = readFileSync(file)
  bytes.fill(0xaa, 8_192, 12_288)
  writeFileSync(file, bytes)

  const damaged = openDatabase(file, { durability: 'full' })

  expect(findCorruption(damaged).length).toBeGreaterThan(0)
  damaged.close()
})

test('a folder in the place of the database is refused by name', () => {
  using folder = new TempFolder()

  expect(() => openDatabase(folder.path, { durability: 'full' })).toThrow(
    `The database ${folder.path} cannot be opened for writing`,
  )
  expect(modeOf(folder.path)).toBe(0o700)
})

test('a truncated database is never silently replaced by an empty one', () => {
  using folder = new TempFolder()
  const file = folder.file('hub.sqlite')
  fillDatabase(file)
  truncateSync(file, 50)

  expect(() => openDatabase(file, { durability: 'full' })).toThrow(DatabaseOpenError)
  expect(statSync(file).size).toBe(50)
})

test.each([3, 20, 60])(
  'kill -9 after %i commits loses nothing that was acknowledged',
  async (commits) => {
    using folder = new TempFolder()
    const file = folder.file('hub.sqlite')
    await using writer = await StoreChild.start('write', file, MIGRATIONS_FOLDER)
    let acknowledged = 0
    for (let commit = 0; commit < commits; commit += 1)
      acknowledged = Number(await writer.readLine())
    await writer.kill()
    acknowledged = Number((await writer.readRest()).at(-1) ?? acknowledged)

    const db = openDatabase(file, { durability: 'full' })

    const log: { count: number; last: number } = db
      .prepare('SELECT count(*) AS count, max(seq) AS last FROM AgentEvent')
      .get()
    expect(log.last).toBeGreaterThanOrEqual(acknowledged)
    // No gap and no partial transaction: the child commits seven at a time.
    expect(log.count).toBe(log.last)
    expect(log.count % 7).toBe(0)
    expect(findCorruption(db)).toEqual([])
    db.close()
  },
)

test('closing leaves everything in the one file', () => {
  using folder = new TempFolder()
  const file = folder.file('hub.sqlite')
  fillDatabase(file)
  copyFileSync(file, folder.file('copy.sqlite'))

  const copy = openDatabase(folder.file('copy.sqlite'), { durability: 'normal' })

  expect(countRows(copy, 'AgentEvent')).toBe(1)
  copy.close()
})

test('rows survive closing and opening again', () => {
  using folder = new TempFolder()
  const file = folder.file('hub.sqlite')
  fillDatabase(file)

  const db = openDatabase(file, { durability: 'normal' })

  expect(countRows(db, 'AgentMessage')).toBe(1)
  db.close()
})

function fillDatabase(file: string): void {
  const db = openDatabase(file, { durability: 'full' })
  migrateUp(db)
  insertSamples(db)
  closeDatabase(db)
}

function pragma(db: Database, name: string): unknown {
  const row: Record<string, unknown> = db.prepare(`PRAGMA ${name}`).get()
  return Object.values(row)[0]
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

test('an empty file beside the data of a hub is refused, and is a new database otherwise', () => {
  using folder = new TempFolder()
  const file = folder.file('quayside.db')
  writeFileSync(file, '')
  openDatabase(file, { durability: 'normal' }).close()

  writeFileSync(file, '')
  writeFileSync(folder.file('hub-id'), 'an id')
  expect(() => openDatabase(file, { durability: 'normal' })).toThrow(
    /is empty, but its folder holds the data of a hub.*quayside restore/,
  )
  expect(statSync(file).size).toBe(0)
})
