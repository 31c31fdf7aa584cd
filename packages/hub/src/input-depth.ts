// Rejects input that is nested too deeply. JSON.stringify, SQLite and agents fail on it, later and less clearly.
import { HubError } from './errors.js'

/** Far more than any command needs. */
const MAX_LEVELS = 64

/** Returns the input. Visits level by level without recursion, which the nesting itself could exhaust. */
export function requireShallow<Input>(input: Input): Input {
  let level: unknown[] = [input]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS)
      throw new HubError('bad_request', {
        message: `The input is nested more than ${MAX_LEVELS} levels deep. Send a flatter one.`,
      })
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return input
}
