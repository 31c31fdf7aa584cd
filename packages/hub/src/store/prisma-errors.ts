// Turns SQLite's errors into those that Prisma knows, so that callers see P2002 and the like.
// The driver gives no code for a failed statement, only SQLite's message.

import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils'

/** Other errors (a bug, a wrong argument) come back unchanged. */
export function toDriverError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') {
    return error
  }
  const driverError = new DriverAdapterError({
    ...mapMessage(error.message),
    originalCode: error.code,
    originalMessage: error.message,
  })
  driverError.stack = error.stack ?? ''
  return driverError
}

const PATTERNS: readonly [RegExp, (matched: string) => MappedError][] = [
  [
    /UNIQUE constraint failed: (.+)/,
    (columns) => ({
      kind: 'UniqueConstraintViolation',
      constraint: { fields: fieldsOf(columns) },
    }),
  ],
  [
    /NOT NULL constraint failed: (.+)/,
    (columns) => ({ kind: 'NullConstraintViolation', constraint: { fields: fieldsOf(columns) } }),
  ],
  [
    /FOREIGN KEY constraint failed/,
    () => ({ kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }),
  ],
  [/no such table: (.+)/, (table) => ({ kind: 'TableDoesNotExist', table })],
  [/no such column: (.+)/, (column) => ({ kind: 'ColumnNotFound', column })],
  [/database( table)? is locked/, () => ({ kind: 'SocketTimeout' })],
  [/database is not open/i, () => ({ kind: 'ConnectionClosed' })],
]

// https://sqlite.org/rescode.html
const RESULT_CODES: readonly [RegExp, number][] = [
  [/CHECK constraint failed/, 275],
  [/database or disk is full/, 13],
  [/malformed/, 11],
  [/disk I\/O error/, 10],
  [/readonly database/, 8],
]
const SQLITE_ERROR = 1

function mapMessage(message: string): MappedError {
  for (const [pattern, map] of PATTERNS) {
    const match = pattern.exec(message)
    if (match !== null) return map(match[1] ?? '')
  }
  const known = RESULT_CODES.find(([pattern]) => pattern.test(message))
  return { kind: 'sqlite', extendedCode: known?.[1] ?? SQLITE_ERROR, message }
}

/** `AgentEvent.sessionId, AgentEvent.seq` → `sessionId`, `seq` */
function fieldsOf(columns: string): string[] {
  return columns.split(', ').map((column) => column.slice(column.indexOf('.') + 1))
}
