// Reads the messages of agents that become events: the answer that opens a session, permission requests and questions.
// Used for a running agent and for recorded wire traffic (`quayside wire replay`).
import {
  type ConfigOption,
  type EventData,
  type PermissionOption,
  readConfigOptions,
  readModes,
  type SessionModes,
  type ToolCallFields,
} from '@quayside/protocol'
import { isObject, type JsonObject } from '../../json.js'

/** A session as the agent opened it. */
export type AcpSession = {
  readonly acpSessionId: string
  readonly modes?: SessionModes
  readonly configOptions?: readonly ConfigOption[]
  readonly models?: JsonObject
}

export type PermissionRequest = {
  readonly toolCall: ToolCallFields
  readonly options: readonly PermissionOption[]
}

/** A request that offers people no choice. */
export type UnanswerableRequest = { readonly problem: string }

export type QuestionRequest = {
  readonly message: string
  readonly mode: string
  readonly requestedSchema?: unknown
  readonly url?: string
  readonly elicitationId?: string
}

/** Reads the answer to `session/new`, `session/load` or `session/resume`. */
export function readAcpSession(acpSessionId: string, answer: JsonObject): AcpSession {
  const modes = readModes(answer['modes'])
  const configOptions = readConfigOptions(answer['configOptions'])
  const { models } = answer
  return {
    acpSessionId,
    ...(modes && { modes }),
    ...(configOptions && { configOptions }),
    ...(isObject(models) && { models }),
  }
}

export type AuthStatus = { readonly signedIn: boolean; readonly label?: string }

/** Reads `_auth/status_update`, an extension of ACP. Undefined for a status without a kind. */
export function readAuthStatus({ authStatus }: JsonObject): AuthStatus | undefined {
  if (!isObject(authStatus) || typeof authStatus['kind'] !== 'string') return undefined
  const { kind, label } = authStatus
  return { signedIn: kind !== 'none', ...(typeof label === 'string' && { label }) }
}

export function readPermissionRequest(params: JsonObject): PermissionRequest | UnanswerableRequest {
  const toolCall = readCall(params['toolCall'])
  if (toolCall === undefined) return { problem: 'toolCall with a toolCallId is missing' }
  const listed = Array.isArray(params['options']) ? params['options'] : []
  const options = listed.flatMap(readOption)
  if (options.length > 0) return { toolCall, options }
  return { problem: listed.length === 0 ? 'options are missing' : 'no optionId is a string' }
}

/** The notice for people that a request of their agent was rejected. */
export function unanswerableNotice({ problem }: UnanswerableRequest): EventData['notice'] {
  const message = `The agent asked for a permission that cannot be answered: ${problem}. The hub rejected the request; this is a fault of the agent.`
  return { severity: 'warning', code: 'permission_rejected', message }
}

export function readQuestionRequest(params: JsonObject): QuestionRequest {
  const { message, mode, requestedSchema, url, elicitationId } = params
  return {
    message: typeof message === 'string' ? message : '',
    mode: typeof mode === 'string' ? mode : 'form',
    ...(requestedSchema !== undefined && { requestedSchema }),
    ...(typeof url === 'string' && { url }),
    ...(typeof elicitationId === 'string' && { elicitationId }),
  }
}

/** Keeps unknown fields: the event holds what the agent sent. */
function readCall(value: unknown): ToolCallFields | undefined {
  if (!isObject(value) || typeof value['toolCallId'] !== 'string') return undefined
  const { _meta, ...fields } = value
  return (isObject(_meta) ? value : fields) as unknown as ToolCallFields
}

/** An option without a name or kind can still be chosen. */
function readOption(value: unknown): PermissionOption[] {
  if (!isObject(value) || typeof value['optionId'] !== 'string') return []
  const { optionId, name, kind, _meta } = value
  return [
    {
      optionId,
      name: typeof name === 'string' ? name : optionId,
      kind: typeof kind === 'string' ? kind : 'other',
      ...(isObject(_meta) && { _meta }),
    },
  ]
}
