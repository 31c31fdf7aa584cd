// Declares the commands that read a session: messages, timeline, events, changes, exports and its wire.
import { z } from 'zod'
import { sessionEventSchema } from '../events/event-schemas.js'
import type { SessionEvent } from '../events/events.js'
import { transcriptEntrySchema } from '../export/transcript-schemas.js'
import type { Shape } from '../shape.js'
import { timelineSchema } from '../transcript/timeline-schemas.js'
import type { Commands } from './command.js'
import { flag, wholeNumber } from './fields.js'
import { repoDiffQuerySchema, repoDiffSchema } from './repos.js'
import { messageListSchema } from './sessions.js'
import { wireFormatField, wireFrameListSchema, wireFrameSchema } from './wire-schemas.js'

/** From where messages are wanted: after an event, or after a time in ms since 1970. */
export type Since =
  | { readonly by: 'seq'; readonly seq: number }
  | { readonly by: 'time'; readonly at: number }

export const messagesQuerySchema = z.strictObject({
  since: z
    .string()
    .transform((value, context): Since => {
      const since = readSince(value)
      if (since !== undefined) return since
      context.addIssue(
        'since is an ISO 8601 time with its zone, milliseconds since 1970, or seq:N.',
      )
      return z.NEVER
    })
    .exactOptional()
    .describe(
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

export const timelineQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 500)
    .default(60)
    .describe('The number of items. A turn is never split, so there may be more.'),
  before: wholeNumber('before', 1, Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('The `before` of the previous response: returns the items before it.'),
})

/** The last part of a session, folded: items in reading order. */
export type Timeline = Shape<typeof timelineSchema>

export const eventsQuerySchema = z.strictObject({
  after: wholeNumber('after', 0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('The `seq` of the last received event.'),
  limit: wholeNumber('limit', 1, 1000)
    .default(500)
    .describe(
      'The maximum number of events. A page of long events ends earlier: compare with `lastSeq`.',
    ),
})

export const eventPageSchema = z.object({
  events: z.array(sessionEventSchema as z.ZodType<SessionEvent>),
  lastSeq: z.int().min(0),
})
export type EventPage = Shape<typeof eventPageSchema>

export const changesQuerySchema = repoDiffQuerySchema.extend({
  since: z
    .enum(['session', 'turn'], 'since is session or turn.')
    .default('session')
    .describe('`turn`: since the start of the latest turn. Queued turns have not started.'),
})
export const sessionChangesSchema = z.union([
  repoDiffSchema.extend({ is: z.literal('known') }),
  z
    .object({ is: z.literal('gone') })
    .describe('There is no snapshot of the work tree to compare with.'),
  z.object({ is: z.literal('none') }).describe('With `since=turn`: no turn has started yet.'),
])

export type SessionChanges = Shape<typeof sessionChangesSchema>

export const transcriptQuerySchema = z.strictObject({
  format: z.enum(['jsonl', 'md', 'html'], 'format is jsonl, md or html.').default('jsonl'),
})

export const sessionWireQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 10_000).default(200),
  format: wireFormatField,
  follow: flag('follow', 'false'),
})

export const readingCommands = {
  'session/messages': {
    rest: 'GET /api/sessions/{sessionId}/messages',
    operationId: 'listMessages',
    scope: 'read',
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
    query: timelineQuerySchema,
    response: 'The items, in reading order.',
    output: timelineSchema,
  },
  'event/list': {
    rest: 'GET /api/sessions/{sessionId}/events',
    operationId: 'listEvents',
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
      'Compared with a snapshot of the work tree, so earlier uncommitted changes are not included.',
    query: changesQuerySchema,
    response: 'The changed files.',
    output: sessionChangesSchema,
    errors: ['repo_not_found', 'path_outside_root', 'git_failed'],
  },
  'session/export': {
    rest: 'GET /api/sessions/{sessionId}/export',
    operationId: 'exportSession',
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
    query: transcriptQuerySchema,
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
    query: sessionWireQuerySchema,
    response: 'The frames.',
    output: wireFrameListSchema,
    content: { 'application/x-ndjson': wireFrameSchema },
    errors: ['connection_limit'],
  },
} satisfies Commands
