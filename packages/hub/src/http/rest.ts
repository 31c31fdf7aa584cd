// Serves the commands of the table over REST: checks the scope, parses, calls the command's function, answers.
import {
  parseAddress,
  replaceNames,
  REST_COMMANDS,
  type RestCommand,
  statusOf,
} from '@quayside/protocol/schemas'
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { rateLimit } from 'express-rate-limit'
import { type Api, type CommandFunction, requireFunction } from '../api/api.js'
import { HubError } from '../errors.js'
import { requireShallow } from '../input-depth.js'
import { MAX_MEDIA_BYTES } from '../store/media.js'
import { callerOf, requireScope } from './access/principal.js'
import type { Forwarding } from './forwarding.js'
import type { Raw } from '../api/room.js'

const MAX_BODY = '1mb'

export type RestDeps = {
  readonly api: Api
  readonly raw: Raw
  /** Undefined when the hub has its database to itself. */
  readonly forwarding?: Forwarding | undefined
}

type RouteHandlers = {
  readonly run: CommandFunction
  /** Before its body is read. */
  readonly before?: readonly RequestHandler[]
  readonly after?: readonly RequestHandler[]
}

/** The commands that need a sign-in, or those that do not. Throws when one of them has no function. */
export function restRoutes(
  { api, raw, forwarding }: RestDeps,
  access: 'public' | 'signed-in',
): Router {
  const routes = Router()
  for (const [name, command] of REST_COMMANDS) {
    if ((command.isPublic === true) !== (access === 'public')) continue
    const run = requireFunction(command.raw ? raw : api, name)
    addRoute(routes, command, {
      run,
      ...(!command.isPublic && forwarding?.handlers(name, command)),
    })
  }
  return routes
}

export function addRoute(routes: Router, command: RestCommand, handlers: RouteHandlers): void {
  const { run } = handlers
  const { method, path } = parseAddress(command.rest)
  const expressPath = replaceNames(path, (name) => `:${name}`)
  routes[method](expressPath, ...gatesOf(command, handlers), async (request, response) => {
    const input = inputOf(command, request)
    if (command.raw) await run(input, { request, response })
    else answer(command, response, await run(input, callerOf(request)))
  })
  if (command.limitsAttempts) routes.use(expressPath, limitFailures())
}

/** The scope comes before the body, so that a caller without it learns nothing else. */
function gatesOf(
  { scope, isPublic, uploads }: RestCommand,
  { before = [], after = [] }: RouteHandlers,
): RequestHandler[] {
  const body = uploads ? express.raw({ type: () => true, limit: MAX_MEDIA_BYTES }) : jsonBodies()
  if (isPublic) return [body]
  return [
    (request, _response, next) => {
      requireScope(callerOf(request), scope)
      next()
    },
    ...before,
    body,
    ...after,
  ]
}

/** The names in the path, the query and the body in one object. */
function inputOf({ query, body }: RestCommand, request: Request): object {
  return {
    ...query?.parse(request.query),
    ...body?.parse(requireShallow(request.body ?? {})),
    ...request.params,
  }
}

function answer(command: RestCommand, response: Response, output: unknown): void {
  if (output === undefined) response.status(statusOf(command)).end()
  else response.status(command.statusOf?.(output as object) ?? statusOf(command)).json(output)
}

/** Only JSON is taken: forms and plain text are what other sites can send without asking. */
function jsonBodies(): RequestHandler {
  const parse = express.json({ limit: MAX_BODY, strict: true })
  return (request, response, next) => {
    const hasBody = request.headers['transfer-encoding'] ?? request.headers['content-length']
    if (hasBody !== undefined && hasBody !== '0' && !request.is('application/json'))
      throw new HubError('unsupported_media_type')
    parse(request, response, next)
  }
}

/**
 * Counts requests that failed, for each client address. A request that succeeds is never refused, because behind a proxy
 * all clients have one address.
 */
function limitFailures(): ErrorRequestHandler {
  const limit = rateLimit({
    windowMs: 60_000,
    limit: 10,
    handler: () => {
      throw new HubError('too_many_attempts')
    },
  })
  // Express recognises error handlers by their four parameters.
  // oxlint-disable-next-line max-params
  return (error, request, response, next) =>
    limit(request, response, (tooMany) => next(tooMany ?? error))
}
