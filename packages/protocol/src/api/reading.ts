// Declares the commands that read a session: messages, timeline, events, changes, exports and its wire.
import { z } from 'zod'
import { sessionEventSchema } from '../events/event-schemas.js'
import type { SessionEvent } from '../events/events.js'
import { transcriptEntrySchema } from '../export/transcript-schemas.js'
import type { Shape } from '../shape.js'
import { timelineSchema } from '../transcript/timeline-schemas.js'
import { type Commands, json } from './command.js'
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
    .exactOptional(),
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
  limit: wholeNumber('limit', 1, 500).default(60),
  before: wholeNumber('before', 1, Number.MAX_SAFE_INTEGER).exactOptional(),
})

/** The last part of a session, folded: items in reading order. */
export type Timeline = Shape<typeof timelineSchema>

export const eventsQuerySchema = z.strictObject({
  after: wholeNumber('after', 0, Number.MAX_SAFE_INTEGER).default(0),
  limit: wholeNumber('limit', 1, 1000).default(500),
})

export const eventPageSchema = z.object({
  events: z.array(sessionEventSchema as z.ZodType<SessionEvent>),
  lastSeq: z.int().min(0),
})
export type EventPage = Shape<typeof eventPageSchema>

export const changesQuerySchema = repoDiffQuerySchema.extend({
  since: z.enum(['session', 'turn'], 'since is session or turn.').default('session'),
})
export const sessionChangesSchema = z.union([
  repoDiffSchema.extend({ is: z.literal('known') }),
  z.object({ is: z.literal('gone') }).describe('The work tree at the beginning was not kept.'),
  z.object({ is: z.literal('none') }).describe('Since the latest turn, and no turn has begun.'),
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
    tag: 'Reading',
    summary: 'The messages of a session in order',
    query: messagesQuerySchema,
    queryNotes: {
      since:
        'Only those created or changed after this: an ISO 8601 time with its zone, milliseconds since 1970, or `seq:N`.',
    },
    response: 'Messages.',
    output: messageListSchema,
    errors: ['session_not_found'],
  },
  'session/timeline': {
    rest: 'GET /api/sessions/{sessionId}/timeline',
    operationId: 'getTimeline',
    scope: 'read',
    tag: 'Reading',
    summary: 'The last part of a session, folded',
    description: 'How long sessions are opened: read this, then follow the events after `seq`.',
    query: timelineQuerySchema,
    queryNotes: {
      limit: 'At least so many items, more when a turn is longer.',
      before: '`before` of the part that is known.',
    },
    response: 'Items in reading order.',
    output: timelineSchema,
    errors: ['session_not_found'],
  },
  'event/list': {
    rest: 'GET /api/sessions/{sessionId}/events',
    operationId: 'listEvents',
    scope: 'read',
    raw: true,
    tag: 'Reading',
    summary: 'The events of a session, as a page or as a stream',
    description:
      'With `Accept: text/event-stream` every event after `after`, then every one that comes; resumable by `Last-Event-ID`, the `seq` that was seen last.',
    query: eventsQuerySchema,
    queryNotes: {
      after: 'The `seq` that was seen last.',
      limit:
        'Most events of a page. It ends earlier when they are long: `lastSeq` tells whether there are more.',
    },
    output: eventPageSchema,
    responses: {
      200: {
        description: 'A page of events, or a stream of them.',
        content: { ...json(eventPageSchema), 'text/event-stream': z.string() },
      },
    },
    errors: ['session_not_found'],
  },
  'session/changes': {
    rest: 'GET /api/sessions/{sessionId}/changes',
    operationId: 'getSessionChanges',
    scope: 'read',
    tag: 'Reading',
    summary: 'What changed in the repository since the session or its latest turn began',
    description: 'Against the work tree as it was, so changes that were there before do not count.',
    query: changesQuerySchema,
    queryNotes: {
      since: '`turn`: since the latest turn began; one that waits has not begun.',
      path: 'Only this file or folder, relative to the repository.',
      patches: '`false` leaves the patches out.',
    },
    response: 'Changed files, with patches unless `patches=false`.',
    output: sessionChangesSchema,
    errors: ['session_not_found', 'repo_not_found', 'path_outside_root', 'git_failed'],
  },
  'session/export': {
    rest: 'GET /api/sessions/{sessionId}/export',
    operationId: 'exportSession',
    scope: 'read',
    raw: true,
    tag: 'Reading',
    summary: 'The whole log as JSON lines',
    responses: {
      200: {
        description: 'One event in each line, as a download.',
        content: { 'application/x-ndjson': sessionEventSchema },
      },
    },
    errors: ['session_not_found'],
  },
  'session/transcript': {
    rest: 'GET /api/sessions/{sessionId}/transcript',
    operationId: 'getTranscript',
    scope: 'read',
    raw: true,
    tag: 'Reading',
    summary: 'What a person read, as a download',
    description:
      'The session as it is now, in reading order: one entry in each line, a Markdown document, or one HTML file that needs nothing else.',
    query: transcriptQuerySchema,
    responses: {
      200: {
        description: 'The transcript.',
        content: {
          'application/x-ndjson': transcriptEntrySchema,
          'text/markdown': z.string(),
          'text/html': z.string(),
        },
      },
    },
    errors: ['session_not_found', 'repo_not_found'],
  },
  'session/wire': {
    rest: 'GET /api/sessions/{sessionId}/wire',
    operationId: 'getSessionWire',
    scope: 'read',
    raw: true,
    tag: 'Reading',
    summary: 'The newest lines between the hub and the session’s agent',
    description:
      'As they were sent, oldest first, without secrets: the last 200 of each process, and many more when the hub runs with `QUAYSIDE_WIRE_LOG=1`. As a download with `format=jsonl` or `Accept: application/x-ndjson`. With `follow=true` as lines that go on with what is said from now on, without `faults` (empty ones are signs of life); `{ at, dropped }` stands for lines that came faster than they were read for long.',
    query: sessionWireQuerySchema,
    output: wireFrameListSchema,
    responses: {
      200: {
        description: 'Frames.',
        content: { ...json(wireFrameListSchema), 'application/x-ndjson': wireFrameSchema },
      },
    },
    errors: ['session_not_found', 'connection_limit'],
  },
} satisfies Commands
