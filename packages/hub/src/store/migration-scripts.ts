// The migrations of this build for one engine: each is a folder <id>/<engine> with an up.sql and a down.sql.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A migration that cannot run. The message says why and what to do; the database is as it was before. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

export type Migration = {
  readonly id: string
  readonly up: string
  readonly down: string
  readonly checksum: string
}

/** Oldest first. A migration that has no folder of the engine is one of another engine alone. */
export function readMigrations(folder: string, engine: 'sqlite' | 'postgres'): Migration[] {
  const ids = readdirSync(folder).filter(
    (name) => /^\d{4}_/.test(name) && existsSync(join(folder, name, engine)),
  )
  return ids.toSorted().map((id) => {
    const up = readScript(join(folder, id, engine, 'up.sql'))
    const down = readScript(join(folder, id, engine, 'down.sql'))
    return { id, up, down, checksum: createHash('sha256').update(up).digest('hex') }
  })
}

// git may check files out with other line ends; that is not an edit.
function readScript(file: string): string {
  if (!existsSync(file)) throw new MigrationError(`The migration script ${file} is missing.`)
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
}

export function explainEdited(id: string, engine: 'sqlite' | 'postgres'): string {
  return (
    `The migration ${id} was edited after it had run on this database. Nothing was changed. ` +
    `Restore the original ${id}/${engine}/up.sql and put the change into a new migration.`
  )
}
