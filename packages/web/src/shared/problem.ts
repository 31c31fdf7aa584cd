// What to tell a person when the hub refused something. Anything that is not from the hub is a fault of ours.
import { ClientError } from '@quayside/client'
import { strings } from '../strings/strings.js'

/** Throws what is not an error of the hub, so that it is never shown as one or lost. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ClientError)) throw error
  return error.code === 'unreachable' ? strings.problems.unreachable : error.message
}
