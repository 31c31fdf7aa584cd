// Explains why a PostgreSQL database cannot be used. The address is not printed: it may contain a password.
import { HubError, messageOfError } from '../../errors.js'
import { sqlState } from './connections.js'

/** True for errors of the server and of the connection to it. */
export function isDatabaseError(error: unknown): boolean {
  if (sqlState(error) !== undefined) return true
  if (error instanceof HubError) return error.code === 'database_unavailable'
  return error instanceof Error && /^(read|write|Connection terminated)/.test(error.message)
}

export function explainOpening(error: unknown): Error {
  const reason = error instanceof HubError ? error.cause : error
  return new Error(
    `The PostgreSQL database cannot be used: ${messageOfError(reason)}. ${adviceFor(sqlState(reason))}`,
    { cause: error },
  )
}

function adviceFor(state: string | undefined): string {
  switch (state) {
    case '25006':
      return 'It is a standby or read-only. Name the server that can be written.'
    case '42501':
      return 'Make the user of the address the owner of the database: ALTER DATABASE … OWNER TO ….'
    case '53100':
      return 'Free some space on the disk of the database server, then try again.'
    case '53300':
      return 'Raise max_connections of the server, or end other connections, then try again.'
    default:
      return 'Check --database or QUAYSIDE_DATABASE_URL.'
  }
}
