// The hub's own log: structured JSON lines on stderr, readable on a terminal. Never message bodies or secrets.
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import type PinoPretty from 'pino-pretty'
import type { LogLevel } from './config.js'

export type Log = Logger

const require = createRequire(import.meta.url)

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
  // Loaded only for a terminal, to keep the start fast.
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty
  const pretty = prettyFactory({ ignore: 'pid,hostname' })
  return pino(options, { write: (line: string) => stderr.write(pretty(line)) })
}

/** For promises that are not awaited: logs a rejection instead of swallowing it. `what` is an activity. */
export function logRejection(log: Log, what: string, promise: Promise<unknown>): void {
  promise.catch((error: unknown) => log.error({ err: error }, `${what} failed`))
}
