// Every command of the hub in one table, and its readings: REST routes and WebSocket requests.
import { z } from 'zod'
import { accessCommands } from './access.js'
import { ADDRESSES } from './addresses.js'
import { agentCommands } from './agents.js'
import {
  type CallInputOf,
  type Command,
  type Content,
  json,
  type OutputOf,
  type Response,
  type RestCommand,
} from './command.js'
import { decisionCommands } from './decisions.js'
import type { ErrorCode } from './error-codes.js'
import { feedCommands } from './feeds.js'
import { requiredText } from './fields.js'
import { hubCommands } from './hub.js'
import { processCommands } from './processes.js'
import { pushCommands } from './push.js'
import { readingCommands } from './reading.js'
import { repoCommands } from './repos.js'
import { sessionCommands } from './sessions.js'
import { storageCommands } from './storage.js'
import { terminalCommands, terminalFeedCommands } from './terminals.js'
import { turnCommands } from './turns.js'

export type Table = typeof hubCommands &
  typeof storageCommands &
  typeof accessCommands &
  typeof pushCommands &
  typeof repoCommands &
  typeof agentCommands &
  typeof sessionCommands &
  typeof readingCommands &
  typeof turnCommands &
  typeof decisionCommands &
  typeof processCommands &
  typeof terminalCommands &
  typeof terminalFeedCommands &
  typeof feedCommands

/** In the order of the documentation. */
export const COMMANDS: Table = {
  ...hubCommands,
  ...storageCommands,
  ...accessCommands,
  ...pushCommands,
  ...repoCommands,
  ...agentCommands,
  ...sessionCommands,
  ...feedCommands,
  ...readingCommands,
  ...turnCommands,
  ...decisionCommands,
  ...processCommands,
  ...terminalCommands,
  ...terminalFeedCommands,
}

export type CommandName = keyof Table
/** A command that has a REST address. */
export type RestName = CommandName & keyof typeof ADDRESSES
export type CallInput<Name extends RestName> = CallInputOf<Name, Table[Name]>
export type CallOutput<Name extends RestName> = OutputOf<Table[Name]>

/** The names in paths: their documentation, and what the documents call them instead. */
const PATH_NAMES: Readonly<Record<string, { readonly is: string; readonly as?: string }>> = {
  sessionId: { as: 'id', is: 'Id of the session.' },
  turnId: { is: 'Id of the turn that waits.' },
  permissionId: { is: 'Id of the permission.' },
  questionId: { is: 'Id of the question.' },
  optionId: { is: 'Id of the option; `mode` and `model` where the agent lists them.' },
  repoId: { as: 'id', is: 'Id of the repository.' },
  extensionId: { as: 'id', is: 'Id of the extension, such as `demo`.' },
  terminalId: { as: 'id', is: 'Id of the terminal.' },
  mediaId: { as: 'id', is: 'Id of the media.' },
  loginCodeId: { as: 'id', is: 'Id of the code, not the code.' },
  tokenId: { as: 'id', is: 'Id of the token or sign-in.' },
  pid: { is: 'Its number in the list.' },
}

/** A command as REST has it. */
export type Route = Omit<RestCommand, 'body' | 'uploads' | 'output' | 'response' | 'rpc'> & {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/api/sessions/{id}`. */
  readonly path: string
  /** Documents the names in the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Content
  /** By status. Errors are not among them. */
  readonly responses: Readonly<Record<number, Response>>
}

export const REST_COMMANDS: ReadonlyMap<string, RestCommand> = new Map(
  entries().flatMap(([name, command]) => ('operationId' in command ? [[name, command]] : [])),
)

export const ROUTES: readonly Route[] = [...REST_COMMANDS].map(([name, command]) =>
  toRoute(name, command),
)

/** A command as the WebSocket has it. */
export type SocketRequest = {
  readonly command: Command
  readonly params: z.ZodObject
  readonly answer: string
}

export const SOCKET_REQUESTS: ReadonlyMap<string, SocketRequest> = new Map(
  entries().flatMap(([name, command]) => {
    const { rpc } = command
    return rpc ? [[name, { command, params: toParams(name, command), answer: rpc.answer }]] : []
  }),
)

/** `POST` and `/api/sessions/{sessionId}/prompt`, in the words of the command's input. */
export function addressOf(name: string): readonly [method: string, path: string] {
  const address = (ADDRESSES as Readonly<Record<string, string>>)[name]
  if (address === undefined) throw new Error(`The command ${name} has no address.`)
  const [method = '', path = ''] = address.split(' ')
  return [method, path]
}

/** The answer of a command that does not choose by `statusOf`. */
export function statusOf({ status, output }: RestCommand): number {
  return status ?? (output ? 200 : 204)
}

/** Every code this route may fail with, its own and those of the gates before it. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const { isPublic, scope, params, query, body, errors } = route
  const gates: ErrorCode[] = isPublic
    ? ['host_not_allowed']
    : ['unauthorized', 'host_not_allowed', 'origin_not_allowed']
  const scopes: ErrorCode[] = isPublic || scope === 'read' ? [] : ['scope_too_small']
  const input: ErrorCode[] = params || query || body ? ['bad_request'] : []
  const sent: ErrorCode[] = body ? ['body_too_large', 'unsupported_media_type'] : []
  return [...new Set<ErrorCode>([...input, ...gates, ...scopes, ...errors, ...sent, 'internal'])]
}

function entries(): (readonly [name: string, command: Command])[] {
  return Object.entries(COMMANDS)
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function toRoute(name: string, command: RestCommand): Route {
  const { body, uploads, output, response = '', rpc: _, ...rest } = command
  const [method, path] = addressOf(name)
  const names = namesIn(path)
  const asDocumented = (one: string): string => PATH_NAMES[one]?.as ?? one
  const params = names.map((one) => [asDocumented(one), PATH_NAMES[one]?.is ?? ''])
  const content = body ? json(body) : uploads && toContent(uploads)
  return {
    ...rest,
    method: method.toLowerCase() as Route['method'],
    path: path.replaceAll(/\{(\w+)\}/g, (_, one: string) => `{${asDocumented(one)}}`),
    ...(names.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
    ...(content && { body: content }),
    responses: command.responses ?? {
      [statusOf(command)]: { description: response, ...(output && { content: json(output) }) },
    },
  }
}

function toContent(types: readonly string[]): Content {
  return Object.fromEntries(types.map((type) => [type, z.unknown()]))
}

/** The names in the path, then the fields of the body with the rules that hold between them. */
function toParams(name: string, { body = z.strictObject({}), rpc }: Command): z.ZodObject {
  const names = name in ADDRESSES ? namesIn(addressOf(name)[1]) : []
  if (names.length === 0) return body
  const path = names.map((one) => [one, requiredText(`${one} is missing.`)])
  const shape = { ...Object.fromEntries(path), ...rpc?.query, ...body.shape } as z.ZodRawShape
  return body.clone({ ...body.def, shape })
}
