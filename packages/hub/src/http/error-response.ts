// Maps exceptions to errors of the hub, for HTTP and for the WebSocket, and sends the error body of HTTP.
import type { ErrorRequestHandler } from 'express'
import { z } from 'zod'
import { HubError, invalidInput } from '../errors.js'
import type { Log } from '../log.js'
import { findShortage } from '../system-errors.js'

const RETRY_AFTER_S: Readonly<Record<number, number>> = { 429: 60, 503: 5 }
const SHORTAGES = { descriptors: 'too_many_open_files', space: 'disk_full' } as const

export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error
  if (error instanceof z.ZodError) return invalidInput(error)
  const shortage = findShortage(error)
  if (shortage) return new HubError(SHORTAGES[shortage], {}, { cause: error })
  const { type, status } = (error ?? {}) as { type?: string; status?: number }
  if (type === 'entity.too.large') return new HubError('body_too_large')
  if (type === 'entity.parse.failed')
    return new HubError('bad_request', { message: 'The body is not valid JSON.' })
  if (status !== undefined && status >= 400 && status < 500)
    return new HubError('bad_request', {}, { cause: error })
  return new HubError('internal', {}, { cause: error })
}

/** As `toHubError`; errors that are the hub's own fault are logged, with `about`. */
export function toLoggedError(error: unknown, log: Log, about: object = {}): HubError {
  const hubError = toHubError(error)
  if (hubError.status >= 500)
    log.error({ err: hubError.cause ?? hubError, ...about }, hubError.message)
  return hubError
}

export function errorResponse(log: Log): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  // oxlint-disable-next-line max-params
  return (error, request, response, _next) => {
    const hubError = toLoggedError(error, log, { method: request.method })
    if (response.headersSent) {
      response.destroy()
      return
    }
    const retryAfter = RETRY_AFTER_S[hubError.status]
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    response.status(hubError.status).json(hubError.toBody())
  }
}
