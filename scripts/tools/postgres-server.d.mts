/** Makes an empty server in `folder`, which exists, and starts it. Without settings it flushes nothing to the disk. */
export function startPostgres(
  folder: string,
  settings?: Readonly<Record<string, string>>,
): Promise<PostgresServer>

export type PostgresServer = {
  readonly folder: string
  readonly pid: number
  addressOf(database: string): string
  /** Also after a stop: with the data it had. */
  start(): Promise<void>
  /** SIGINT (the default) ends connections, SIGQUIT also skips the last checkpoint, as a crash does. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>
}
