// The copy of the database that is made before a migration changes it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase, type Database } from '../src/store/sqlite/database.js'
import { copyBeforeMigration, copyBeforeRollback } from '../src/store/backup/migration-copy.js'
import { migrateUp } from '../src/store/sqlite/migrations.js'
import { makeData, readData } from './backup-data.js'
import { quayside } from './command-run.js'
import { countRows, TempFolder } from './store-fixture.js'
import { MIGRATIONS_FOLDER } from '../src/places.js'

/** A data directory of this build, and the migrations of a later build with `more`. */
class OlderData implements Disposable {
  readonly folder = new TempFolder()
  readonly data = makeData(this.folder.file('data'), { name: 'shop' })
  readonly migrations = this.folder.file('migrations')
  readonly db: Database = openDatabase(join(this.data, 'quayside.db'), { durability: 'normal' })

  constructor(...more: readonly string[]) {
    cpSync(MIGRATIONS_FOLDER, this.migrations, { recursive: true })
    for (const id of more) this.addMigration(id)
  }

  addMigration(id: string): void {
    const name = `T${id.slice(0, 4)}`
    this.folder.write(`migrations/${id}/sqlite/up.sql`, `CREATE TABLE ${name} (id TEXT);`)
    this.folder.write(`migrations/${id}/sqlite/down.sql`, `DROP TABLE ${name};`)
  }

  copies(): string[] {
    const folder = join(this.data, 'backups')
    return existsSync(folder) ? readdirSync(folder).toSorted() : []
  }

  [Symbol.dispose](): void {
    if (this.db.isOpen) this.db.close()
    this.folder[Symbol.dispose]()
  }
}

test('a database that gets a new shape is copied first, as it was', () => {
  using older = new OlderData('8001_more', '8002_again')

  const copy = copyBeforeMigration(older.db, older.data, older.migrations) ?? ''
  migrateUp(older.db, older.migrations)

  expect(copy).toMatch(/backups\/before-8001_more-\d{8}T\d{9}Z\.db$/)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  const kept = openDatabase(copy, { durability: 'normal' })
  expect(countRows(kept, 'AgentEvent')).toBe(10)
  expect(() => countRows(kept, 'T8001')).toThrow(/no such table/)
  kept.close()
})

test('without anything to migrate, or without anything to lose, there is no copy', () => {
  using older = new OlderData()
  using folder = new TempFolder()
  const fresh = openDatabase(folder.file('quayside.db'), { durability: 'normal' })

  expect(copyBeforeMigration(older.db, older.data)).toBeUndefined()
  expect(copyBeforeMigration(fresh, folder.path)).toBeUndefined()

  expect(older.copies()).toEqual([])
  expect(existsSync(folder.file('backups'))).toBe(false)
  fresh.close()
})

test('the newest three copies stay, and nothing else in the folder is touched', () => {
  using older = new OlderData()
  older.folder.write('data/backups/mine.db', 'mine')
  const made: string[] = []
  // The names differ by a millisecond.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (const id of ['8001_a', '8002_b', '8003_c', '8004_d']) {
    older.addMigration(id)
    made.push(copyBeforeMigration(older.db, older.data, older.migrations) ?? '')
    migrateUp(older.db, older.migrations)
    vi.setSystemTime(Date.now() + 1)
  }

  expect(older.copies()).toEqual(
    [...made.slice(1).map((path) => basename(path)), 'mine.db'].toSorted(),
  )
})

test('when the copy cannot be made, the start stops and nothing has changed', () => {
  using older = new OlderData('8001_more')
  writeFileSync(join(older.data, 'backups'), 'a file where the folder should be')

  expect(() => copyBeforeMigration(older.db, older.data, older.migrations)).toThrow(
    /copy to be made before that failed.*Nothing was changed/,
  )
  expect(() => countRows(older.db, 'T8001')).toThrow(/no such table/)
})

test('a full disk stops it with a clear message and leaves no half copy', async () => {
  using older = new OlderData('8001_more')
  older.db.exec(`CREATE TABLE Filler AS SELECT randomblob(1000000) AS bytes`)
  const script = older.folder.write(
    'copy.mjs',
    `import { openDatabase } from ${JSON.stringify(distOf('sqlite/database'))}
     import { copyBeforeMigration } from ${JSON.stringify(distOf('backup/migration-copy'))}
     const db = openDatabase(process.argv[2] + '/quayside.db', { durability: 'normal' })
     try {
       copyBeforeMigration(db, process.argv[2], process.argv[3])
     } catch (error) {
       process.stdout.write(error.message)
     }`,
  )
  older.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')

  // No file may grow beyond 256 KiB, so that writes fail as on a full disk.
  const run = 'ulimit -f 256; exec "$0" "$@"'
  const args = ['-c', run, process.execPath, script, older.data, older.migrations]
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')

  expect(output).toMatch(/Is the disk full\? Nothing was changed\./)
  expect(older.copies()).toEqual([])
})

test('the copy before a rollback has the rows that go, and can be restored', async () => {
  using older = new OlderData()
  const copy = copyBeforeRollback(older.db, older.data) ?? ''
  older.db.exec('DELETE FROM AgentEvent; PRAGMA wal_checkpoint(TRUNCATE)')
  older.db.close()

  const restore = await quayside(['restore', copy], { QUAYSIDE_DATA_DIR: older.data })
  expect(restore).toMatchObject({ code: 0 })

  expect(readData(older.data)).toMatchObject({ events: 10, media: ['shop 0', 'shop 1'] })
})

function distOf(name: string): string {
  return fileURLToPath(new URL(`../dist/store/${name}.js`, import.meta.url))
}
