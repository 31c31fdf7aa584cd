// Declares the commands that read a session: messages, timeline, events, changes, exports and its wire.
import { z } from 'zod'
import { sessionEventSchema } from '../../../events/event-schemas.js'
import type { SessionEvent } from '../../../events/events.js'
import { transcriptEntrySchema } from '../../../export/transcript-schemas.js'
import type { Shape } from '../../../shape.js'
import { timelineSchema } from '../../../transcript/timeline-schemas.js'
import type { Commands } from '../../command.js'
import { described, flag, optional, wholeNumber } from '../../fields.js'
import { fileChangeSchema, repoDiffQuerySchema, repoDiffSchema } from '../repos.js'
import { excerptPartSchema, messageListSchema } from './sessions.js'

/** From where messages are wanted: after an event, or after a time in ms since 1970. */
export type Since =
  | { readonly by: 'seq'; readonly seq: number }
  | { readonly by: 'time'; readonly at: number }

export const messagesQuerySchema = z.strictObject({
  since: optional(
    z.string().transform((value, context): Since => {
      const since = readSince(value)
      if (since !== undefined) return since
      context.addIssue(
        'since is an ISO 8601 time with its zone, milliseconds since 1970, or seq:N.',
      )
      return z.NEVER
    }),
    'Only messages that were created or changed later: an ISO 8601 time with its zone, milliseconds since 1970, or `seq:N`.',
  ),
})

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

function readSince(value: string): Since | undefined {
  const seq = /^seq:(\d{1,15})$/.exec(value)?.[1]
  if (seq !== undefined) return { by: 'seq', seq: Number(seq) }
  if (/^\d{1,15}$/.test(value)) return { by: 'time', at: Number(value) }
  const at = ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : { by: 'time', at }
}

/** The last part of a session, folded: items in reading order. */
export type Timeline = Shape<typeof timelineSchema>

const MAX_FOUND = 200
const MAX_WANTED_CHARS = 200
const wantedText = z.string().max(MAX_WANTED_CHARS, `q has at most ${MAX_WANTED_CHARS} characters.`)
const findCursor = optional(z.string().min(1).max(512))

/** An item that contains the text: a prompt, an answer, a thought, a tool call with its input and output, a notice. */
const foundPlaceSchema = z.object({
  itemId: z.string(),
  /** The events that it began with and that changed it last. */
  seq: z.int().min(1),
  updatedSeq: z.int().min(1),
  turnId: z.string().nullable(),
  type: z.string().describe('The type of its message, such as `text`, `thought` or `tool`.'),
  count: described(
    z.int().min(1),
    'How often a text contains it; 1 for other items, which repeat their texts.',
  ),
  excerpt: z.array(excerptPartSchema).describe('The text from shortly before the first match on.'),
})
export const foundPlacesSchema = z.object({
  /** Newest first. */
  places: z.array(foundPlaceSchema),
  /** Asks for earlier places; absent when the whole conversation was searched. */
  nextCursor: optional(z.string()),
})
export type FoundPlace = Shape<typeof foundPlaceSchema>
export type FoundPlaces = Shape<typeof foundPlacesSchema>

export const eventsQuerySchema = z.strictObject({
  after: described(
    wholeNumber('after', 0, Number.MAX_SAFE_INTEGER).default(0),
    'The `seq` of the last received event.',
  ),
  limit: described(
    wholeNumber('limit', 1, 1000).default(500),
    'The maximum number of events. A page of long events ends earlier: compare with `lastSeq`.',
  ),
})

export const eventPageSchema = z.object({
  events: z.array(sessionEventSchema as z.ZodType<SessionEvent>),
  lastSeq: z.int().min(0),
})
export type EventPage = Shape<typeof eventPageSchema>

export const sessionChangesSchema = z.union([
  repoDiffSchema.extend({
    is: z.literal('known'),
    files: z.array(
      fileChangeSchema.extend({
        by: optional(
          z.object({ sessionId: z.string(), title: z.string().nullable() }),
          'Another session changed it, and this one did not; it is not in the totals.',
        ),
      }),
    ),
  }),
  described(
    z.object({ is: z.literal('gone') }),
    'There is no snapshot of the work tree to compare with.',
  ),
  z.object({ is: z.literal('none') }).describe('With `since=turn`: no turn has started yet.'),
])

export type SessionChanges = Shape<typeof sessionChangesSchema>

/** One line between the hub and an agent, without secrets. */
export const wireFrameSchema = z.object({
  /** When it passed, in ms since 1970. */
  at: z.number(),
  /** As the hub sees it: `in` is a line that the agent wrote. */
  direction: z.enum(['in', 'out', 'stderr']),
  process: z.string(),
  session: optional(z.string(), 'The first eight characters of `sessionId`.'),
  sessionId: optional(
    z.string(),
    "The session's id, or the agent's own id while the hub's is not known.",
  ),
  /** A JSON-RPC message; a line that is none is a string. */
  frame: z.unknown(),
  bytes: z.int().min(0),
  /** Only its beginning was kept. */
  cut: optional(z.literal(true)),
  faults: optional(z.array(z.string()), 'Violations of ACP’s schema, each with its path.'),
})
export type WireFrame = Shape<typeof wireFrameSchema>
export const wireFrameListSchema = z.object({ frames: z.array(wireFrameSchema) })

export const wireFormatField = optional(z.enum(['json', 'jsonl'], 'format is json or jsonl.'))

export const readingCommands = {
  'session/messages': {
    rest: 'GET /api/sessions/{sessionId}/messages',
    operationId: 'listMessages',
    scope: 'read',
    raw: true,
    summary: 'List the messages of a session',
    query: messagesQuerySchema,
    response: 'The messages, in reading order.',
    output: messageListSchema,
  },
  'session/timeline': {
    rest: 'GET /api/sessions/{sessionId}/timeline',
    operationId: 'getTimeline',
    scope: 'read',
    summary: 'The latest items of a session',
    description: 'To open a long session, read this, then follow the events after `seq`.',
    query: z.strictObject({
      limit: described(
        wholeNumber('limit', 1, 500).default(60),
        'About this many items: fewer when they are large or have many events, and a few more that are still open.',
      ),
      before: optional(
        wholeNumber('before', 1, Number.MAX_SAFE_INTEGER),
        'The `before` of the previous response: returns the items before it.',
      ),
    }),
    response: 'The items, in reading order.',
    output: timelineSchema,
  },
  'session/find': {
    rest: 'GET /api/sessions/{sessionId}/find',
    operationId: 'findInSession',
    scope: 'read',
    summary: 'Find a text in the whole conversation, newest first',
    description:
      'Searches prompts, answers, thoughts, plans, tool calls with their input and output, and notices, up to 64 Ki characters of each. A page ends after `limit` places, or after a short time: continue while there is a `nextCursor`, also after a page without places.',
    query: z.strictObject({
      q: wantedText.describe(
        'The text to find. Upper and lower case are the same, and so are spaces and line breaks.',
      ),
      limit: wholeNumber('limit', 1, MAX_FOUND).default(50),
      cursor: findCursor.describe('`nextCursor` of the previous page.'),
    }),
    response: 'The places.',
    output: foundPlacesSchema,
    rpc: {
      answer: '`FoundPlaces`.',
      query: {
        q: wantedText,
        limit: z.int().min(1).max(MAX_FOUND).default(50),
        cursor: findCursor,
      },
    },
  },
  'event/list': {
    rest: 'GET /api/sessions/{sessionId}/events',
    scope: 'read',
    raw: true,
    summary: 'List or stream the events of a session',
    description:
      'With `Accept: text/event-stream`, sends every event after `after`, then new events as they are committed. Reconnect with `Last-Event-ID`, the `seq` of the last received event. The stream ends after `event: removed` (the session was removed) or `event: reset` (the log is shorter than `after`, as after a restored backup: read again from the beginning).',
    query: eventsQuerySchema,
    response: 'A page or a stream of events.',
    output: eventPageSchema,
    content: { 'text/event-stream': z.string() },
  },
  'session/changes': {
    rest: 'GET /api/sessions/{sessionId}/changes',
    operationId: 'getSessionChanges',
    scope: 'read',
    summary: 'Changes in the repository since the session or its latest turn started',
    description:
      'Compared with a snapshot of the work tree, so earlier uncommitted changes are not included. Files that another session of the repository changed are marked: by its tool calls, or because it worked and this one did not.',
    query: repoDiffQuerySchema.extend({
      since: described(
        z.enum(['session', 'turn'], 'since is session or turn.').default('session'),
        '`turn`: since the start of the latest turn. Queued turns have not started.',
      ),
      turnId: optional(
        z.string().min(1),
        'The changes of this turn alone, from its start to its end.',
      ),
    }),
    response: 'The changed files.',
    output: sessionChangesSchema,
    errors: ['repo_not_found', 'path_outside_root', 'workspace_missing', 'git_failed'],
  },
  'session/export': {
    rest: 'GET /api/sessions/{sessionId}/export',
    scope: 'read',
    raw: true,
    summary: 'Export the log as JSON lines',
    response: 'A download with one event per line.',
    content: { 'application/x-ndjson': sessionEventSchema },
  },
  'session/transcript': {
    rest: 'GET /api/sessions/{sessionId}/transcript',
    operationId: 'getTranscript',
    scope: 'read',
    raw: true,
    summary: 'Download the transcript',
    description:
      'The session in reading order: JSON lines, a Markdown document, or one self-contained HTML file.',
    query: z.strictObject({
      format: z.enum(['jsonl', 'md', 'html'], 'format is jsonl, md or html.').default('jsonl'),
    }),
    response: 'The transcript.',
    content: {
      'application/x-ndjson': transcriptEntrySchema,
      'text/markdown': z.string(),
      'text/html': z.string(),
    },
    errors: ['repo_not_found'],
  },
  'session/wire': {
    rest: 'GET /api/sessions/{sessionId}/wire',
    operationId: 'getSessionWire',
    scope: 'read',
    raw: true,
    summary: 'The newest frames between the hub and the session’s agent',
    description:
      'Oldest first, without secrets: the last 200 of each process, and more when the hub runs with `QUAYSIDE_WIRE_LOG=1`. A download with `format=jsonl` or `Accept: application/x-ndjson`. With `follow=true` the response continues with new frames, without `faults`; empty lines keep the connection alive, and `{ at, dropped }` replaces frames that were dropped because the client read too slowly.',
    query: z.strictObject({
      limit: wholeNumber('limit', 1, 10_000).default(200),
      format: wireFormatField,
      follow: flag('follow', 'false'),
    }),
    response: 'The frames.',
    output: wireFrameListSchema,
    content: { 'application/x-ndjson': wireFrameSchema },
    errors: ['connection_limit'],
  },
} satisfies Commands
