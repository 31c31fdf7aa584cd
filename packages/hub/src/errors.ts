// The hub's error class. Thrown where a problem is known; mapped to a response at the boundaries.
import { ERRORS, type ErrorBody, type ErrorCode } from '@quayside/protocol'
import type { z } from 'zod'

export class HubError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  /** `details.message` replaces the general sentence of the code. */
  constructor(
    code: ErrorCode,
    details: Readonly<Record<string, unknown>> & { message?: string } = {},
    options?: ErrorOptions,
  ) {
    const { message, ...rest } = details
    super(message ?? ERRORS[code].message, options)
    this.name = 'HubError'
    this.code = code
    this.details = rest
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  toBody(): ErrorBody {
    const details = Object.keys(this.details).length > 0 ? { details: this.details } : {}
    return { error: { code: this.code, message: this.message, ...details } }
  }
}

/** The message of any thrown value. */
export function messageOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An answer stays small, however many faults the input has. */
const MAX_PROBLEMS = 20
const MAX_PROBLEM_CHARS = 500

/** The first problems that a schema found, as one sentence and as a list. */
export function invalidInput({ issues }: z.ZodError): HubError {
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    path: shorten(path.join('.')),
    message: shorten(message),
  }))
  const message = problems
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ')
  return new HubError('bad_request', { message, problems })
}

function shorten(text: string): string {
  return text.length > MAX_PROBLEM_CHARS ? `${text.slice(0, MAX_PROBLEM_CHARS)}…` : text
}
