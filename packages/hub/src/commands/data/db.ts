// `quayside db`: migrates the database to this version, rolls back one migration, or moves the data to another engine.
import { join } from 'node:path'
import type { Command } from 'commander'
import { ServerSecrets } from '../../agents/mcp/server-secrets.js'
import { loadConfig } from '../../config/config.js'
import { DATABASE_FILE } from '../../store/data-files.js'
import { lockDataDirectory } from '../../store/data-lock.js'
import { closeDatabase, type Database, openDatabase } from '../../store/sqlite/database.js'
import { copyBeforeMigration, copyBeforeRollback } from '../../store/backup/migration-copy.js'
import { migrateDown, migrateUp } from '../../store/sqlite/migrations.js'
import { redactSettings } from '../../store/sqlite/redact-settings.js'
import { finishRestore } from '../../store/backup/restore-swap.js'
import type { CommandIo } from '../io/command-io.js'
import type { MoveFlags } from './db-move.js'
import { requireSqlite } from './sqlite-only.js'

export function defineDb(db: Command, io: CommandIo): void {
  db.addHelpText(
    'after',
    '\nThe hub applies missing migrations when it starts.\n\nExamples:\n  quayside db migrate\n  quayside db rollback' +
      '\n  quayside db import --database postgres://quayside@db.lan/quayside\n  quayside db export /srv/quayside',
  )
  db.command('migrate')
    .description('apply all missing migrations')
    .action(() =>
      report(io, 'applied', (database, dataDir) => {
        redactSettings(database, new ServerSecrets(dataDir))
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
  defineMoves(db, io)
}

/** The driver of PostgreSQL is loaded only when it is used. */
function defineMoves(db: Command, io: CommandIo): void {
  const database = ['--database <address>', 'PostgreSQL (default: QUAYSIDE_DATABASE_URL)'] as const
  const logs = ['--logs', 'also print the number of events and the hash of each log'] as const
  db.command('import')
    .description('copy the data directory into an empty PostgreSQL database and compare both')
    .option(...database)
    .option(...logs)
    .action(async (flags: MoveFlags) => (await import('./db-move.js')).importData(flags, io))
  db.command('export')
    .description('copy a PostgreSQL database into a data directory that has none, and compare both')
    .argument('[folder]', 'the data directory (default: that of this hub)')
    .option(...database)
    .option(...logs)
    .action(async (folder: string | undefined, flags: MoveFlags) =>
      (await import('./db-move.js')).exportData(folder, flags, io),
    )
}

type Migrate = (database: Database, dataDir: string) => readonly string[]

function withDatabase(io: CommandIo, work: Migrate): readonly string[] {
  const config = loadConfig({}, io.env, io.cwd)
  requireSqlite(config, 'The hub migrates it when it starts.')
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
