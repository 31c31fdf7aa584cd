// `quayside db`: brings the database to this version's shape, or back by one step.
import { join } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../config.js'
import { DATABASE_FILE } from '../hub.js'
import { lockDataDirectory } from '../store/data-lock.js'
import { closeDatabase, type Database, openDatabase } from '../store/database.js'
import { migrateDown, migrateUp } from '../store/migrations.js'

export function addDbCommand(program: Command): void {
  const db = program.command('db').description('look after the database (the hub must not run)')
  db.command('migrate')
    .description('apply all migrations that are missing')
    .action(() => report('applied', withDatabase(migrateUp)))
  db.command('rollback')
    .description('take back the newest migration; its tables and their rows go')
    .action(() =>
      report(
        'taken back',
        withDatabase((database) => migrateDown(database, 1)),
      ),
    )
}

function withDatabase<T>(work: (database: Database) => T): T {
  const config = loadConfig({}, process.env, process.cwd())
  const lock = lockDataDirectory(config.dataDir)
  try {
    const database = openDatabase(join(config.dataDir, DATABASE_FILE), config)
    try {
      return work(database)
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
