// Commands that work on the SQLite file of the data directory.
import { type Config, ConfigError } from '../../config/config.js'

/** Throws when the hub's data is in PostgreSQL. `instead` says what to do there. */
export function requireSqlite({ database }: Pick<Config, 'database'>, instead: string): void {
  if (database !== undefined)
    throw new ConfigError(
      `The data of this hub is in PostgreSQL (QUAYSIDE_DATABASE_URL). ${instead}`,
    )
}
