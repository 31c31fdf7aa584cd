// The hub's own log: structured JSON lines on stderr, readable on a terminal. Never message bodies or secrets.
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config/config.js'
import { formatLogLine } from './log-line.js'

export type Log = Logger

/** `code` is a sign-in code. The code of an error (`err.code`), such as ENOSPC, is no secret. */
const REDACTED = ['token', 'code', 'secret', '*.token', '*.secret']

/** Logs to `destination`, or else to stderr. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = { level, base: null, redact: REDACTED }
  if (destination) return pino(options, destination)
  const stderr = pino.destination({ dest: 2, sync: true })
  // A closed terminal or a full disk loses lines of the log; the hub goes on.
  stderr.on('error', () => {})
  if (!process.stderr.isTTY) return pino(options, stderr)
  const write = (line: string) => stderr.write(formatLogLine(line, process.stderr))
  return pino(options, { write })
}

/** For promises that are not awaited: logs a rejection instead of swallowing it. `what` is an activity. */
export function logRejection(log: Log, what: string, promise: Promise<unknown>): void {
  promise.catch((error: unknown) => log.error({ err: error }, `${what} failed`))
}
