// The only error class that this package throws. It carries the hub's error code, or one of the client's own.
import type { ErrorBody, ErrorCode, Open } from '@quayside/protocol'

/**
 * `unreachable`: the hub did not answer. `closed`: this client was closed. `aborted`: the caller's signal said so.
 * `cursor_ahead`: the log is shorter than `after`, as after a restored backup. `no_websocket`: this version of Node.js has none.
 */
export type ClientErrorCode = Open<
  ErrorCode | 'unreachable' | 'closed' | 'aborted' | 'cursor_ahead' | 'no_websocket'
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

export function isClientError(
  error: unknown,
  ...codes: readonly ClientErrorCode[]
): error is ClientError {
  return error instanceof ClientError && codes.includes(error.code)
}

/** Errors of the hub, not of the request: it may be shutting down, and the next connection asks again. */
export function isHubTrouble(error: ClientError): boolean {
  return isClientError(error, 'internal', 'shutting_down', 'storage_failed')
}

/** `more` is added to the message. */
export function unreachable(more = '', cause?: unknown): ClientError {
  return new ClientError('unreachable', `The hub could not be reached.${more}`, { cause })
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
  const answer = parseJson(body) as { error?: Partial<ErrorBody['error']> } | null
  const { code, message, details } = answer?.error ?? {}
  if (typeof code === 'string' && typeof message === 'string')
    return new ClientError(code, message, { details })
  return new ClientError('internal', `The hub answered with status ${status}.`, {
    details: { status },
  })
}

/** Null for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
