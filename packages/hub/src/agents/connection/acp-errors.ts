// Maps an agent's JSON-RPC error, or its exit, to a HubError. Keeps the agent's own code and message.
import { HubError, messageOfError } from '../../errors.js'
import type { AgentExit } from '../../process/agent-child.js'
import { isObject } from '../../json.js'

const AUTH_REQUIRED = -32_000

export type SignInFacts = {
  /** The methods that the agent advertises. */
  readonly methods: readonly unknown[]
  /** Texts of the manifest: an error that contains one means a missing sign-in, whatever its code is. */
  readonly errors: readonly string[]
}

/** Undefined when the agent did not answer: the connection broke, and `exitError` reports the reason. */
export function findAcpError(
  method: string,
  error: unknown,
  signIn: SignInFacts,
): HubError | undefined {
  if (error instanceof HubError) return error
  if (!isObject(error) || typeof error['code'] !== 'number') return undefined
  const { code, data } = error
  const acp = {
    method,
    code,
    message: messageOfError(error),
    ...(data === undefined ? {} : { data }),
  }
  const reason = readable(acp.message, data)
  const said = JSON.stringify([acp.message, data])
  if (code !== AUTH_REQUIRED && !signIn.errors.some((text) => said.includes(text)))
    return new HubError('agent_failed', { message: `The agent answered: ${reason}`, acp })
  const methods = authMethodsOf(data) ?? signIn.methods
  return new HubError('agent_auth_required', {
    message: `Sign in to the agent first: ${reason.replace(/\.$/, '')}.${howTo(methods)}`,
    methods,
    acp,
  })
}

/** The error of a request that was open when the agent exited. */
export function exitError(method: string, exit: AgentExit, cause: unknown): HubError {
  return new HubError('agent_failed', { message: describeExit(exit), ...exit, method }, { cause })
}

export function describeExit(exit: AgentExit): string {
  const how =
    exit.signal === null ? `ended with exit code ${exit.exitCode}` : `was ended by ${exit.signal}`
  const tail = exit.stderrTail.trim()
  return `The agent ${how}.${tail ? ` Its last output: ${tail.slice(-500)}` : ''}`
}

/** Some agents put the reason into `data.details` or `data`; Gemini CLI 0.61 puts a JSON body into the message. */
function readable(message: string, data: unknown): string {
  const details = isObject(data) ? data['details'] : data
  const inner = innerMessage(message) ?? message
  return typeof details === 'string' && details !== '' && !inner.includes(details)
    ? `${inner} (${details})`
    : inner
}

function innerMessage(message: string): string | undefined {
  if (!message.startsWith('{') && !message.startsWith('[')) return undefined
  try {
    const parsed: unknown = JSON.parse(message)
    const body = Array.isArray(parsed) ? (parsed[0] as unknown) : parsed
    const error = isObject(body) ? body['error'] : undefined
    const inner = isObject(error) ? error['message'] : undefined
    return typeof inner === 'string' ? inner : undefined
  } catch {
    return undefined
  }
}

function authMethodsOf(data: unknown): readonly unknown[] | undefined {
  return isObject(data) && Array.isArray(data['authMethods']) ? data['authMethods'] : undefined
}

function howTo(methods: readonly unknown[]): string {
  const names = methods.filter(isObject).map(({ name, id }) => String(name ?? id))
  return names.length === 0 ? '' : ` Ways to sign in: ${names.join(', ')}.`
}
