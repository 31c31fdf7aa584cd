// The message for a person when the hub refused a command.
import { ClientError } from '@quayside/client'
import { strings } from '../strings/strings.js'

/** Rethrows anything that is not an error of the hub, so that bugs are not shown as its messages. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ClientError)) throw error
  return error.code === 'unreachable' ? strings.problems.unreachable : error.message
}
