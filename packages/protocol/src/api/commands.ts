// Every command of the hub in one table, and its readings: REST routes and WebSocket requests.
import { z } from 'zod'
import { parseAddress, replaceNames } from './address.js'
import { accessCommands } from './rooms/access.js'
import { agentCommands } from './rooms/agents.js'
import {
  type CallInputOf,
  type Command,
  type Commands,
  type Content,
  type OutputOf,
  paramsOf,
  type RestCommand,
  type RouteTag,
  type SocketInputOf,
} from './command.js'
import { cloneCommands } from './rooms/clones.js'
import { comparisonCommands } from './rooms/sessions/comparisons.js'
import { decisionCommands } from './rooms/sessions/decisions.js'
import type { ErrorCode } from './error-codes.js'
import { feedCommands } from './rooms/sessions/feeds.js'
import { hubCommands, mediaCommands } from './rooms/hubs.js'
import { processCommands } from './rooms/processes.js'
import { pushCommands } from './rooms/push.js'
import { readingCommands } from './rooms/sessions/reading.js'
import { repoCommands } from './rooms/repos.js'
import { sessionCommands } from './rooms/sessions/sessions.js'
import { storageCommands } from './rooms/storage.js'
import { terminalCommands, terminalFeedCommands } from './rooms/terminals.js'
import { turnCommands } from './rooms/sessions/turns.js'
import { workspaceCommands } from './rooms/sessions/workspaces.js'

/** The commands of all rooms. Written out, because a type made from `ROOMS` makes the check of the hub slower (12 % more instantiations). */
export type Table = typeof hubCommands &
  typeof mediaCommands &
  typeof storageCommands &
  typeof accessCommands &
  typeof pushCommands &
  typeof repoCommands &
  typeof cloneCommands &
  typeof agentCommands &
  typeof sessionCommands &
  typeof readingCommands &
  typeof turnCommands &
  typeof workspaceCommands &
  typeof comparisonCommands &
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
  ['Repositories', cloneCommands],
  ['Agents', agentCommands],
  ['Sessions', sessionCommands],
  ['Reading', feedCommands],
  ['Reading', readingCommands],
  ['Turns', turnCommands],
  ['Workspaces', workspaceCommands],
  ['Workspaces', comparisonCommands],
  ['Decisions', decisionCommands],
  ['Processes', processCommands],
  ['Terminals', terminalCommands],
  ['Terminals', terminalFeedCommands],
]

/** Commands of REST, such as `session/prompt`. */
export type CommandName = {
  [Name in keyof Table]: Table[Name] extends { readonly rest: string } ? Name : never
}[keyof Table]
/** The addresses of the commands by their names. */
export type Addresses = { readonly [Name in CommandName]: Table[Name]['rest'] }
/** Such as `POST /api/sessions/{sessionId}/prompt`. */
export type CommandAddress = Addresses[CommandName]
/** The name of the command at an address. */
export type NameAt<At extends CommandAddress> = {
  [Name in CommandName as Addresses[Name]]: Name
}[At]
export type CallInput<Name extends CommandName> = CallInputOf<Table[Name]>
export type CallOutput<Name extends CommandName> = OutputOf<Table[Name]>
/** The commands whose answer is JSON or empty, not a page or a file. */
export type CallName = {
  [Name in CommandName]: Table[Name] extends { readonly output: object }
    ? Name
    : Table[Name] extends { readonly content: object }
      ? never
      : Name
}[CommandName]

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
  hubId: { as: 'id', is: 'Id of the machine, or its name.', missing: 'hub_not_found' },
  repoId: { as: 'id', is: 'Id of the repository.', missing: 'repo_not_found' },
  comparisonId: {
    as: 'id',
    is: 'Id of the comparison, or of any of its sessions.',
    missing: 'comparison_not_found',
  },
  cloneId: { as: 'id', is: 'Id of the clone.', missing: 'clone_not_found' },
  extensionId: {
    as: 'id',
    is: 'Id of the extension, such as `demo`.',
    missing: 'extension_not_found',
  },
  terminalId: { as: 'id', is: 'Id of the terminal.', missing: 'terminal_not_found' },
  mediaId: { as: 'id', is: 'Id of the media.', missing: 'not_found' },
  loginCodeId: { as: 'id', is: 'Id of the code, not the code.', missing: 'login_code_not_found' },
  tokenId: { as: 'id', is: 'Id of the token or sign-in.', missing: 'token_not_found' },
  hostname: {
    is: 'A host name without a port, such as `studio.example.com`.',
    missing: 'not_found',
  },
  pid: { is: 'Its number in the list.', missing: 'process_not_found' },
}

type Response = { readonly description: string; readonly content?: Content }

/** A command as REST has it. */
export type Route = Pick<RestCommand, 'rest' | 'scope' | 'isPublic' | 'summary' | 'description'> & {
  readonly name: string
  readonly operationId: string
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

export const ROUTES: readonly Route[] = REST.map(toRoute)

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

function toRoute({ tag, name, command }: (typeof REST)[number]): Route {
  const { body, uploads, rpc: _, query, errors = [], ...rest } = command
  const { method, path, names } = parseAddress(command.rest)
  const asDocumented = (one: string): string => PATH_NAMES[one]?.as ?? one
  const params = names.map((one) => [asDocumented(one), PATH_NAMES[one]?.is ?? ''])
  const missing = command.mayBeNew ? [] : names.flatMap((one) => PATH_NAMES[one]?.missing ?? [])
  const content = body ? json(body) : uploads && toContent(uploads)
  return {
    operationId: operationIdOf(name),
    ...rest,
    name,
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

function operationIdOf(name: string): string {
  const [noun = '', verb = ''] = name.split('/')
  return `${verb}-${noun}${verb === 'list' ? 's' : ''}`.replaceAll(/-(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
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
