// The form of a command in the table: its input, its output, its scope, its errors and its documentation.
// The hub serves it over REST when it has `rest`, and over the WebSocket when it has `rpc`.
import type { z } from 'zod'
import type { Frozen } from '../shape.js'
import type { ErrorCode } from './error-codes.js'
import type { Scope } from './scopes.js'

/** In the order in which the documentation shows them. */
export const ROUTE_TAGS = {
  Sessions: 'A session is a durable conversation with one agent in one repository.',
  Turns: 'Prompts and the queue.',
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
export type Response = { readonly description: string; readonly content?: Content }

export type Rpc = {
  /** Documents the result and the notifications that follow it. */
  readonly answer: string
  /** Replaces the fields of the query string, which are texts. */
  readonly query?: z.ZodRawShape
}

export type SocketCommand = {
  readonly scope: Scope
  readonly body: z.ZodObject
  readonly output?: z.ZodType
  readonly rpc: Rpc
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** A name in braces is a field of the command's input. */
export type Address = `${Method} /${string}`

export type RestCommand = {
  readonly rest: Address
  readonly operationId: string
  readonly scope: Scope
  /** Reachable without a sign-in, whatever its scope. */
  readonly isPublic?: true
  /** The function gets request and response and answers by itself: streams, downloads, cookies. */
  readonly raw?: true
  readonly tag: RouteTag
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  /** Documents fields of the query whose names do not explain them. */
  readonly queryNotes?: Readonly<Record<string, string>>
  /** The JSON body. */
  readonly body?: z.ZodObject
  /** The media types of a body of bytes. */
  readonly uploads?: readonly string[]
  /** Absent when there is nothing to answer, or the function answers by itself. */
  readonly output?: z.ZodType
  /** 200 with an output, 204 without. */
  readonly status?: number
  /** Documents the answer. */
  readonly response?: string
  /** Instead of `status` and `response`, when there are several answers or media types. */
  readonly responses?: Readonly<Record<number, Response>>
  /** Chooses among several answers. */
  statusOf?(output: object): number
  /** Besides those that every route has: see `errorsOf`. */
  readonly errors: readonly ErrorCode[]
  readonly rpc?: Rpc
}

export type Command = RestCommand | SocketCommand
export type Commands = Readonly<Record<string, Command>>

export function json(schema: z.ZodType): Content {
  return { 'application/json': schema }
}

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
type PathOf<Entry> = { readonly [Key in NamesIn<FieldOf<Entry, 'rest'>>]: string }
type FieldOf<Entry, Key extends string> = Entry extends { readonly [K in Key]: infer Value }
  ? Value
  : undefined
type Flat<Value> = { [Key in keyof Value]: Value[Key] }

/** The input of a command as its function gets it: the names in the path, the query and the body in one object. */
export type InputOf<Entry> = Flat<
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

type Sent<Schema> = Loose<z.input<Schema>>
/** In a query string a number, a flag or a list may be given as such. */
type SentQuery<Schema> = Loose<{
  [Key in keyof z.input<Schema>]:
    | z.input<Schema>[Key]
    | (Key extends keyof z.output<Schema> ? Plain<z.output<Schema>[Key]> : never)
    | Flag<z.input<Schema>[Key]>
}>
type Flag<Text> = string extends Text ? never : 'true' extends Text ? boolean : never
type Plain<Value> = Extract<Value, string | number | boolean | readonly string[]>
/** An optional field may also be given as undefined, which JSON leaves out. */
type Loose<Value> = Frozen<{
  [Key in keyof Value]: object extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key]
}>

/** The input of a command as a client gives it, before defaults. */
export type CallInputOf<Entry> = Flat<
  PathOf<Entry> & SentQuery<FieldOf<Entry, 'query'>> & Sent<FieldOf<Entry, 'body'>>
>
