// The only error class that this package throws. It carries the hub's error code, or one of the client's own.
import type { ErrorBody, ErrorCode, Open } from '@quayside/protocol'

/**
 * `unreachable`: the hub did not answer. `closed`: this client was closed. `aborted`: the caller's signal said so.
 * `cursor_ahead`: the log is shorter than `after`, as after a restored backup.
 */
export type ClientErrorCode = Open<
  ErrorCode | 'unreachable' | 'closed' | 'aborted' | 'cursor_ahead'
>

type ClientErrorOptions = {
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: ClientErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ClientErrorCode,
    message: string,
    { details = {}, cause }: ClientErrorOptions = {},
  ) {
    super(message, { cause })
    this.code = code
    this.details = details
  }
}

/** @deprecated Use `ClientErrorCode`. Removed in the release after 0.2. */
export type HubErrorCode = ClientErrorCode

export function isClientError(error: unknown, code: ClientErrorCode): boolean {
  return error instanceof ClientError && error.code === code
}

/** What is wrong with the hub, not with the request: it may be on its way down, and the next connection asks again. */
const TROUBLE: ReadonlySet<string> = new Set(['internal', 'shutting_down', 'storage_failed'])

export function isHubTrouble({ code }: ClientError): boolean {
  return TROUBLE.has(code)
}

export function abortedBy(signal: AbortSignal): ClientError {
  return new ClientError('aborted', 'This was aborted.', { cause: signal.reason })
}

export function closedByCaller(): ClientError {
  return new ClientError('closed', 'This client was closed.')
}

/** The promise, unless `signal` aborts first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortedBy(signal))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The error a response body describes; a body of another shape (a proxy's page) is named by its status. */
export function clientErrorFrom(status: number, body: string): ClientError {
  const { code, message, details } = parse(body)?.error ?? {}
  if (typeof code === 'string' && typeof message === 'string')
    return new ClientError(code, message, { details })
  return new ClientError('internal', `The hub answered with status ${status}.`, {
    details: { status },
  })
}

function parse(body: string): { error?: Partial<ErrorBody['error']> } | null {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
