/** Makes an empty server in `folder`, which exists, and starts it. Without settings it flushes nothing to the disk. */
export function startPostgres(
  folder: string,
  settings?: Readonly<Record<string, string>>,
): Promise<PostgresServer>

/** Settings for a server that a standby follows, and for the standby. */
export const REPLICATED: Readonly<Record<string, string>>

export type PostgresServer = {
  readonly folder: string
  readonly pid: number
  addressOf(database: string): string
  /** A server in `folder` with a copy of the data, not started. This one runs, between `pg_backup_start` and `pg_backup_stop`. */
  copyTo(folder: string): Promise<PostgresServer>
  /** Starts a copy as a standby that streams from `primary`. `label` is from `pg_backup_stop`. */
  follow(primary: PostgresServer, label: string): Promise<void>
  /** Also after a stop: with the data it had. */
  start(): Promise<void>
  /** SIGINT (the default) ends connections, SIGQUIT also skips the last checkpoint, as a crash does. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
}
