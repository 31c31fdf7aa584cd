// Schemas of what clients send: bodies, query strings and WebSocket params. Unknown keys are refused by name.
import { z } from 'zod'
import { contentBlockSchema } from '../acp/acp-schemas.js'
import type { ContentBlock } from '../acp/acp.js'
import { SESSION_STATUSES } from '../events/events.js'
import { terminalParamsSchemas } from './terminal-schemas.js'

const sessionId = { sessionId: requiredText('sessionId is missing.') }
const seqCursor = z.int('after is a whole number from 0.').min(0, 'after is a whole number from 0.')

const permissionRuleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  kind: z.string().min(1).exactOptional(),
  path: z.string().min(1).exactOptional(),
  command: z.string().min(1).exactOptional(),
})

/** What the hub itself reads of a session's settings; the rest belongs to the agent's extension. */
export const sessionSettingsSchema = z.looseObject({
  permissions: z
    .strictObject({
      mode: z.enum(['ask', 'auto']).default('ask'),
      rules: z.array(permissionRuleSchema).max(100).default([]),
    })
    .exactOptional(),
  cwd: z.string().min(1).max(4096).exactOptional(),
  mcpServers: z
    .array(z.looseObject({ name: z.string().min(1) }))
    .max(50)
    .exactOptional(),
})
export type SessionSettings = z.infer<typeof sessionSettingsSchema>
export type PermissionRule = z.infer<typeof permissionRuleSchema>

export const createSessionSchema = z.strictObject({
  repoId: requiredText('repoId is the id of a repository.'),
  extensionId: z.string().min(1).max(128).exactOptional(),
  title: z
    .string()
    .trim()
    .min(1, 'A title has 1 to 200 characters.')
    .max(200, 'A title has 1 to 200 characters.')
    .exactOptional(),
  settings: sessionSettingsSchema.exactOptional(),
})
export type CreateSessionInput = z.infer<typeof createSessionSchema>

const promptShape = {
  text: z
    .string()
    .refine((text) => text.trim() !== '', 'The prompt is empty.')
    .exactOptional(),
  prompt: z.array(contentBlockSchema).min(1, 'The prompt is empty.').exactOptional(),
  id: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'id has 1 to 128 characters: letters, digits and . _ : -')
    .exactOptional(),
}
const ONE_PROMPT = 'Send either text or prompt (a list of content blocks).'

export const promptSchema = z.strictObject(promptShape).refine(hasOnePrompt, ONE_PROMPT)
export type PromptInput = z.infer<typeof promptSchema>

/** A prompt's content blocks, whichever way it was sent. */
export function promptBlocks({
  text,
  prompt,
}: Pick<PromptInput, 'text' | 'prompt'>): readonly ContentBlock[] {
  return prompt ?? [{ type: 'text', text: text ?? '' }]
}

const answerShape = {
  optionId: z.string().min(1, 'optionId is empty.').exactOptional(),
  outcome: z
    .literal('cancelled', 'The only outcome besides an option is "cancelled".')
    .exactOptional(),
}
const ONE_ANSWER = 'Send either optionId or outcome: "cancelled".'

export const answerPermissionSchema = z.strictObject(answerShape).refine(hasOneAnswer, ONE_ANSWER)
export type AnswerPermissionInput = z.infer<typeof answerPermissionSchema>

const questionShape = {
  action: z.enum(['accept', 'decline', 'cancel'], 'action is accept, decline or cancel.'),
  content: z.record(z.string(), z.unknown()).exactOptional(),
}
export const answerQuestionSchema = z.strictObject(questionShape)
export type AnswerQuestionInput = z.infer<typeof answerQuestionSchema>

const optionShape = {
  value: z.union([z.string(), z.boolean()], 'value is a text, or true or false.'),
}
export const setOptionSchema = z.strictObject(optionShape)

export const authenticateSchema = z.strictObject({
  methodId: z.string().min(1, 'methodId is missing.'),
})

const editQueuedShape = {
  text: promptShape.text,
  prompt: promptShape.prompt,
  before: z.string().min(1).nullable().exactOptional(),
  now: z.literal(true).exactOptional(),
}
const hasEdit = hasSome(editQueuedShape)
const ONE_EDIT = 'Say what to change: text, prompt, before or now.'

/** How a waiting prompt is changed: its text, its place, or sent at once. */
export const editQueuedSchema = z
  .strictObject(editQueuedShape)
  .refine(hasEdit, ONE_EDIT)
  .refine(hasAtMostOnePrompt, ONE_PROMPT)
export type EditQueuedInput = z.infer<typeof editQueuedSchema>

const patchSessionShape = {
  title: z.string().trim().min(1).max(200).nullable().exactOptional(),
  pinned: z.boolean().exactOptional(),
  archived: z.boolean().exactOptional(),
  settings: sessionSettingsSchema.exactOptional(),
}
const hasChange = hasSome(patchSessionShape)
const ONE_CHANGE = 'Say what to change.'

export const patchSessionSchema = z.strictObject(patchSessionShape).refine(hasChange, ONE_CHANGE)

export const deleteSessionQuerySchema = z.strictObject({
  purge: z.enum(['true', 'false'], 'purge is true or false.').default('false'),
})

export const timelineQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 500).default(60),
  before: wholeNumber('before', 1, Number.MAX_SAFE_INTEGER).exactOptional(),
})

export const browseQuerySchema = z.strictObject({ path: z.string().max(4096).exactOptional() })

export const eventsQuerySchema = z.strictObject({
  after: wholeNumber('after', 0, Number.MAX_SAFE_INTEGER).default(0),
  limit: wholeNumber('limit', 1, 1000).default(500),
})

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

export const listSessionsQuerySchema = z
  .strictObject({
    repoId: z.string().min(1).exactOptional(),
    extensionId: z.string().min(1).exactOptional(),
    status: z
      .string()
      .transform((list) => list.split(','))
      .pipe(
        z.array(z.enum(SESSION_STATUSES, `status is a list of ${SESSION_STATUSES.join(', ')}.`)),
      )
      .exactOptional(),
    archived: z
      .enum(['false', 'true', 'any'], 'archived is false (the default), true or any.')
      .default('false'),
    /** Words to look for in titles, prompts and answers. Any text is a valid search. */
    q: z.string().exactOptional(),
    limit: wholeNumber('limit', 1, 100).default(20),
    offset: wholeNumber('offset', 0, Number.MAX_SAFE_INTEGER).default(0),
    cursor: z.string().min(1).max(512).exactOptional(),
  })
  .refine(
    ({ offset, cursor }) => offset === 0 || cursor === undefined,
    'Send either offset or cursor.',
  )
export type ListSessionsQuery = z.infer<typeof listSessionsQuerySchema>

export const sessionPromptSchema = z
  .strictObject({ ...sessionId, ...promptShape })
  .refine(hasOnePrompt, ONE_PROMPT)
const oneSessionSchema = z.strictObject(sessionId)
const cancelShape = {
  turnId: z.string().min(1).exactOptional(),
  pausesQueue: z
    .boolean()
    .exactOptional()
    .describe('What waits is held back until one of it is sent with `now`.'),
}
/** Without `turnId`, whatever runs. */
export const cancelSchema = z.strictObject(cancelShape)
const ms = z.int().min(0, 'A time is in milliseconds since 1970.')
const rangeShape = {
  after: seqCursor.exactOptional(),
  limit: z.int().min(0).exactOptional(),
  since: ms.exactOptional(),
  before: ms.exactOptional(),
}
/** Where to begin: after an event, with the last `limit` turns, after a time; `before` ends it there. */
export type FollowWish = Partial<Record<keyof typeof rangeShape, number>>
export const followSchema = z.strictObject({ ...sessionId, ...rangeShape })
/** The same in the address of the socket: it follows as soon as it is open. */
export const followQuerySchema = z.strictObject({
  sessionId: z.string().min(1).exactOptional(),
  after: digits('after'),
  limit: digits('limit'),
  since: digits('since'),
  before: digits('before'),
})
export const permissionAnswerSchema = z
  .strictObject({
    ...sessionId,
    permissionId: requiredText('permissionId is missing.'),
    ...answerShape,
  })
  .refine(hasOneAnswer, ONE_ANSWER)

export const questionAnswerSchema = z.strictObject({
  ...sessionId,
  questionId: z.string().min(1, 'questionId is missing.'),
  ...questionShape,
})

const sessionDeleteSchema = z.strictObject({ ...sessionId, purge: z.boolean().exactOptional() })
const sessionChangeSchema = z
  .strictObject({ ...sessionId, ...patchSessionShape })
  .refine(hasChange, ONE_CHANGE)

const queuedTurn = { ...sessionId, turnId: requiredText('turnId is missing.') }
const queueEditSchema = z
  .strictObject({ ...queuedTurn, ...editQueuedShape })
  .refine(hasEdit, ONE_EDIT)
  .refine(hasAtMostOnePrompt, ONE_PROMPT)

const optionSetSchema = z.strictObject({
  ...sessionId,
  optionId: requiredText('optionId is missing.'),
  ...optionShape,
})

/** The params of each WebSocket request. */
export const socketParamsSchemas = {
  'session/new': createSessionSchema,
  'session/prompt': sessionPromptSchema,
  'session/cancel': z.strictObject({ ...sessionId, ...cancelShape }),
  'session/complete': oneSessionSchema,
  'session/resume': oneSessionSchema,
  'session/delete': sessionDeleteSchema,
  'session/change': sessionChangeSchema,
  'session/queue': oneSessionSchema,
  'session/follow': followSchema,
  'session/unfollow': oneSessionSchema,
  'sessions/watch': z.strictObject({}),
  'page/visible': z.strictObject({ visible: z.boolean('visible is true or false.') }),
  'queue/edit': queueEditSchema,
  'queue/remove': z.strictObject(queuedTurn),
  'queue/clear': oneSessionSchema,
  'option/set': optionSetSchema,
  'permission/answer': permissionAnswerSchema,
  'question/answer': questionAnswerSchema,
  ...terminalParamsSchemas,
} as const

export type SocketMethod = keyof typeof socketParamsSchemas

function hasOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return (text === undefined) !== (prompt === undefined)
}

function hasAtMostOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return text === undefined || prompt === undefined
}

/** Whether an input has any key of the shape. */
function hasSome(shape: object): (input: object) => boolean {
  return (input) => Object.keys(shape).some((key) => key in input)
}

function hasOneAnswer({ optionId, outcome }: { optionId?: unknown; outcome?: unknown }): boolean {
  return (optionId === undefined) !== (outcome === undefined)
}

function digits(name: string) {
  return wholeNumber(name, 0, Number.MAX_SAFE_INTEGER).exactOptional()
}

function requiredText(message: string) {
  return z.string(message).min(1, message)
}

export function wholeNumber(name: string, min: number, max: number) {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
  const message = `${name} is a whole number ${range}.`
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

function readSince(value: string): Since | undefined {
  const seq = /^seq:(\d{1,15})$/.exec(value)?.[1]
  if (seq !== undefined) return { by: 'seq', seq: Number(seq) }
  if (/^\d{1,15}$/.test(value)) return { by: 'time', at: Number(value) }
  const at = ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : { by: 'time', at }
}
