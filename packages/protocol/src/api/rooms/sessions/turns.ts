// Declares the commands for prompts: sending them, ending the running turn, and the prompts that wait.
import { z } from 'zod'
import { contentBlockSchema } from '../../../acp/acp-schemas.js'
import type { ContentBlock } from '../../../acp/acp.js'
import type { Shape } from '../../../shape.js'
import { type Commands, LIVE_SESSION_ERRORS } from '../../command.js'
import { hasSome, optional } from '../../fields.js'
import { sessionSummarySchema } from './sessions.js'

const block: z.ZodType<ContentBlock, ContentBlock> = contentBlockSchema

const MEDIA_TYPE = 'The mimeType of an image begins with image/, and that of audio with audio/.'
const MEDIA_DATA = 'data is not base64. Send it without line breaks and without a data: prefix.'
const promptBlock = block.refine(hasMediaType, MEDIA_TYPE).refine(hasMediaData, MEDIA_DATA)

/** A prompt is sent as text or as blocks. */
export const promptContentShape = {
  text: optional(z.string().refine((text) => text.trim() !== '', 'The prompt is empty.')),
  prompt: optional(z.array(promptBlock).min(1, 'The prompt is empty.')),
}
const promptShape = {
  ...promptContentShape,
  id: optional(
    z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'id has 1 to 128 characters: letters, digits and . _ : -'),
  ),
}
export const ONE_PROMPT = 'Send either text or prompt (a list of content blocks).'

export const promptSchema = z.strictObject(promptShape).refine(hasOnePrompt, ONE_PROMPT)
export type PromptInput = z.infer<typeof promptSchema>

/** The content blocks of a prompt that was sent as text or as blocks. */
export function promptBlocks({
  text,
  prompt,
}: Pick<PromptInput, 'text' | 'prompt'>): readonly ContentBlock[] {
  return prompt ?? [{ type: 'text', text: text ?? '' }]
}

export const promptAcceptedSchema = z.object({
  turnId: z.string(),
  seq: z.int().min(1),
  queued: z.boolean(),
})
/** The answer to a committed prompt; `queued` means another turn runs before it. */
export type PromptAccepted = Shape<typeof promptAcceptedSchema>

/** Without `turnId`, the running turn. */
export const cancelSchema = z.strictObject({
  turnId: optional(z.string().min(1)),
  pausesQueue: optional(z.boolean(), 'Queued prompts are held back until one is sent with `now`.'),
})

const editQueuedShape = {
  text: promptShape.text,
  prompt: promptShape.prompt,
  before: optional(z.string().min(1).nullable()),
  now: optional(z.literal(true)),
}
const hasEdit = hasSome(editQueuedShape)
const ONE_EDIT = 'Send at least one of text, prompt, before and now.'

/** Changes a waiting prompt: its text, its position, or sends it at once. */
export const editQueuedSchema = z
  .strictObject(editQueuedShape)
  .refine(hasEdit, ONE_EDIT)
  .refine(hasAtMostOnePrompt, ONE_PROMPT)

/** A prompt that still waits for its turn. */
export const queuedPromptSchema = z.object({
  turnId: z.string(),
  prompt: z.array(block),
  by: optional(z.string()),
  queuedAt: z.iso.datetime(),
})
export type QueuedPrompt = Shape<typeof queuedPromptSchema>
export const queueSchema = z.object({ queue: z.array(queuedPromptSchema) })

const WRITABLE_ERRORS = [...LIVE_SESSION_ERRORS, 'session_archived'] as const
/** Codes of every command that takes a prompt. */
export const CONTENT_ERRORS = [
  'content_not_supported',
  'file_unreadable',
  'prompt_refused',
] as const

export const turnCommands = {
  'session/prompt': {
    rest: 'POST /api/sessions/{sessionId}/prompt',
    operationId: 'prompt',
    scope: 'write',
    summary: 'Send a prompt',
    description:
      'Either `text`, or `prompt` with content blocks. Images, audio and embedded resources are refused unless the agent declares them. The hub answers after the commit. Repeating an `id` with the same content returns the same turn. At most 16 prompts are queued.',
    body: promptSchema,
    status: 202,
    response: 'The prompt is stored. With `queued` it waits for an earlier turn to end.',
    output: promptAcceptedSchema,
    errors: [...WRITABLE_ERRORS, 'turn_id_taken', ...CONTENT_ERRORS, 'queue_full'],
    rpc: { answer: '`PromptAccepted`.' },
  },
  'session/cancel': {
    rest: 'POST /api/sessions/{sessionId}/cancel',
    operationId: 'cancelTurn',
    scope: 'write',
    summary: 'Cancel the running turn',
    description:
      'Responds when the turn has ended; the session stays active. With `turnId`, nothing happens unless that turn is running. The queue continues, unless `pausesQueue` is set.',
    body: cancelSchema,
    response: 'The turn has ended.',
    output: sessionSummarySchema,
    errors: LIVE_SESSION_ERRORS,
    rpc: { answer: '`SessionSummary` when the turn has ended.' },
  },
  'session/queue': {
    rest: 'GET /api/sessions/{sessionId}/queue',
    operationId: 'getQueue',
    scope: 'read',
    summary: 'The queued prompts',
    response: 'The queue, in the order in which it will run.',
    output: queueSchema,
    rpc: { answer: '`Queue`.' },
  },
  'queue/edit': {
    rest: 'PATCH /api/sessions/{sessionId}/queue/{turnId}',
    operationId: 'editQueued',
    scope: 'write',
    summary: 'Edit, move or send a queued prompt',
    description:
      '`before` names the turn to move it in front of; null moves it to the end. `now` cancels the running turn and sends this prompt next.',
    body: editQueuedSchema,
    response: 'The changed queue.',
    output: queueSchema,
    errors: [...WRITABLE_ERRORS, 'turn_not_waiting', ...CONTENT_ERRORS],
    rpc: { answer: '`Queue`, changed.' },
  },
  'queue/remove': {
    rest: 'DELETE /api/sessions/{sessionId}/queue/{turnId}',
    operationId: 'removeQueued',
    scope: 'write',
    summary: 'Remove a queued prompt',
    response: 'The changed queue.',
    output: queueSchema,
    errors: [...LIVE_SESSION_ERRORS, 'turn_not_waiting'],
    rpc: { answer: '`Queue`, changed.' },
  },
  'queue/clear': {
    rest: 'DELETE /api/sessions/{sessionId}/queue',
    scope: 'write',
    summary: 'Remove all queued prompts',
    response: 'The queue is empty.',
    output: queueSchema,
    errors: [...LIVE_SESSION_ERRORS, 'turn_not_waiting'],
    rpc: { answer: '`Queue`, changed.' },
  },
} satisfies Commands

/** A wrong type would let a picture pass as a web page. */
function hasMediaType(content: ContentBlock): boolean {
  if (content.type !== 'image' && content.type !== 'audio') return true
  return content.mimeType.toLowerCase().startsWith(`${content.type}/`)
}

/** A missing `data` is another problem: an image may be uploaded first. */
function hasMediaData(content: ContentBlock): boolean {
  if (content.type !== 'image' && content.type !== 'audio') return true
  const { data = '' } = content
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
}

export function hasOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return (text === undefined) !== (prompt === undefined)
}

function hasAtMostOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return text === undefined || prompt === undefined
}
