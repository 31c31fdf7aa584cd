// The database check of `quayside doctor`. It opens the database read-only, because another process may be the hub.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.js'
import { messageOfError } from '../../errors.js'
import { BACKUPS_FOLDER, DATABASE_FILE } from '../../store/data-files.js'
import { openForReading } from '../../store/backup/database-copy.js'
import { requireNoOpenRestore } from '../../store/backup/restore-swap.js'
import { type Database, findCorruption } from '../../store/sqlite/database.js'
import { migrationStatus } from '../../store/sqlite/migrations.js'
import { formatBytes } from '../io/format-bytes.js'
import { type Check, resultsOf } from './check.js'

const { ok, warning, problem } = resultsOf('database')
/** Twice the size the hub allows: a read transaction stays open, or no checkpoint has run. */
const LARGE_WAL_BYTES = 128 * 1024 * 1024

export function checkDatabase({ dataDir, database }: Config): Check {
  if (database !== undefined)
    return ok(
      'The data is in PostgreSQL (QUAYSIDE_DATABASE_URL), which the hub opens when it starts.',
    )
  const file = join(dataDir, DATABASE_FILE)
  try {
    requireNoOpenRestore(dataDir)
  } catch (error) {
    return problem(messageOfError(error))
  }
  if (!existsSync(file)) return ok('No database yet. The first start creates it.')
  let db: Database | undefined
  try {
    db = openForReading(file)
    const corruption = findCorruption(db)
    return corruption[0] === undefined ? checkShape(db, file) : damaged(dataDir, corruption[0])
  } catch (error) {
    return damaged(dataDir, messageOfError(error))
  } finally {
    if (db?.isOpen) db.close()
  }
}

function checkShape(db: Database, file: string): Check {
  const status = migrationStatus(db)
  const idsOf = (wanted: string): string[] =>
    status.filter(({ state }) => state === wanted).map(({ id }) => id)
  const bytes = statSync(file).size
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const details = { file, bytes, walBytes, migrations: status }
  const unknown = idsOf('unknown')
  if (unknown.length > 0)
    return problem(
      `The database belongs to a newer version (${unknown.join(', ')}). Start that version, or restore an older backup.`,
      details,
    )
  const edited = idsOf('edited')
  if (edited.length > 0)
    return problem(
      `Migrations were edited after they ran: ${edited.join(', ')}. Restore the original files.`,
      details,
    )
  const size = `${formatBytes(bytes)}, write-ahead log ${formatBytes(walBytes)}`
  const pending = idsOf('pending')
  if (pending.length > 0)
    return warning(
      `Database is intact (${size}); the next start applies ${pending.join(', ')} after copying it.`,
      details,
    )
  if (walBytes > LARGE_WAL_BYTES)
    return warning(`Database is intact, but its log is large (${size}). Restart the hub.`, details)
  return ok(`Database is intact (${size})`, details)
}

function damaged(dataDir: string, reason: string): Check {
  const file = join(dataDir, DATABASE_FILE)
  if (/locked|busy/i.test(reason))
    return warning(`The database ${file} is busy and could not be read. Try again.`)
  const backup = findNewestBackup(dataDir)
  const next =
    backup === undefined
      ? `Recover the readable part with: sqlite3 ${file} .recover > recovered.sql`
      : `Stop the hub and restore the newest backup with: quayside restore ${backup}`
  const inOneLine = reason.replaceAll(/\s+/g, ' ')
  return problem(`The database ${file} is damaged or cannot be read: ${inOneLine}. ${next}`)
}

function findNewestBackup(dataDir: string): string | undefined {
  const folder = join(dataDir, BACKUPS_FOLDER)
  if (!existsSync(folder)) return undefined
  const newest = readdirSync(folder)
    .filter((name) => /^quayside-backup-\w+$|^before-.*\.db$/.test(name))
    .map((name) => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return newest[0]
}
