// CORS for the pages of QUAYSIDE_ORIGINS: they use the API with a token of their own.
// `Access-Control-Allow-Credentials` is never sent, so that browsers keep the hub's cookie out of it.
import type { RequestHandler } from 'express'
import type { Gates } from './gates.js'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS =
  'Authorization, Content-Type, Last-Event-ID, Acp-Connection-Id, Acp-Session-Id'
const RESPONSE_HEADERS = 'Acp-Connection-Id, Acp-Session-Id, Content-Disposition, Retry-After'
const PREFLIGHT_SECONDS = '600'

/** Before the other gates: a preflight has no credentials, and a page reads errors too. */
export function cors(gates: Gates): RequestHandler {
  return (request, response, next) => {
    const origin = gates.findListedOrigin(request)
    response.vary('Origin')
    if (origin === undefined) return next()
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS)
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || !isPreflight) return next()
    response.setHeader('Access-Control-Allow-Methods', METHODS)
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS)
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS)
    response.status(204).end()
  }
}
