// The form of a command in the table: its input, its output, its scope, its errors and its documentation.
// The hub serves it over REST when it has an address, and over the WebSocket when it has `rpc`.
import { z } from 'zod'
import type { Frozen } from '../shape.js'
import { type Address, parseAddress } from './address.js'
import type { ErrorCode } from './error-codes.js'
import { requiredText } from './fields.js'
import type { Scope } from './scopes.js'

/** In the order in which the documentation shows them. */
export const ROUTE_TAGS = {
  Sessions: 'A session is a durable conversation with one agent in one repository.',
  Turns: 'Prompts and the queue.',
  Workspaces: 'The work tree of a session before and after its turns.',
  Decisions: 'Permissions and questions that wait for an answer, and the agent’s options.',
  Reading: 'The content of a session: events, messages, timeline, changes and exports.',
  Repositories: 'Git repositories in the root folders. Reading one never runs its code.',
  Agents: 'Extensions: how agents are launched, their settings, sign-in and raw messages.',
  Processes: 'The processes of agents and terminals.',
  Terminals:
    'Terminals for people. They keep running when the hub stops, and a restarted hub finds them again.',
  Media: 'Images and large outputs.',
  Storage: 'Disk use, and the removal of old sessions.',
  'Sign-in': 'One-time codes become cookies; programs send a bearer token.',
  Notifications:
    'Web Push: notifies a device when a session needs a decision, is done or has failed.',
  Hub: 'Health, metrics and the documentation of the API.',
} as const
export type RouteTag = keyof typeof ROUTE_TAGS

/** Schemas by media type. */
export type Content = Readonly<Record<string, z.ZodType>>

export type Rpc = {
  /** Documents the result and the notifications that follow it. */
  readonly answer: string
  /** Replaces the fields of the query string, which are texts. */
  readonly query?: z.ZodRawShape
}

export type SocketCommand = {
  readonly rest?: undefined
  readonly summary?: undefined
  readonly scope: Scope
  readonly body: z.ZodObject
  readonly output?: z.ZodType
  /** Its own codes, besides `bad_request`, `scope_too_small` and `internal`. */
  readonly errors?: readonly ErrorCode[]
  readonly rpc: Rpc
}

type RestFields = {
  readonly rest: Address
  /** For OpenAPI. By default made of the name: `repo/get` is `getRepo`, `token/list` is `listTokens`. */
  readonly operationId?: string
  readonly scope: Scope
  /** Reachable without a sign-in, whatever its scope. */
  readonly isPublic?: true
  /** Counts failed requests for each client address, and refuses more with `too_many_attempts`. */
  readonly limitsAttempts?: true
  /** The function gets request and response and answers by itself: streams, downloads, cookies. */
  readonly raw?: true
  readonly summary: string
  readonly description?: string
  /** The JSON body. */
  readonly body?: z.ZodObject
  /** The media types of a body of bytes. */
  readonly uploads?: readonly string[]
  /** The JSON of the answer. */
  readonly output?: z.ZodType
  /** Its other media types. */
  readonly content?: Content
  /** 200 with an answer, 204 without. */
  readonly status?: number
  /** Documents the answer. */
  readonly response?: string
  /** Instead of `status` and `response`, when there are several answers. Those below 300 have content. */
  readonly responses?: Readonly<Record<number, string>>
  /** Chooses among several answers. */
  statusOf?(output: object): number
  /** The name in its path may be new, so that it is never missing. */
  readonly mayBeNew?: true
  /** Its own codes, besides those of the names in its path and those that every route has: see `errorsOf`. */
  readonly errors?: readonly ErrorCode[]
}

/** A query string holds texts. A command with one that is also served over the WebSocket declares its fields as JSON. */
type QueryFields =
  | { readonly query?: undefined; readonly rpc?: Rpc }
  | { readonly query: z.ZodObject; readonly rpc?: Required<Rpc> }

export type RestCommand = RestFields & QueryFields
export type Command = RestCommand | SocketCommand
/** The commands of a room. */
export type Commands = Readonly<Record<string, Command>>

/** Codes of every command that needs a session with a live agent. */
export const LIVE_SESSION_ERRORS = ['session_not_active', 'storage_failed'] as const

/** Codes of every command that starts a session. */
export const START_ERRORS = [
  'repo_untrusted',
  'repo_not_found',
  'extension_not_found',
  'extension_unavailable',
  'path_outside_root',
  'invalid_settings',
  'workspace_missing',
  'git_failed',
  'agent_not_installed',
  'agent_auth_required',
  'agent_failed',
  'agent_timeout',
  'session_limit',
  'shutting_down',
  'storage_failed',
] as const

/** The params of a WebSocket request: the names in the path, the query and the body, with the rules of the body. */
export function paramsOf({ rest, body = z.strictObject({}), rpc }: Command): z.ZodObject {
  const names = rest === undefined ? [] : parseAddress(rest).names
  const path = names.map((name) => [name, requiredText(`${name} is missing.`)])
  const added = { ...Object.fromEntries(path), ...rpc?.query } as z.ZodRawShape
  if (Object.keys(added).length === 0) return body
  return body.clone({ ...body.def, shape: { ...added, ...body.shape } })
}

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
type PathOf<Entry> = { readonly [Key in NamesIn<FieldOf<Entry, 'rest'>>]: string }
type FieldOf<Entry, Key extends string> = Entry extends { readonly [K in Key]: infer Value }
  ? Value
  : undefined
/** Shows an intersection as one object: `{ a: 1 } & { b: 2 }` becomes `{ a: 1; b: 2 }`. */
type Merged<Value> = { [Key in keyof Value]: Value[Key] }

/** The input of a command as its function gets it: the names in the path, the query and the body in one object. */
export type InputOf<Entry> = Merged<
  PathOf<Entry> & z.output<FieldOf<Entry, 'query'>> & z.output<FieldOf<Entry, 'body'>>
>
export type OutputOf<Entry> = Entry extends { readonly output: infer Schema }
  ? Frozen<z.output<Schema>>
  : void

type RawEntry = { readonly raw: true }

/** One function for each command of a table that is not raw. */
export type Handlers<Table, Context> = {
  readonly [Name in keyof Table as Table[Name] extends RawEntry ? never : Name]: (
    input: InputOf<Table[Name]>,
    context: Context,
  ) => OutputOf<Table[Name]> | Promise<OutputOf<Table[Name]>>
}

/** One function for each command of a table that is raw. */
export type RawHandlers<Table, Context> = {
  readonly [Name in keyof Table as Table[Name] extends RawEntry ? Name : never]: (
    input: InputOf<Table[Name]>,
    context: Context,
  ) => void | Promise<void>
}

/** The body as a client gives it: before defaults, so that `{ n: z.int().default(1) }` takes `{ n?: number }`. */
type BodyInput<Schema> = WithUndefined<z.input<Schema>>
/** The query as a client gives it: `limit` as `'5'` or `5`, `status` as `'active,error'` or a list. */
type QueryInput<Schema> = WithUndefined<{
  [Key in keyof z.input<Schema>]:
    | z.input<Schema>[Key]
    | (Key extends keyof z.output<Schema> ? PlainValue<z.output<Schema>[Key]> : never)
    | BooleanFor<z.input<Schema>[Key]>
}>
/** A boolean where the texts are flags: `'true' | 'false' | 'any'` gives `boolean`, any `string` gives `never`. */
type BooleanFor<Text> = string extends Text ? never : 'true' extends Text ? boolean : never
/** The values that a query string can hold: of `number | Date`, `number`. */
type PlainValue<Value> = Extract<Value, string | number | boolean | readonly string[]>
/** Lets optional fields be undefined, which JSON leaves out: `{ a?: 1 }` becomes `{ a?: 1 | undefined }`. */
type WithUndefined<Value> = Frozen<{
  [Key in keyof Value]: object extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key]
}>

/** The input of a command as a client gives it, before defaults. */
export type CallInputOf<Entry> = Merged<
  PathOf<Entry> & QueryInput<FieldOf<Entry, 'query'>> & BodyInput<FieldOf<Entry, 'body'>>
>

/** The same over the WebSocket, where the fields of the query are JSON too. */
export type SocketInputOf<Entry> = Merged<
  PathOf<Entry> & SocketQueryInput<Entry> & BodyInput<FieldOf<Entry, 'body'>>
>
type SocketQueryInput<Entry> = Entry extends {
  readonly rpc: { readonly query: infer Fields extends z.ZodRawShape }
}
  ? WithUndefined<z.input<z.ZodObject<Fields>>>
  : unknown
