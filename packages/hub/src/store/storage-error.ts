// Explains to people why a file or the database cannot be written.
import { HubError, messageOfError } from '../errors.js'
import { findShortage } from '../system-errors.js'
import { errorCode } from './data-files.js'

/** Another hub owns the session, or its log has events that this hub does not know. Nothing was stored. */
export class NotOwnedError extends Error {
  override name = 'NotOwnedError'
}

/** Another hub has the session: no attempt of this one will be stored. */
export function isNotOwned(error: unknown): boolean {
  return error instanceof NotOwnedError || (error instanceof Error && isNotOwned(error.cause))
}

/** The log has events that the caller did not know when it decided on its own. Nothing was stored. */
export class LogMovedError extends Error {
  override name = 'LogMovedError'
}

export function isLogMoved(error: unknown): boolean {
  return error instanceof LogMovedError || (error instanceof Error && isLogMoved(error.cause))
}

/** The reason and a way out, as sentences. Undefined for an error with another cause. */
export function findStorageProblem(error: unknown): string | undefined {
  const text = messageOfError(error)
  if (findShortage(error) === 'space' || /disk is full/.test(text))
    return 'The disk is full. Free some space, then try again.'
  if (/database (table )?is locked/.test(text))
    return 'Another program has locked the database. Close that program, then try again.'
  return undefined
}

const MOVES =
  'The machine of the session was cut off or has stopped, and the session is being ended or taken over. Try again in a moment.'

/** For a request whose data could not be stored. */
export function storageFailed(
  cause: unknown,
  details: Readonly<Record<string, unknown>> = {},
): HubError {
  if (cause instanceof HubError && cause.code === 'database_unavailable') return cause
  if (isNotOwned(cause)) return new HubError('hub_unreachable', { message: MOVES }, { cause })
  const problem = findStorageProblem(cause)
  const message = problem && `The hub could not write its data. ${problem}`
  return new HubError('storage_failed', { ...details, ...(message && { message }) }, { cause })
}

/** For a data directory that cannot be created, or a file in it that cannot be written at the start. */
export function dataDirectoryError(directory: string, cause: unknown): Error {
  return new Error(`The data directory ${directory} ${explain(cause)}`, { cause })
}

function explain(error: unknown): string {
  const problem = findStorageProblem(error)
  if (problem !== undefined) return `cannot be used. ${problem}`
  switch (errorCode(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a folder. Choose another one with QUAYSIDE_DATA_DIR.'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'cannot be written: permission denied. Check who owns it, or choose another one with QUAYSIDE_DATA_DIR.'
    default:
      return `cannot be used: ${messageOfError(error)}`
  }
}
