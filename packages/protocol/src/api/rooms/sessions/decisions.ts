// Declares the commands for decisions that agents leave to people: permissions, questions and options.
import { z } from 'zod'
import { permissionOptionSchema, toolCallFieldsSchema } from '../../../acp/acp-schemas.js'
import { eventDataSchemas } from '../../../events/event-schemas.js'
import type { Shape } from '../../../shape.js'
import { type Commands, LIVE_SESSION_ERRORS } from '../../command.js'
import { optional } from '../../fields.js'

export const answerPermissionSchema = z
  .strictObject({
    optionId: optional(z.string().min(1, 'optionId is empty.')),
    outcome: optional(z.literal('cancelled', 'The only outcome besides an option is "cancelled".')),
  })
  .refine(
    ({ optionId, outcome }) => (optionId === undefined) !== (outcome === undefined),
    'Send either optionId or outcome: "cancelled".',
  )

export const answerQuestionSchema = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel'], 'action is accept, decline or cancel.'),
  content: optional(z.record(z.string(), z.unknown())),
})

export const setOptionSchema = z.strictObject({
  value: z.union([z.string(), z.boolean()], 'value is a text, or true or false.'),
})

export const pendingPermissionSchema = z.object({
  permissionId: z.string(),
  turnId: optional(z.string()),
  toolCall: toolCallFieldsSchema,
  options: z.array(permissionOptionSchema),
  requestedAt: z.iso.datetime(),
  expiresAt: optional(
    z.iso.datetime(),
    'When the hub stops waiting; absent when it waits for ever.',
  ),
})
/** A permission that waits for an answer. */
export type PendingPermission = Shape<typeof pendingPermissionSchema>
export const permissionListSchema = z.object({ permissions: z.array(pendingPermissionSchema) })
export const permissionResolutionSchema = eventDataSchemas['permission.resolved']

export const pendingQuestionSchema = z.object({
  questionId: z.string(),
  message: z.string(),
  mode: z.string(),
  requestedSchema: z.unknown().optional(),
  url: optional(z.string()),
  elicitationId: optional(z.string()),
  askedAt: z.iso.datetime(),
  expiresAt: optional(z.iso.datetime()),
})
/** A question that waits for an answer. */
export type PendingQuestion = Shape<typeof pendingQuestionSchema>
export const questionListSchema = z.object({ questions: z.array(pendingQuestionSchema) })
export const questionAnsweredSchema = eventDataSchemas['question.answered']
export const optionSetSchema = eventDataSchemas['option.set']

export const decisionCommands = {
  'permission/list': {
    rest: 'GET /api/sessions/{sessionId}/permissions',
    scope: 'read',
    summary: 'The open permissions',
    response:
      'The permissions that wait for an answer. `toolCall` has everything that the agent sent about the call, not only the request.',
    output: permissionListSchema,
  },
  'permission/answer': {
    rest: 'POST /api/sessions/{sessionId}/permissions/{permissionId}',
    scope: 'write',
    summary: 'Answer a permission',
    description:
      'Send one of its options, or `outcome: "cancelled"`. The first answer counts: later ones are rejected with `permission_not_pending` and the first answer. After `unknown_option` the permission is still open.',
    body: answerPermissionSchema,
    response: 'The answer is stored.',
    output: permissionResolutionSchema,
    errors: [...LIVE_SESSION_ERRORS, 'permission_not_pending', 'unknown_option'],
    rpc: { answer: '`PermissionResolution`.' },
  },
  'question/list': {
    rest: 'GET /api/sessions/{sessionId}/questions',
    scope: 'read',
    summary: 'The open questions',
    response: 'The questions that wait for an answer.',
    output: questionListSchema,
  },
  'question/answer': {
    rest: 'POST /api/sessions/{sessionId}/questions/{questionId}',
    scope: 'write',
    summary: 'Answer a question',
    description:
      '`content` has the fields of `requestedSchema`. After `wrong_answer` the question is still open.',
    body: answerQuestionSchema,
    response: 'The answer is stored.',
    output: questionAnsweredSchema,
    errors: [...LIVE_SESSION_ERRORS, 'question_not_pending', 'wrong_answer'],
    rpc: { answer: '`QuestionAnswered`.' },
  },
  'option/set': {
    rest: 'PUT /api/sessions/{sessionId}/options/{optionId}',
    scope: 'write',
    summary: 'Set a mode, a model or another option of the agent',
    description: 'The options and their values are in the event `agent.started`.',
    body: setOptionSchema,
    response: 'The option is set.',
    output: optionSetSchema,
    errors: [
      ...LIVE_SESSION_ERRORS,
      'session_archived',
      'invalid_settings',
      'agent_failed',
      'agent_timeout',
    ],
    rpc: { answer: '`OptionSet`.' },
  },
} satisfies Commands
