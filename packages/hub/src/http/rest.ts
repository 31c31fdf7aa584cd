// Serves the commands of the table over REST: checks the scope, parses, calls the command's function, answers.
import { REST_COMMANDS, type RestCommand, statusOf } from '@quayside/protocol/schemas'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Api } from '../api/api.js'
import { HubError } from '../errors.js'
import { MAX_MEDIA_BYTES } from '../store/media.js'
import { callerOf, requireScope } from './access/principal.js'
import type { Raw } from './raw/raw.js'

const MAX_BODY = '1mb'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Functions = Readonly<Record<string, (input: object, context: object) => unknown>>

/** The commands that need a sign-in, or those that do not. */
export function restRoutes(
  { api, raw }: { readonly api: Partial<Api>; readonly raw: Partial<Raw> },
  access: 'public' | 'signed-in',
): Router {
  const routes = Router()
  for (const [name, command] of REST_COMMANDS) {
    const run = ((command.raw ? raw : api) as Functions)[name]
    const isPublic = command.isPublic === true
    if (run === undefined || isPublic !== (access === 'public')) continue
    const [method, path] = command.rest.replaceAll(/\{(\w+)\}/g, ':$1').split(' ')
    routes[method?.toLowerCase() as Method](
      path ?? '',
      ...gatesOf(command),
      async (request, response) => {
        const input = inputOf(command, request)
        if (command.raw) await run(input, { request, response })
        else answer(command, response, await run(input, callerOf(request)))
      },
    )
  }
  return routes
}

/** The scope comes before the body, so that a caller without it learns nothing else. */
function gatesOf({ scope, isPublic, uploads }: RestCommand): RequestHandler[] {
  const body = uploads ? express.raw({ type: () => true, limit: MAX_MEDIA_BYTES }) : jsonBodies()
  if (isPublic) return [body]
  return [
    (request, _response, next) => {
      requireScope(callerOf(request), scope)
      next()
    },
    body,
  ]
}

/** The names in the path, the query and the body in one object. */
function inputOf({ query, body }: RestCommand, request: Request): object {
  return {
    ...query?.parse(request.query),
    ...body?.parse(request.body ?? {}),
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
