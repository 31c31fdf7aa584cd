// Declares the commands for prompts: sending them, ending the running turn, and the prompts that wait.
import { z } from 'zod'
import { contentBlockSchema } from '../acp/acp-schemas.js'
import type { ContentBlock } from '../acp/acp.js'
import type { Shape } from '../shape.js'
import { type Commands, LIVE_SESSION_ERRORS } from './command.js'
import { hasSome } from './fields.js'
import { sessionSummarySchema } from './sessions.js'

const block: z.ZodType<ContentBlock, ContentBlock> = contentBlockSchema

const promptShape = {
  text: z
    .string()
    .refine((text) => text.trim() !== '', 'The prompt is empty.')
    .exactOptional(),
  prompt: z.array(block).min(1, 'The prompt is empty.').exactOptional(),
  id: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'id has 1 to 128 characters: letters, digits and . _ : -')
    .exactOptional(),
}
const ONE_PROMPT = 'Send either text or prompt (a list of content blocks).'

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
  turnId: z.string().min(1).exactOptional(),
  pausesQueue: z
    .boolean()
    .exactOptional()
    .describe('What waits is held back until one of it is sent with `now`.'),
})

const editQueuedShape = {
  text: promptShape.text,
  prompt: promptShape.prompt,
  before: z.string().min(1).nullable().exactOptional(),
  now: z.literal(true).exactOptional(),
}
const hasEdit = hasSome(editQueuedShape)
const ONE_EDIT = 'Say what to change: text, prompt, before or now.'

/** Changes a waiting prompt: its text, its position, or sends it at once. */
export const editQueuedSchema = z
  .strictObject(editQueuedShape)
  .refine(hasEdit, ONE_EDIT)
  .refine(hasAtMostOnePrompt, ONE_PROMPT)
export type EditQueuedInput = z.infer<typeof editQueuedSchema>

/** A prompt that still waits for its turn. */
export const queuedPromptSchema = z.object({
  turnId: z.string(),
  prompt: z.array(block),
  by: z.string().exactOptional(),
  queuedAt: z.iso.datetime(),
})
export type QueuedPrompt = Shape<typeof queuedPromptSchema>
export const queueSchema = z.object({ queue: z.array(queuedPromptSchema) })

export const turnCommands = {
  'session/prompt': {
    rest: 'POST /api/sessions/{sessionId}/prompt',
    operationId: 'prompt',
    scope: 'write',
    tag: 'Turns',
    summary: 'Send a prompt',
    description:
      'Either `text`, or `prompt` with content blocks. Committed when it answers. The same `id` again, even at the same time, is the same turn. At most 16 prompts wait.',
    body: promptSchema,
    status: 202,
    response: 'Accepted; the turn runs, or waits when `queued`.',
    output: promptAcceptedSchema,
    errors: [...LIVE_SESSION_ERRORS, 'file_unreadable', 'queue_full'],
    rpc: { answer: '`PromptAccepted`.' },
  },
  'session/cancel': {
    rest: 'POST /api/sessions/{sessionId}/cancel',
    operationId: 'cancelTurn',
    scope: 'write',
    tag: 'Turns',
    summary: 'Stop the running turn',
    description:
      'Answers when it has ended; the session stays active. With `turnId` only if it is that turn which runs.',
    body: cancelSchema,
    response: 'Nothing of that turn runs any more.',
    output: sessionSummarySchema,
    errors: LIVE_SESSION_ERRORS,
    rpc: { answer: '`SessionSummary` when the turn has ended.' },
  },
  'session/queue': {
    rest: 'GET /api/sessions/{sessionId}/queue',
    operationId: 'getQueue',
    scope: 'read',
    tag: 'Turns',
    summary: 'The prompts that wait',
    response: 'In the order in which they will run.',
    output: queueSchema,
    errors: ['session_not_found'],
    rpc: { answer: '`Queue`.' },
  },
  'queue/edit': {
    rest: 'PATCH /api/sessions/{sessionId}/queue/{turnId}',
    operationId: 'editQueued',
    scope: 'write',
    tag: 'Turns',
    summary: 'Edit or move a prompt that waits, or send it now',
    description:
      '`before` is the turn it moves in front of, null for the end. `now` cancels what runs and goes first.',
    body: editQueuedSchema,
    response: 'The queue as it is now.',
    output: queueSchema,
    errors: [...LIVE_SESSION_ERRORS, 'turn_not_found', 'turn_not_waiting', 'file_unreadable'],
    rpc: { answer: '`Queue` as it is now.' },
  },
  'queue/remove': {
    rest: 'DELETE /api/sessions/{sessionId}/queue/{turnId}',
    operationId: 'removeQueued',
    scope: 'write',
    tag: 'Turns',
    summary: 'Remove a prompt that waits',
    response: 'The queue as it is now.',
    output: queueSchema,
    errors: [...LIVE_SESSION_ERRORS, 'turn_not_found', 'turn_not_waiting'],
    rpc: { answer: '`Queue` as it is now.' },
  },
  'queue/clear': {
    rest: 'DELETE /api/sessions/{sessionId}/queue',
    operationId: 'clearQueue',
    scope: 'write',
    tag: 'Turns',
    summary: 'Remove all prompts that wait',
    response: 'The queue is empty.',
    output: queueSchema,
    errors: [...LIVE_SESSION_ERRORS, 'turn_not_waiting'],
    rpc: { answer: '`Queue` as it is now.' },
  },
} satisfies Commands

function hasOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return (text === undefined) !== (prompt === undefined)
}

function hasAtMostOnePrompt({ text, prompt }: { text?: unknown; prompt?: unknown }): boolean {
  return text === undefined || prompt === undefined
}
