// The message for a person when the hub refused a command.
import { ClientError } from '@quayside/client'
import { hubSentence, strings } from '../strings/strings.js'

/** Rethrows anything that is not an error of the hub, so that bugs are not shown as its messages. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ClientError)) throw error
  if (error.code === 'unreachable') return strings.problems.unreachable
  return isSignedOut(error) ? strings.problems.signedOut : hubSentence(error.message)
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'unauthorized'
}
