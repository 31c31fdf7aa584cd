// Declares the commands for the life of sessions: begun, listed, changed, ended, resumed, removed, forked.
import { z } from 'zod'
import { forkPointSchema, workspaceSchema } from '../../../events/event-schemas.js'
import { ACTIVITIES, SESSION_STATUSES } from '../../../events/events.js'
import type { Shape } from '../../../shape.js'
import { MAX_TITLE_CHARS, plainTitle } from '../../../text/session-title.js'
import { currentStepSchema } from '../../../transcript/current-step-schema.js'
import { MESSAGE_ROLES, messageContentSchema } from '../../../transcript/message-schemas.js'
import { type Commands, START_ERRORS } from '../../command.js'
import { described, flag, hasSome, optional, requiredText, wholeNumber } from '../../fields.js'
import { chosenHub, hubPlaceSchema } from '../hubs.js'
import { repoSchema } from '../repos.js'
import { sessionSettingsSchema } from '../../session-settings.js'

const TITLE_LENGTH = `A title has 1 to ${MAX_TITLE_CHARS} characters.`
const title = z
  .string()
  .overwrite(plainTitle)
  .min(1, TITLE_LENGTH)
  .max(MAX_TITLE_CHARS, TITLE_LENGTH)

export const makeRoom = optional(
  z.boolean(),
  'At the limit of active sessions, puts the longest idle one to sleep first. Never one that works or waits for a person.',
)

export const resumeSessionSchema = z.strictObject({ makeRoom })

export const createSessionSchema = z.strictObject({
  repoId: requiredText('repoId is the id of a repository.'),
  ...chosenHub,
  extensionId: optional(z.string().min(1).max(128)),
  title: optional(title),
  branch: optional(
    z.string().max(MAX_TITLE_CHARS),
    'Words for the branch of a work tree of its own, such as the first prompt: `Fix the login` becomes `quayside/fix-the-login`. By default those of the title.',
  ),
  settings: optional(sessionSettingsSchema),
  makeRoom,
})
export type CreateSessionInput = z.infer<typeof createSessionSchema>

const patchSessionShape = {
  title: optional(title.nullable()),
  pinned: optional(z.boolean()),
  archived: optional(z.boolean()),
  settings: optional(sessionSettingsSchema),
}
const hasChange = hasSome(patchSessionShape)
const ONE_CHANGE = 'Send at least one field to change.'

export const patchSessionSchema = z.strictObject(patchSessionShape).refine(hasChange, ONE_CHANGE)
export type SessionEdit = z.infer<typeof patchSessionSchema>

export const listSessionsQuerySchema = z
  .strictObject({
    repoId: optional(z.string().min(1), 'Only sessions of this repository.'),
    extensionId: optional(z.string().min(1), 'Only sessions with this agent.'),
    status: optional(
      z
        .string()
        .transform((list) => list.split(','))
        .pipe(
          z.array(z.enum(SESSION_STATUSES, `status is a list of ${SESSION_STATUSES.join(', ')}.`)),
        ),
      'Only sessions with one of these statuses, separated by commas.',
    ),
    archived: described(
      z
        .enum(['false', 'true', 'any'], 'archived is false (the default), true or any.')
        .default('false'),
      '`false` leaves archived sessions out, `true` returns only them, `any` returns both.',
    ),
    q: optional(z.string(), 'Words to search for in titles, prompts and answers.'),
    limit: wholeNumber('limit', 1, 100).default(20),
    offset: wholeNumber('offset', 0, Number.MAX_SAFE_INTEGER).default(0),
    cursor: optional(
      z.string().min(1).max(512),
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
  activity: optional(z.enum(ACTIVITIES)),
  step: optional(currentStepSchema, 'The open permission or question, or the running tool call.'),
  notStored: optional(
    z.literal(true),
    'The hub cannot store the events of this session, as when its disk is full.',
  ),
  title: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  lastSeq: z.int().min(0),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Prompts that were accepted. */
  turnCount: z.int().min(0),
  messageCount: z.int().min(0),
  cost: optional(
    z.object({ amount: z.number(), currency: z.string() }),
    'The cost of the session so far, if its agent reports it.',
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  workspace: optional(
    workspaceSchema,
    'Where it works. Absent in sessions of older hubs: the repository’s own work tree.',
  ),
  forkedFrom: optional(forkPointSchema, 'The beginning of a fork: a part of another session.'),
  hub: optional(hubPlaceSchema, 'Where it runs. Absent when the hub has its database to itself.'),
})
export const createdSessionSchema = sessionSummarySchema.extend({
  sessionId: z.string().describe('The same as `id`, by the name that other commands use.'),
})
export type SessionSummary = Shape<typeof sessionSummarySchema>

/** A piece of an excerpt, plain text; `match` marks the words that were searched for. */
export const excerptPartSchema = z.object({ text: z.string(), match: z.boolean() })
const listedSessionSchema = sessionSummarySchema.extend({
  excerpt: optional(z.array(excerptPartSchema)),
  /** The event that the text began with; absent when it is the title. */
  foundSeq: optional(z.int().min(1)),
})
export const sessionListSchema = z.object({
  sessions: z.array(listedSessionSchema),
  total: z.int().min(0),
  /** True when a search found more than `total`. */
  totalIsCapped: optional(z.boolean()),
  limit: z.int(),
  offset: z.int(),
  /** Asks for the next page; absent on the last one. */
  nextCursor: optional(z.string()),
  maxActive: optional(z.int(), 'The limit of active sessions.'),
  extensionIds: optional(
    z.array(z.string()),
    'The agents that have sessions, independent of the filter.',
  ),
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
  settings: optional(
    z.record(z.string(), z.unknown()),
    'The settings of this session. Others have the defaults of the agent.',
  ),
  messages: messageListSchema,
})
export type SessionDetail = Shape<typeof sessionDetailSchema>

export const forkSessionSchema = z.strictObject({
  turnId: optional(
    z.string().min(1),
    'The last turn that the fork shares. By default the last that has ended, with the files as they are now.',
  ),
  before: optional(
    z.literal(true, 'before is true, or absent.'),
    'The fork begins before `turnId`, with the files as they were then.',
  ),
  title: optional(title),
  makeRoom,
})
export type ForkInput = z.infer<typeof forkSessionSchema>

export const primerSchema = z.object({ text: z.string() })

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
    errors: [...START_ERRORS, 'hub_not_found'],
    rpc: { answer: '`CreatedSession`.' },
  },
  'session/list': {
    rest: 'GET /api/sessions',
    scope: 'read',
    summary: 'List or search sessions, newest first',
    query: listSessionsQuerySchema,
    response: 'A page of sessions, without their messages.',
    output: sessionListSchema,
  },
  'session/get': {
    rest: 'GET /api/sessions/{sessionId}',
    scope: 'read',
    raw: true,
    summary: 'A session with its repository and all messages',
    description:
      'Messages are sent while they are read. One that changes meanwhile may be newer than `lastSeq`: its `updatedSeq` is its last event.',
    query: z.strictObject({
      messages: optional(
        z.literal('0', 'messages is 0, or absent for all messages.'),
        '`0` omits the messages, of which a long session has many.',
      ),
    }),
    response: 'The session.',
    output: sessionDetailSchema,
  },
  'session/change': {
    rest: 'PATCH /api/sessions/{sessionId}',
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
    scope: 'write',
    summary: 'End a session as `cancelled`, or remove it',
    description:
      'The session stays in the lists, unless `purge` is true: then it is removed permanently, with its log and its files.',
    query: z.strictObject({ purge: flag('purge', 'false') }),
    response: 'The ended session.',
    output: sessionSummarySchema,
    errors: ['session_not_ended', 'session_has_forks', 'storage_failed'],
    rpc: { answer: '`SessionSummary`.', query: { purge: z.boolean().default(false) } },
  },
  'session/fork': {
    rest: 'POST /api/sessions/{sessionId}/fork',
    scope: 'write',
    summary: 'Fork a session',
    description:
      'A new session with the same agent and settings. Its log begins with the events of this one, up to the end of a turn, and its own events follow them. It has a git work tree and a branch of its own, with the files as they were after that turn. The agent forks its own session if it can and the fork has all turns; otherwise it gets the conversation as text with the first prompt: see `GET …/primer`. The session that was forked cannot be removed before its forks.',
    body: forkSessionSchema,
    status: 201,
    response: 'The fork is active.',
    output: createdSessionSchema,
    errors: [
      ...START_ERRORS,
      'turn_not_found',
      'turn_running',
      'checkpoint_not_found',
      'workspace_missing',
    ],
    rpc: { answer: '`CreatedSession`.' },
  },
  'session/primer': {
    rest: 'GET /api/sessions/{sessionId}/primer',
    operationId: 'getPrimer',
    scope: 'read',
    summary: 'The conversation as the agent gets it with the next prompt',
    description:
      'An agent that has no memory of the conversation, as in most forks, gets it as text with the next prompt. Empty when the agent remembers.',
    response: 'The text.',
    output: primerSchema,
  },
} satisfies Commands
