// `quayside db`: brings the database to this version's shape, or back by one step.
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../config.js'
import { DATABASE_FILE } from '../store/data-files.js'
import { lockDataDirectory } from '../store/data-lock.js'
import { closeDatabase, type Database, openDatabase } from '../store/database.js'
import { copyBeforeMigration, copyBeforeRollback } from '../store/migration-copy.js'
import { migrateDown, migrateUp } from '../store/migrations.js'
import { finishRestore } from '../store/restore-swap.js'

export function defineDb(db: Command): void {
  db.addHelpText(
    'after',
    '\nA start of the hub applies what is missing by itself.\n\nExamples:\n  quayside db migrate\n  quayside db rollback',
  )
  db.command('migrate')
    .description('apply all migrations that are missing')
    .action(() =>
      report(
        'applied',
        withDatabase((database, dataDir) => {
          copyBeforeMigration(database, dataDir)
          return migrateUp(database)
        }),
      ),
    )
  db.command('rollback')
    .description('take back the newest migration; its tables and their rows go')
    .action(() =>
      report(
        'taken back',
        withDatabase((database, dataDir) => {
          copyBeforeRollback(database, dataDir)
          return migrateDown(database, 1)
        }),
      ),
    )
}

function withDatabase<T>(work: (database: Database, dataDir: string) => T): T {
  const config = loadConfig({}, process.env, process.cwd())
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

function report(what: string, migrations: readonly string[]): void {
  const list = migrations.length === 0 ? 'nothing to do' : `${what}: ${migrations.join(', ')}`
  process.stdout.write(`${list}\n`)
}
