// The one place that begins, commits and rolls back a transaction.
import type { Database } from './database.js'

/** Commits everything that `work` writes, or nothing when it throws. Takes the write lock at once. */
export function inTransaction<T>(db: Database, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isOpen && db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
