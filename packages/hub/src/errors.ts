// The one error class of the hub. Thrown where the fact is known, turned into an answer at a boundary.
import { ERRORS, type ErrorBody, type ErrorCode } from '@quayside/protocol'
import type { z } from 'zod'

export class HubError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  /** `details.message`, when given, replaces the code's general sentence with a particular one. */
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

/** The sentence of anything that was thrown. */
export function messageOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What a schema did not like, as one sentence and as a list. */
export function invalidInput({ issues }: z.ZodError): HubError {
  const problems = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const message = problems
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ')
  return new HubError('bad_request', { message, problems })
}
