// What the table of routes says of one: where it is, what it takes, what it answers and how it fails.
import type { z } from 'zod'
import type { ErrorCode } from './error-codes.js'
import { type Scope, scopeOf } from './scopes.js'

/** In the order in which the documentation shows them. */
export const ROUTE_TAGS = {
  Sessions: 'A session is one agent at work in one repository.',
  Turns: 'Prompts, and those that wait for their turn.',
  Decisions: 'What an agent waits for people to decide: permissions, questions and its options.',
  Reading: 'What happened in a session: events, messages and the folded timeline.',
  Repositories: 'Git repositories under the workspace roots. Looking at one never runs its code.',
  Agents: 'The kinds of agents (extensions), their sign-in, and what went over their wires.',
  Processes: 'What the hub keeps running, and its end.',
  Terminals: 'Terminals of your own. They go on when the hub stops and are found again.',
  Media: 'Pictures and large outputs.',
  Storage: 'What takes room, and the cleaning of what is old.',
  'Sign-in': 'One-time codes become cookies; programs send a bearer token.',
  Notifications: 'Web Push: a device is told when a session needs someone, is done or broke down.',
  Hub: 'The hub itself: whether it is there, its numbers, and its API as a document.',
} as const
export type RouteTag = keyof typeof ROUTE_TAGS

/** Schemas by media type. */
export type Content = Readonly<Record<string, z.ZodType>>
export type Answer = { readonly description: string; readonly content?: Content }

export type Route = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: `/api/sessions/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: RouteTag
  readonly summary: string
  readonly description?: string
  /** Reachable without a sign-in. */
  readonly isOpen?: true
  /** What a sign-in must include; see `scopeOf` for what holds without it. */
  readonly scope?: Scope
  /** What the names in the path mean. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject
  /** What fields of the query mean, where their names do not say. */
  readonly queryNotes?: Readonly<Record<string, string>>
  readonly body?: Content
  /** By status. Errors are not among them. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Besides those that every route has: see `errorsOf`. */
  readonly errors: readonly ErrorCode[]
}

const JSON_TYPE = 'application/json'

export function json(schema: z.ZodType): Content {
  return { [JSON_TYPE]: schema }
}

/** Most routes: one status, one JSON body. */
export function answer(status: number, description: string, schema?: z.ZodType): Route['answers'] {
  return { [status]: { description, ...(schema && { content: json(schema) }) } }
}

/** Every code this route may fail with, its own and those of the gates before it. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const { isOpen, params, query, body, errors } = route
  const gates: ErrorCode[] = isOpen
    ? ['host_not_allowed']
    : ['unauthorized', 'host_not_allowed', 'origin_not_allowed']
  const scope: ErrorCode[] = isOpen || scopeOf(route) === 'read' ? [] : ['scope_too_small']
  const input: ErrorCode[] = params || query || body ? ['bad_request'] : []
  const sent: ErrorCode[] = body ? ['body_too_large', 'unsupported_media_type'] : []
  return [...new Set<ErrorCode>([...input, ...gates, ...scope, ...errors, ...sent, 'internal'])]
}
