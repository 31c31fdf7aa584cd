// Opens the store of the hub: the SQLite file in the data directory, or the PostgreSQL database that the configuration names.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ServerSecrets } from './agents/mcp/server-secrets.js'
import type { Config } from './config/config.js'
import type { Log } from './log.js'
import { openHubId } from './process/process-tag.js'
import { copyBeforeMigration } from './store/backup/migration-copy.js'
import { finishRestore } from './store/backup/restore-swap.js'
import { DATABASE_FILE } from './store/data-files.js'
import { MigrationError } from './store/migration-scripts.js'
import { closeDatabase, type Database, openDatabase } from './store/sqlite/database.js'
import { migrateUp } from './store/sqlite/migrations.js'
import { redactSettings } from './store/sqlite/redact-settings.js'
import { sqliteStore } from './store/sqlite/sqlite-store.js'
import type { Store } from './store/store.js'

export type OpenedStore = { readonly store: Store; readonly close: () => void | Promise<void> }

/** Under the lock of the data directory. The schema of the database is that of this build afterwards. */
export async function openStore(config: Config, log: Log): Promise<OpenedStore> {
  finishRestore(config.dataDir)
  return config.database === undefined
    ? openSqlite(config, log)
    : openShared(config, config.database)
}

function openSqlite(config: Config, log: Log): OpenedStore {
  const db = openDatabase(join(config.dataDir, DATABASE_FILE), config)
  try {
    hideStoredSecrets(db, config.dataDir, log)
    copyBeforeMigration(db, config.dataDir)
    migrateUp(db)
    return { store: sqliteStore(db), close: () => closeDatabase(db) }
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

/** Before the copy of a migration, which would contain them too. */
function hideStoredSecrets(db: Database, dataDir: string, log: Log): void {
  const { sessions, problem } = redactSettings(db, new ServerSecrets(dataDir))
  if (sessions > 0)
    log.warn(
      { sessions },
      'moved the secrets of MCP servers out of the database; backups made before still contain them',
    )
  if (problem) log.warn({ err: problem }, 'the database file may still contain removed secrets')
}

async function openShared(
  { dataDir, name, leaseMs, ...config }: Config,
  url: string,
): Promise<OpenedStore> {
  // Loaded only when it is used: most hubs have SQLite.
  const { openPostgres } = await import('./store/postgres/postgres-store.js')
  const { explainOpening } = await import('./store/postgres/opening-error.js')
  try {
    const volumes = config.volumes.map((volume) => ({
      ...volume,
      path: realpathSync(volume.path),
    }))
    return await openPostgres(url, { machineId: openHubId(dataDir), name, volumes, leaseMs })
  } catch (error) {
    throw error instanceof MigrationError ? error : explainOpening(error)
  }
}
