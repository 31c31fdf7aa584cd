// Turns whatever a route throws into the one error body. The only place that maps errors to HTTP.
import type { ErrorRequestHandler } from 'express'
import { z } from 'zod'
import { HubError, invalidInput } from '../errors.js'
import type { Log } from '../log.js'

export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error
  if (error instanceof z.ZodError) return invalidInput(error)
  const { type, status } = (error ?? {}) as { type?: string; status?: number }
  if (type === 'entity.too.large') return new HubError('body_too_large')
  if (type === 'entity.parse.failed')
    return new HubError('bad_request', { message: 'The body is not valid JSON.' })
  if (status !== undefined && status >= 400 && status < 500)
    return new HubError('bad_request', {}, { cause: error })
  return new HubError('internal', {}, { cause: error })
}

export function errorResponse(log: Log): ErrorRequestHandler {
  // Express tells error handlers by their four parameters.
  // oxlint-disable-next-line max-params
  return (error, request, response, _next) => {
    const hubError = toHubError(error)
    if (hubError.status >= 500)
      log.error({ err: hubError.cause ?? hubError, method: request.method }, hubError.message)
    if (response.headersSent) {
      response.destroy()
      return
    }
    if (hubError.status === 429) response.setHeader('Retry-After', '60')
    response.status(hubError.status).json(hubError.toBody())
  }
}
