// Converts the hub's errors to ACP errors: ACP's code where it has one, the hub's code always in `data.code`.
import { RequestError } from '@agentclientprotocol/sdk'
import type { ErrorCode, Failure } from '@quayside/protocol'
import { z } from 'zod'
import { isObject } from '../json.js'
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
  ['content_not_supported', INVALID_PARAMS],
  ['prompt_refused', INVALID_PARAMS],
] satisfies [ErrorCode, number][])

/** Internal errors are logged; the client gets no details of them. */
export function toRequestError(error: unknown, log: Log): RequestError {
  if (error instanceof RequestError) return error
  const known = error instanceof z.ZodError ? invalidInput(error) : error
  const hubError =
    known instanceof HubError ? known : new HubError('internal', {}, { cause: error })
  if (hubError.status >= 500) log.error({ err: hubError.cause ?? hubError }, hubError.message)
  return failureToError(hubError.toBody().error)
}

export function failureToError({ code, message, details }: Failure): RequestError {
  // Clients read the id of an unknown session from `data.sessionId`.
  const sessionId = details?.['sessionId']
  return new RequestError(CODES.get(code) ?? agentCode(details) ?? INTERNAL_ERROR, message, {
    code,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(details === undefined ? {} : { details }),
  })
}

/** An agent's error keeps its code, except "not found": the session exists in the hub. */
function agentCode(details: Failure['details']): number | undefined {
  const acp = details?.['acp']
  const code = isObject(acp) ? acp['code'] : undefined
  return typeof code === 'number' && code !== NOT_FOUND ? code : undefined
}
