// `quayside db`: migrates the database to this version, or rolls back one migration.
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../../config.js'
import { DATABASE_FILE } from '../../store/data-files.js'
import { lockDataDirectory } from '../../store/data-lock.js'
import { closeDatabase, type Database, openDatabase } from '../../store/sqlite/database.js'
import { copyBeforeMigration, copyBeforeRollback } from '../../store/backup/migration-copy.js'
import { migrateDown, migrateUp } from '../../store/sqlite/migrations.js'
import { finishRestore } from '../../store/backup/restore-swap.js'
import type { CommandIo } from '../io/command-io.js'

export function defineDb(db: Command, io: CommandIo): void {
  db.addHelpText(
    'after',
    '\nThe hub applies missing migrations when it starts.\n\nExamples:\n  quayside db migrate\n  quayside db rollback',
  )
  db.command('migrate')
    .description('apply all missing migrations')
    .action(() =>
      report(io, 'applied', (database, dataDir) => {
        copyBeforeMigration(database, dataDir)
        return migrateUp(database)
      }),
    )
  db.command('rollback')
    .description('roll back the newest migration; its tables and their rows are removed')
    .action(() =>
      report(io, 'rolled back', (database, dataDir) => {
        copyBeforeRollback(database, dataDir)
        return migrateDown(database, 1)
      }),
    )
}

type Migrate = (database: Database, dataDir: string) => readonly string[]

function withDatabase(io: CommandIo, work: Migrate): readonly string[] {
  const config = loadConfig({}, io.env, io.cwd)
  const lock = lockDataDirectory(config.dataDir)
  try {
    finishRestore(config.dataDir)
    const database = openDatabase(join(config.dataDir, DATABASE_FILE), config)
    try {
      return work(database, config.dataDir)
    } finally {
      closeDatabase(database)
    }
  } finally {
    lock.release()
  }
}

function report(io: CommandIo, done: string, work: Migrate): void {
  const migrations = withDatabase(io, work)
  const list = migrations.length === 0 ? 'nothing to do' : `${done}: ${migrations.join(', ')}`
  io.stdout.write(`${list}\n`)
}
