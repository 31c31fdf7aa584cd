// Declares the commands for the life of sessions: begun, listed, changed, ended, resumed, removed.
import { z } from 'zod'
import { forkPointSchema, workspaceSchema } from '../../../events/event-schemas.js'
import { ACTIVITIES, SESSION_STATUSES } from '../../../events/events.js'
import type { Shape } from '../../../shape.js'
import { MAX_TITLE_CHARS, plainTitle } from '../../../text/session-title.js'
import { currentStepSchema } from '../../../transcript/current-step-schema.js'
import { MESSAGE_ROLES, messageContentSchema } from '../../../transcript/message-schemas.js'
import type { Commands } from '../../command.js'
import { flag, hasSome, requiredText, wholeNumber } from '../../fields.js'
import { hubPlaceSchema } from '../hubs.js'
import { repoSchema } from '../repos.js'
import { sessionSettingsSchema } from '../../session-settings.js'

const TITLE_LENGTH = `A title has 1 to ${MAX_TITLE_CHARS} characters.`
export const title = z
  .string()
  .overwrite(plainTitle)
  .min(1, TITLE_LENGTH)
  .max(MAX_TITLE_CHARS, TITLE_LENGTH)

export const makeRoom = z
  .boolean()
  .exactOptional()
  .describe(
    'At the limit of active sessions, puts the longest idle one to sleep first. Never one that works or waits for a person.',
  )

export const resumeSessionSchema = z.strictObject({ makeRoom })

export const createSessionSchema = z.strictObject({
  repoId: requiredText('repoId is the id of a repository.'),
  extensionId: z.string().min(1).max(128).exactOptional(),
  title: title.exactOptional(),
  branch: z
    .string()
    .max(MAX_TITLE_CHARS)
    .exactOptional()
    .describe(
      'Words for the branch of a work tree of its own, such as the first prompt: `Fix the login` becomes `quayside/fix-the-login`. By default those of the title.',
    ),
  settings: sessionSettingsSchema.exactOptional(),
  makeRoom,
})
export type CreateSessionInput = z.infer<typeof createSessionSchema>

const patchSessionShape = {
  title: title.nullable().exactOptional(),
  pinned: z.boolean().exactOptional(),
  archived: z.boolean().exactOptional(),
  settings: sessionSettingsSchema.exactOptional(),
}
const hasChange = hasSome(patchSessionShape)
const ONE_CHANGE = 'Send at least one field to change.'

export const patchSessionSchema = z.strictObject(patchSessionShape).refine(hasChange, ONE_CHANGE)
export type SessionEdit = z.infer<typeof patchSessionSchema>

export const getSessionQuerySchema = z.strictObject({
  messages: z
    .literal('0', 'messages is 0, or absent for all messages.')
    .exactOptional()
    .describe('`0` omits the messages, of which a long session has many.'),
})

export const deleteSessionQuerySchema = z.strictObject({ purge: flag('purge', 'false') })

export const listSessionsQuerySchema = z
  .strictObject({
    repoId: z.string().min(1).exactOptional().describe('Only sessions of this repository.'),
    extensionId: z.string().min(1).exactOptional().describe('Only sessions with this agent.'),
    status: z
      .string()
      .transform((list) => list.split(','))
      .pipe(
        z.array(z.enum(SESSION_STATUSES, `status is a list of ${SESSION_STATUSES.join(', ')}.`)),
      )
      .exactOptional()
      .describe('Only sessions with one of these statuses, separated by commas.'),
    archived: z
      .enum(['false', 'true', 'any'], 'archived is false (the default), true or any.')
      .default('false')
      .describe(
        '`false` leaves archived sessions out, `true` returns only them, `any` returns both.',
      ),
    q: z.string().exactOptional().describe('Words to search for in titles, prompts and answers.'),
    limit: wholeNumber('limit', 1, 100).default(20),
    offset: wholeNumber('offset', 0, Number.MAX_SAFE_INTEGER).default(0),
    cursor: z
      .string()
      .min(1)
      .max(512)
      .exactOptional()
      .describe(
        '`nextCursor` of the previous page. Sessions that were added meanwhile do not move the pages.',
      ),
  })
  .refine(
    ({ offset, cursor }) => offset === 0 || cursor === undefined,
    'Send either offset or cursor.',
  )
export type ListSessionsQuery = z.infer<typeof listSessionsQuerySchema>

export const sessionSummarySchema = z.object({
  id: z.string(),
  repoId: z.string(),
  extensionId: z.string(),
  status: z.enum(SESSION_STATUSES),
  activity: z.enum(ACTIVITIES).exactOptional(),
  step: currentStepSchema
    .exactOptional()
    .describe('The open permission or question, or the running tool call.'),
  notStored: z
    .literal(true)
    .exactOptional()
    .describe('The hub cannot store the events of this session, as when its disk is full.'),
  title: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  lastSeq: z.int().min(0),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Prompts that were accepted. */
  turnCount: z.int().min(0),
  messageCount: z.int().min(0),
  cost: z
    .object({ amount: z.number(), currency: z.string() })
    .exactOptional()
    .describe('The cost of the session so far, if its agent reports it.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  workspace: workspaceSchema
    .exactOptional()
    .describe('Where it works. Absent in sessions of older hubs: the repository’s own work tree.'),
  forkedFrom: forkPointSchema
    .exactOptional()
    .describe('The beginning of a fork: a part of another session.'),
  hub: hubPlaceSchema
    .exactOptional()
    .describe('Where it runs. Absent when the hub has its database to itself.'),
})
export const createdSessionSchema = sessionSummarySchema.extend({
  sessionId: z.string().describe('The same as `id`, by the name that other commands use.'),
})
export type SessionSummary = Shape<typeof sessionSummarySchema>

/** A piece of an excerpt, plain text; `match` marks the words that were searched for. */
export const excerptPartSchema = z.object({ text: z.string(), match: z.boolean() })
const listedSessionSchema = sessionSummarySchema.extend({
  excerpt: z.array(excerptPartSchema).exactOptional(),
  /** The event that the text began with; absent when it is the title. */
  foundSeq: z.int().min(1).exactOptional(),
})
export const sessionListSchema = z.object({
  sessions: z.array(listedSessionSchema),
  total: z.int().min(0),
  /** True when a search found more than `total`. */
  totalIsCapped: z.boolean().exactOptional(),
  limit: z.int(),
  offset: z.int(),
  /** Asks for the next page; absent on the last one. */
  nextCursor: z.string().exactOptional(),
  maxActive: z.int().exactOptional().describe('The limit of active sessions.'),
  extensionIds: z
    .array(z.string())
    .exactOptional()
    .describe('The agents that have sessions, independent of the filter.'),
})
export type ExcerptPart = Shape<typeof excerptPartSchema>
/** A session in a list; in the answer to a search, with the newest of its texts that matched. */
export type ListedSession = Shape<typeof listedSessionSchema>
export type SessionList = Shape<typeof sessionListSchema>

export const messageSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  role: z.enum(MESSAGE_ROLES),
  content: messageContentSchema,
  seq: z.int().min(1),
  updatedSeq: z.int().min(1),
  timestamp: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
/** The stored row of one item; `content.type` names its kind. */
export type Message = Shape<typeof messageSchema>
export const messageListSchema = z.array(messageSchema)

export const sessionDetailSchema = sessionSummarySchema.extend({
  repo: repoSchema,
  settings: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('The settings of this session. Others have the defaults of the agent.'),
  messages: messageListSchema,
})
export type SessionDetail = Shape<typeof sessionDetailSchema>

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

export const sessionCommands = {
  'session/new': {
    rest: 'POST /api/sessions',
    operationId: 'createSession',
    scope: 'write',
    summary: 'Start a session',
    description:
      'Responds when the agent has started. Without `extensionId` it is the agent of `QUAYSIDE_AGENT`, else the first installed one that is not the demo, else the demo; `extensionId` of the response names it. If it fails, no session is created.',
    body: createSessionSchema,
    status: 201,
    response: 'The session is active.',
    output: createdSessionSchema,
    errors: START_ERRORS,
    rpc: { answer: '`CreatedSession`.' },
  },
  'session/list': {
    rest: 'GET /api/sessions',
    operationId: 'listSessions',
    scope: 'read',
    summary: 'List or search sessions, newest first',
    query: listSessionsQuerySchema,
    response: 'A page of sessions, without their messages.',
    output: sessionListSchema,
  },
  'session/get': {
    rest: 'GET /api/sessions/{sessionId}',
    operationId: 'getSession',
    scope: 'read',
    raw: true,
    summary: 'A session with its repository and all messages',
    description:
      'Messages are sent while they are read. One that changes meanwhile may be newer than `lastSeq`: its `updatedSeq` is its last event.',
    query: getSessionQuerySchema,
    response: 'The session.',
    output: sessionDetailSchema,
  },
  'session/change': {
    rest: 'PATCH /api/sessions/{sessionId}',
    operationId: 'changeSession',
    scope: 'write',
    summary: 'Rename, pin, archive or configure a session',
    description:
      'Works for active and ended sessions. `settings.permissions` apply at once, also to permissions that are already open; a changed `cwd` or `mcpServers` restarts the agent after the running turn.',
    body: patchSessionSchema,
    response: 'The changed session.',
    output: sessionSummarySchema,
    errors: [
      'repo_not_found',
      'extension_not_found',
      'extension_unavailable',
      'repo_untrusted',
      'path_outside_root',
      'workspace_missing',
      'invalid_settings',
      'storage_failed',
    ],
    rpc: { answer: '`SessionSummary`.' },
  },
  'session/complete': {
    rest: 'POST /api/sessions/{sessionId}/complete',
    operationId: 'completeSession',
    scope: 'write',
    summary: 'End a session as `completed`',
    description: 'A session that has ended is not changed.',
    response: 'The session has ended.',
    output: sessionSummarySchema,
    errors: ['storage_failed'],
    rpc: { answer: '`SessionSummary`.' },
  },
  'session/resume': {
    rest: 'POST /api/sessions/{sessionId}/resume',
    operationId: 'resumeSession',
    scope: 'write',
    summary: 'Make an ended session active again',
    description:
      'It keeps its id and its log, and its queued prompts run. A session that is ending is resumed after it has ended.',
    body: resumeSessionSchema,
    response: 'The session is active.',
    output: sessionSummarySchema,
    errors: ['session_archived', 'session_ending', ...START_ERRORS],
    rpc: { answer: '`SessionSummary`.' },
  },
  'session/delete': {
    rest: 'DELETE /api/sessions/{sessionId}',
    operationId: 'deleteSession',
    scope: 'write',
    summary: 'End a session as `cancelled`, or remove it',
    description:
      'The session stays in the lists, unless `purge` is true: then it is removed permanently, with its log and its files.',
    query: deleteSessionQuerySchema,
    response: 'The ended session.',
    output: sessionSummarySchema,
    errors: ['session_not_ended', 'session_has_forks', 'storage_failed'],
    rpc: { answer: '`SessionSummary`.', query: { purge: z.boolean().default(false) } },
  },
} satisfies Commands
