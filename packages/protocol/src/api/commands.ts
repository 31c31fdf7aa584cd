// Every command of the hub in one table, and its readings: REST routes and WebSocket requests.
import { z } from 'zod'
import { accessCommands } from './access.js'
import { agentCommands } from './agents.js'
import {
  type CallInputOf,
  type Command,
  type Commands,
  type Content,
  type OutputOf,
  paramsOf,
  parseAddress,
  replaceNames,
  type RestCommand,
  type RouteTag,
  type SocketInputOf,
} from './command.js'
import { decisionCommands } from './decisions.js'
import type { ErrorCode } from './error-codes.js'
import { feedCommands } from './feeds.js'
import { hubCommands, mediaCommands } from './hub.js'
import { processCommands } from './processes.js'
import { pushCommands } from './push.js'
import { readingCommands } from './reading.js'
import { repoCommands } from './repos.js'
import { sessionCommands } from './sessions.js'
import { storageCommands } from './storage.js'
import { terminalCommands, terminalFeedCommands } from './terminals.js'
import { turnCommands } from './turns.js'

/** The commands of all rooms. Written out, because a type made from `ROOMS` makes the check of the hub slower (12 % more instantiations). */
export type Table = typeof hubCommands &
  typeof mediaCommands &
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

/** The rooms of the table with the tags of their commands. Within a tag, the documentation has the order of this list. */
const ROOMS: readonly (readonly [tag: RouteTag, commands: Commands])[] = [
  ['Hub', hubCommands],
  ['Media', mediaCommands],
  ['Storage', storageCommands],
  ['Sign-in', accessCommands],
  ['Notifications', pushCommands],
  ['Repositories', repoCommands],
  ['Agents', agentCommands],
  ['Sessions', sessionCommands],
  ['Reading', feedCommands],
  ['Reading', readingCommands],
  ['Turns', turnCommands],
  ['Decisions', decisionCommands],
  ['Processes', processCommands],
  ['Terminals', terminalCommands],
  ['Terminals', terminalFeedCommands],
]

/** The commands by their REST addresses. */
type RestTable = {
  [
    Name in keyof Table as Table[Name] extends { readonly rest: infer At extends string }
      ? At
      : never
  ]: Table[Name]
}
/** Such as `POST /api/sessions/{sessionId}/prompt`. */
export type CommandAddress = keyof RestTable
export type CallInput<Address extends CommandAddress> = CallInputOf<RestTable[Address]>
export type CallOutput<Address extends CommandAddress> = OutputOf<RestTable[Address]>

/** Commands of the WebSocket, such as `session/follow`. */
export type SocketCommandName = {
  [Name in keyof Table]: Table[Name] extends { readonly rpc: object } ? Name : never
}[keyof Table]
export type SocketInput<Name extends SocketCommandName> = SocketInputOf<Table[Name]>
/** A command without an output answers `{}`. */
export type SocketOutput<Name extends SocketCommandName> = Name extends SocketCommandName
  ? Table[Name] extends { readonly output: object }
    ? OutputOf<Table[Name]>
    : Readonly<Record<string, never>>
  : never

type PathName = { readonly is: string; readonly missing: ErrorCode; readonly as?: string }
/** The names in paths: their documentation, the error of a missing one, and what the documents call them instead. */
const PATH_NAMES: Readonly<Record<string, PathName>> = {
  sessionId: { as: 'id', is: 'Id of the session.', missing: 'session_not_found' },
  turnId: { is: 'Id of the turn that waits.', missing: 'turn_not_found' },
  permissionId: { is: 'Id of the permission.', missing: 'permission_not_found' },
  questionId: { is: 'Id of the question.', missing: 'question_not_found' },
  optionId: {
    is: 'Id of the option; `mode` and `model` where the agent lists them.',
    missing: 'option_not_found',
  },
  repoId: { as: 'id', is: 'Id of the repository.', missing: 'repo_not_found' },
  extensionId: {
    as: 'id',
    is: 'Id of the extension, such as `demo`.',
    missing: 'extension_not_found',
  },
  terminalId: { as: 'id', is: 'Id of the terminal.', missing: 'terminal_not_found' },
  mediaId: { as: 'id', is: 'Id of the media.', missing: 'not_found' },
  loginCodeId: { as: 'id', is: 'Id of the code, not the code.', missing: 'login_code_not_found' },
  tokenId: { as: 'id', is: 'Id of the token or sign-in.', missing: 'token_not_found' },
  pid: { is: 'Its number in the list.', missing: 'process_not_found' },
}

type Response = { readonly description: string; readonly content?: Content }

/** A command as REST has it. */
export type Route = Pick<
  RestCommand,
  'operationId' | 'scope' | 'isPublic' | 'summary' | 'description'
> & {
  readonly tag: RouteTag
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/api/sessions/{id}`. */
  readonly path: string
  /** Documents the names in the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject
  readonly body?: Content
  readonly errors: readonly ErrorCode[]
  /** By status. Errors are not among them. */
  readonly responses: Readonly<Record<number, Response>>
}

const ALL = ROOMS.flatMap(([tag, commands]) =>
  Object.entries(commands).map(([name, command]) => ({ tag, name, command })),
)
const REST = ALL.flatMap(({ command, ...entry }) =>
  command.rest === undefined ? [] : [{ ...entry, command }],
)

export const REST_COMMANDS: ReadonlyMap<string, RestCommand> = new Map(
  REST.map(({ name, command }) => [name, command]),
)

export const ROUTES: readonly Route[] = REST.map(({ tag, command }) => toRoute(tag, command))

/** A command as the WebSocket has it. */
export type SocketRequest = {
  readonly command: Command
  readonly params: z.ZodObject
  readonly answer: string
}

export const SOCKET_REQUESTS: ReadonlyMap<string, SocketRequest> = new Map(
  ALL.flatMap(({ name, command }) => {
    const { rpc } = command
    return rpc ? [[name, { command, params: paramsOf(command), answer: rpc.answer }]] : []
  }),
)

/** The answer of a command that does not choose by `statusOf`. */
export function statusOf({ status, output, content }: RestCommand): number {
  return status ?? (output || content ? 200 : 204)
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

function toRoute(tag: RouteTag, command: RestCommand): Route {
  const { rest: address, body, uploads, rpc: _, query, errors = [], ...rest } = command
  const { method, path, names } = parseAddress(address)
  const asDocumented = (one: string): string => PATH_NAMES[one]?.as ?? one
  const params = names.map((one) => [asDocumented(one), PATH_NAMES[one]?.is ?? ''])
  const missing = command.mayBeNew ? [] : names.flatMap((one) => PATH_NAMES[one]?.missing ?? [])
  const content = body ? json(body) : uploads && toContent(uploads)
  return {
    ...rest,
    tag,
    errors: [...new Set([...missing, ...errors])],
    method,
    path: replaceNames(path, (one) => `{${asDocumented(one)}}`),
    ...(names.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
    ...(query && { query }),
    ...(content && { body: content }),
    responses: responsesOf(command),
  }
}

function responsesOf(command: RestCommand): Record<number, Response> {
  const { output, content: others, response = '' } = command
  const { responses = { [statusOf(command)]: response } } = command
  const content = { ...(output && json(output)), ...others }
  const hasContent = (status: string) => Number(status) < 300 && Object.keys(content).length > 0
  return Object.fromEntries(
    Object.entries(responses).map(([status, description]) => [
      status,
      { description, ...(hasContent(status) && { content }) },
    ]),
  )
}

function json(schema: z.ZodType): Content {
  return { 'application/json': schema }
}

function toContent(types: readonly string[]): Content {
  return Object.fromEntries(types.map((type) => [type, z.unknown()]))
}
