// The table's part for sessions: their life, and what can be read of them.
import { z } from 'zod'
import { sessionEventSchema } from '../events/event-schemas.js'
import {
  createSessionSchema,
  deleteSessionQuerySchema,
  eventsQuerySchema,
  listSessionsQuerySchema,
  messagesQuerySchema,
  patchSessionSchema,
  timelineQuerySchema,
} from './input-schemas.js'
import {
  eventPageSchema,
  messageListSchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionSummarySchema,
} from './output-schemas.js'
import { changesQuerySchema, sessionChangesSchema } from './repo-schemas.js'
import { answer, json, type Route } from './route.js'
import { timelineSchema } from '../transcript/timeline-schemas.js'
import {
  sessionWireQuerySchema,
  transcriptEntrySchema,
  transcriptQuerySchema,
  wireFrameListSchema,
  wireFrameSchema,
} from '../export/transcript-schemas.js'

const params = { id: 'Id of the session.' }
const start = [
  'repo_untrusted',
  'repo_not_found',
  'extension_not_found',
  'extension_unavailable',
  'path_outside_root',
  'invalid_settings',
  'agent_not_installed',
  'agent_auth_required',
  'agent_failed',
  'agent_timeout',
  'session_limit',
  'shutting_down',
  'storage_failed',
] as const

export const sessionRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/api/sessions',
    operationId: 'createSession',
    tag: 'Sessions',
    summary: 'Start a session',
    description:
      'Answers once the agent has. Without `extensionId` the first extension is taken. In every failure nothing stays.',
    body: json(createSessionSchema),
    answers: answer(201, 'The session is active.', sessionSummarySchema),
    errors: start,
  },
  {
    method: 'get',
    path: '/api/sessions',
    operationId: 'listSessions',
    tag: 'Sessions',
    summary: 'All sessions, newest first, or those that match',
    query: listSessionsQuerySchema,
    queryNotes: {
      repoId: 'Only sessions of this repository.',
      extensionId: 'Only sessions with this agent.',
      status: 'Only sessions with one of these.',
      archived: 'Whether archived sessions are left out, wanted alone, or among the others.',
      q: 'Words to look for in titles, prompts and answers.',
      cursor:
        '`nextCursor` of the page before; goes on where it ended, whatever was added meanwhile.',
    },
    answers: answer(200, 'A page of sessions, without their messages.', sessionListSchema),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}',
    operationId: 'getSession',
    tag: 'Sessions',
    summary: 'A session with its repository and all messages',
    params,
    answers: answer(200, 'The session.', sessionDetailSchema),
    errors: ['session_not_found'],
  },
  {
    method: 'patch',
    path: '/api/sessions/{id}',
    operationId: 'changeSession',
    tag: 'Sessions',
    summary: 'Rename, pin, archive or set up a session',
    description:
      'Active or not. `settings.permissions` count from now on; another `cwd` or other `mcpServers` restart the agent when its turn is over.',
    params,
    body: json(patchSessionSchema),
    answers: answer(200, 'The session as it is now.', sessionSummarySchema),
    errors: [
      'session_not_found',
      'repo_not_found',
      'extension_not_found',
      'extension_unavailable',
      'path_outside_root',
      'invalid_settings',
      'storage_failed',
    ],
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/complete',
    operationId: 'completeSession',
    tag: 'Sessions',
    summary: 'End a session as `completed`',
    description: 'A session that has ended stays as it is.',
    params,
    answers: answer(200, 'The session has ended.', sessionSummarySchema),
    errors: ['session_not_found', 'storage_failed'],
  },
  {
    method: 'post',
    path: '/api/sessions/{id}/resume',
    operationId: 'resumeSession',
    tag: 'Sessions',
    summary: 'Make an ended session active again',
    description:
      'With the same id and log; what waited in its queue goes on. One that is just ending ends first.',
    params,
    answers: answer(200, 'The session is active.', sessionSummarySchema),
    errors: ['session_not_found', 'session_ending', ...start],
  },
  {
    method: 'delete',
    path: '/api/sessions/{id}',
    operationId: 'deleteSession',
    tag: 'Sessions',
    summary: 'End a session as `cancelled`, or remove it',
    description:
      'Its rows stay, unless `purge` is true: then everything of it is removed for good.',
    params,
    query: deleteSessionQuerySchema,
    answers: answer(200, 'The session as it ended.', sessionSummarySchema),
    errors: ['session_not_found', 'session_not_ended', 'storage_failed'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/messages',
    operationId: 'listMessages',
    tag: 'Reading',
    summary: 'The messages of a session in order',
    params,
    query: messagesQuerySchema,
    queryNotes: {
      since:
        'Only those created or changed after this: an ISO 8601 time with its zone, milliseconds since 1970, or `seq:N`.',
    },
    answers: answer(200, 'Messages.', messageListSchema),
    errors: ['session_not_found'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/timeline',
    operationId: 'getTimeline',
    tag: 'Reading',
    summary: 'The last part of a session, folded',
    description: 'How long sessions are opened: read this, then follow the events after `seq`.',
    params,
    query: timelineQuerySchema,
    queryNotes: {
      limit: 'At least so many items, more when a turn is longer.',
      before: '`before` of the part that is known.',
    },
    answers: answer(200, 'Items in reading order.', timelineSchema),
    errors: ['session_not_found'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/events',
    operationId: 'listEvents',
    tag: 'Reading',
    summary: 'The events of a session, as a page or as a stream',
    description:
      'With `Accept: text/event-stream` every event after `after`, then every one that comes; resumable by `Last-Event-ID`, the `seq` that was seen last.',
    params,
    query: eventsQuerySchema,
    queryNotes: {
      after: 'The `seq` that was seen last.',
      limit:
        'Most events of a page. It ends earlier when they are long: `lastSeq` tells whether there are more.',
    },
    answers: {
      200: {
        description: 'A page of events, or a stream of them.',
        content: { ...json(eventPageSchema), 'text/event-stream': z.string() },
      },
    },
    errors: ['session_not_found'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/changes',
    operationId: 'getSessionChanges',
    tag: 'Reading',
    summary: 'What changed in the repository since the session or its latest turn began',
    description: 'Against the work tree as it was, so changes that were there before do not count.',
    params,
    query: changesQuerySchema,
    queryNotes: {
      since: '`turn`: since the latest turn began; one that waits has not begun.',
      path: 'Only this file or folder, relative to the repository.',
      patches: '`false` leaves the patches out.',
    },
    answers: answer(
      200,
      'Changed files, with patches unless `patches=false`.',
      sessionChangesSchema,
    ),
    errors: ['session_not_found', 'repo_not_found', 'path_outside_root', 'git_failed'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/export',
    operationId: 'exportSession',
    tag: 'Reading',
    summary: 'The whole log as JSON lines',
    params,
    answers: {
      200: {
        description: 'One event in each line, as a download.',
        content: { 'application/x-ndjson': sessionEventSchema },
      },
    },
    errors: ['session_not_found'],
  },
  {
    method: 'get',
    path: '/api/sessions/{id}/transcript',
    operationId: 'getTranscript',
    tag: 'Reading',
    summary: 'What a person read, as a download',
    description:
      'The session as it is now, in reading order: one entry in each line, a Markdown document, or one HTML file that needs nothing else.',
    params,
    query: transcriptQuerySchema,
    answers: {
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
  {
    method: 'get',
    path: '/api/sessions/{id}/wire',
    operationId: 'getSessionWire',
    tag: 'Reading',
    summary: 'The newest lines between the hub and the session’s agent',
    description:
      'As they were sent, oldest first, without secrets: the last 200 of each process, and many more when the hub runs with `QUAYSIDE_WIRE_LOG=1`. As a download with `format=jsonl` or `Accept: application/x-ndjson`. With `follow=true` as lines that go on with what is said from now on, without `faults` (empty ones are signs of life); `{ at, dropped }` stands for lines that came faster than they were read for long.',
    params,
    query: sessionWireQuerySchema,
    answers: {
      200: {
        description: 'Frames.',
        content: { ...json(wireFrameListSchema), 'application/x-ndjson': wireFrameSchema },
      },
    },
    errors: ['session_not_found', 'connection_limit'],
  },
]
