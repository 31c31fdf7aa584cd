// Maps an agent's JSON-RPC error, or its exit, to a HubError. Keeps the agent's own code and message.
import { HubError, messageOfError } from '../../errors.js'
import type { AgentExit } from '../../process/agent-child.js'
import { describeCause } from '../../process/end-cause.js'
import { stderrTail } from '../../process/stderr-tail.js'
import { isObject, type JsonObject } from '../../json.js'
import type { Redactor } from '../wire/redact/redact.js'
import { readReason } from './error-reason.js'

const AUTH_REQUIRED = -32_000
/** The part of stderr that a message quotes. */
const QUOTED_CHARS = 500

export type AskedRequest = {
  readonly method: string
  /** The ways to sign in that the agent advertises. */
  readonly authMethods: readonly unknown[]
  /** Texts of the manifest: an error that contains one means a missing sign-in, whatever its code is. */
  readonly signInErrors: readonly string[]
  readonly redactor: Redactor
}

/** Undefined when the agent did not answer: the connection broke, and `exitError` reports the reason. */
export function findAcpError(
  error: unknown,
  { method, authMethods, signInErrors, redactor }: AskedRequest,
): HubError | undefined {
  if (error instanceof HubError) return error
  if (!isObject(error) || typeof error['code'] !== 'number') return undefined
  const { code } = error
  const data = redactor.redactValue(error['data'] ?? null)
  const acp = {
    method,
    code,
    message: redactor.redact(messageOfError(error)),
    ...(data === null ? {} : { data }),
  }
  const reason = readReason(acp.message, isObject(data) ? withoutAuthMethods(data) : data)
  const text = JSON.stringify([acp.message, data])
  if (code !== AUTH_REQUIRED && !signInErrors.some((part) => text.includes(part)))
    return new HubError('agent_failed', { message: `The agent answered: ${reason}`, acp })
  const methods = authMethodsOf(error['data']) ?? authMethods
  return new HubError('agent_auth_required', {
    message: `Sign in to the agent first: ${reason.replace(/\.$/, '')}.${howTo(methods)}`,
    methods,
    acp,
  })
}

/** The error of a request that was open when the agent exited. */
export function exitError(method: string, exit: AgentExit, cause: unknown): HubError {
  const code = exit.cause === 'storage_failed' ? 'storage_failed' : 'agent_failed'
  return new HubError(code, { message: describeExit(exit), ...exit, method }, { cause })
}

export function timeoutError(method: string, timeoutMs = 0): HubError {
  return new HubError('agent_timeout', {
    message: `The agent did not answer ${method} within ${timeoutMs / 1_000} s. Try again.`,
    method,
    timeoutMs,
  })
}

export function describeExit(exit: AgentExit): string {
  if (exit.cause !== undefined) return describeCause(exit.cause)
  const { exitCode, signal } = exit
  const tail = stderrTail(exit.stderrTail, QUOTED_CHARS)
  if (exitCode === null && signal === null) return `The agent could not be started: ${tail}`
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`
  return `The agent ${how}.${tail ? ` Its last output: ${tail}` : ''}`
}

/** They follow the reason in words. */
function withoutAuthMethods(data: JsonObject): JsonObject {
  const { authMethods: _, ...rest } = data
  return rest
}

function authMethodsOf(data: unknown): readonly unknown[] | undefined {
  return isObject(data) && Array.isArray(data['authMethods']) ? data['authMethods'] : undefined
}

function howTo(methods: readonly unknown[]): string {
  const names = methods.filter(isObject).map(({ name, id }) => String(name ?? id))
  return names.length === 0 ? '' : ` Ways to sign in: ${names.join(', ')}.`
}
