// The check of work trees of `quayside doctor`: each belongs to a session.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.js'
import { messageOfError } from '../../errors.js'
import { openForReading } from '../../store/backup/database-copy.js'
import { listSessionIds } from '../../store/sqlite/session-rows.js'
import { DATABASE_FILE, WORKTREES_FOLDER } from '../../store/data-files.js'
import { type Check, resultsOf } from './check.js'

const { ok, warning } = resultsOf('worktrees')

export function checkWorktrees({ dataDir, database }: Config): Check {
  const folder = join(dataDir, WORKTREES_FOLDER)
  const ids = existsSync(folder) ? readdirSync(folder) : []
  if (ids.length === 0) return ok('No session has a work tree of its own')
  if (database !== undefined)
    return ok(`Work trees: ${ids.length}; their sessions are in PostgreSQL`)
  try {
    const known = readSessionIds(join(dataDir, DATABASE_FILE))
    const strays = ids.filter((id) => !known.has(id)).map((id) => join(folder, id))
    if (strays.length === 0) return ok(`Work trees of sessions: ${ids.length}`)
    return warning(
      `Work trees without a session: ${strays.join(', ')}. The next start of the hub keeps their changes under refs/quayside/kept/ and removes them; one that it cannot read stays.`,
      { strays },
    )
  } catch (error) {
    return warning(
      `The work trees could not be compared with the sessions: ${messageOfError(error)}`,
    )
  }
}

function readSessionIds(file: string): ReadonlySet<string> {
  const db = openForReading(file)
  try {
    return new Set(listSessionIds(db))
  } finally {
    db.close()
  }
}
