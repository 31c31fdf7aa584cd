// A SQLite data directory as one side of a move: read without changing it, or made new.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openForReading } from '../backup/database-copy.js'
import { requireNoOpenRestore } from '../backup/restore-swap.js'
import { DATABASE_FILE, makePrivateFolder, syncFile, syncFolder } from '../data-files.js'
import { MoveError, type MovedStore } from '../moved-tables.js'
import { closeDatabase, type Database, openDatabase } from '../sqlite/database.js'
import { migrateUp, migrationStatus } from '../sqlite/migrations.js'
import { MovedRows } from '../sqlite/moved-rows.js'
import { hasCleanSettings, markCleanSettings } from '../sqlite/redact-settings.js'

/** Runs `work` on the data of a directory. Neither the database nor any other file is changed. */
export async function outOfDirectory<T>(
  dataDir: string,
  work: (store: MovedStore) => Promise<T>,
): Promise<T> {
  requireNoOpenRestore(dataDir)
  const file = join(dataDir, DATABASE_FILE)
  if (!existsSync(file))
    throw new MoveError(`There is no database ${file}. Name its folder with QUAYSIDE_DATA_DIR.`)
  const db = openForReading(file)
  try {
    requireCurrent(db, file)
    return await work(new MovedRows(db, dataDir))
  } finally {
    db.close()
  }
}

function requireCurrent(db: Database, file: string): void {
  const isCurrent = migrationStatus(db).every(({ state }) => state === 'applied')
  if (isCurrent && hasCleanSettings(db)) return
  throw new MoveError(
    `The database ${file} is of another version of Quayside. Nothing was changed. ` +
      'Bring it to this version with: quayside db migrate',
  )
}

/** Makes a database in a directory that has none. It gets its name when `work` is done; a draft of an earlier try is removed. */
export async function intoDirectory<T>(
  dataDir: string,
  work: (store: MovedStore) => Promise<T>,
): Promise<T> {
  makePrivateFolder(dataDir)
  const file = join(dataDir, DATABASE_FILE)
  if (existsSync(file))
    throw new MoveError(
      `There is a database already: ${file}. Nothing was changed. Move it away, or name a new folder.`,
    )
  const draft = `${file}.draft`
  removeDatabase(draft)
  const db = openDatabase(draft, { durability: 'normal' })
  try {
    migrateUp(db)
    markCleanSettings(db)
    const result = await work(new MovedRows(db, dataDir))
    closeDatabase(db)
    syncFile(draft)
    renameSync(draft, file)
    syncFolder(dataDir)
    return result
  } catch (error) {
    if (db.isOpen) db.close()
    removeDatabase(draft)
    throw error
  }
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}
