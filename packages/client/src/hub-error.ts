// The one error this package throws: the hub's own errors by their code, and the client's few beside them.
import type { ErrorBody, ErrorCode, Open } from '@quayside/protocol'

/**
 * `unreachable`: the hub did not answer. `closed`: this client was closed. `aborted`: the caller's signal said so.
 * `cursor_ahead`: the log is shorter than `after`, as after a restored backup.
 */
export type HubErrorCode = Open<ErrorCode | 'unreachable' | 'closed' | 'aborted' | 'cursor_ahead'>

type HubErrorOptions = {
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

export class HubError extends Error {
  override readonly name = 'HubError'
  readonly code: HubErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: HubErrorCode, message: string, { details = {}, cause }: HubErrorOptions = {}) {
    super(message, { cause })
    this.code = code
    this.details = details
  }
}

export function isHubError(error: unknown, code: HubErrorCode): boolean {
  return error instanceof HubError && error.code === code
}

/** What is wrong with the hub, not with the request: it may be on its way down, and the next connection asks again. */
const TROUBLE: ReadonlySet<string> = new Set(['internal', 'shutting_down', 'storage_failed'])

export function isHubTrouble({ code }: HubError): boolean {
  return TROUBLE.has(code)
}

export function abortedBy(signal: AbortSignal): HubError {
  return new HubError('aborted', 'This was aborted.', { cause: signal.reason })
}

export function closedByCaller(): HubError {
  return new HubError('closed', 'This client was closed.')
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
export function hubErrorFrom(status: number, body: string): HubError {
  const { code, message, details } = parse(body)?.error ?? {}
  if (typeof code === 'string' && typeof message === 'string')
    return new HubError(code, message, { details })
  return new HubError('internal', `The hub answered with status ${status}.`, {
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
