export type PostgresPrograms = {
  /** The folder of `initdb` and `postgres`. */
  readonly bin: string
  /** Everything that belongs to them, if it lies in one folder. */
  readonly root?: string
  readonly env: Readonly<Record<string, string>>
}

/** The programs of a PostgreSQL server, installed when they are missing. */
export function installPostgres(): Promise<PostgresPrograms>
