// From the hub's errors to those of ACP: its own codes where it has them, ours always in `data.code`.
import { RequestError } from '@agentclientprotocol/sdk'
import type { ErrorCode, Failure } from '@quayside/protocol'
import { z } from 'zod'
import { isObject } from '../agents/wire/frames.js'
import { HubError, invalidInput } from '../errors.js'
import type { Log } from '../log.js'

const AUTH_REQUIRED = -32_000
const NOT_FOUND = -32_002
const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603

const CODES = new Map<string, number>([
  ['agent_auth_required', AUTH_REQUIRED],
  ['session_not_found', NOT_FOUND],
  ['bad_request', INVALID_PARAMS],
  ['invalid_settings', INVALID_PARAMS],
  ['repo_not_found', INVALID_PARAMS],
  ['path_outside_root', INVALID_PARAMS],
  ['extension_not_found', INVALID_PARAMS],
  ['extension_unavailable', INVALID_PARAMS],
  ['option_not_found', INVALID_PARAMS],
  ['file_unreadable', INVALID_PARAMS],
] satisfies [ErrorCode, number][])

/** Mistakes of ours are logged, and the client learns no more than that there was one. */
export function toRequestError(error: unknown, log: Log): RequestError {
  if (error instanceof RequestError) return error
  const known = error instanceof z.ZodError ? invalidInput(error) : error
  const hubError =
    known instanceof HubError ? known : new HubError('internal', {}, { cause: error })
  if (hubError.status >= 500) log.error({ err: hubError.cause ?? hubError }, hubError.message)
  return failureToError(hubError.toBody().error)
}

export function failureToError({ code, message, details }: Failure): RequestError {
  // Clients look for the id of a session that is not there right in `data`.
  const sessionId = details?.['sessionId']
  return new RequestError(CODES.get(code) ?? agentCode(details) ?? INTERNAL_ERROR, message, {
    code,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(details === undefined ? {} : { details }),
  })
}

/** An agent's own error keeps its code, unless it says that the session is not there: ours is. */
function agentCode(details: Failure['details']): number | undefined {
  const acp = details?.['acp']
  const code = isObject(acp) ? acp['code'] : undefined
  return typeof code === 'number' && code !== NOT_FOUND ? code : undefined
}
