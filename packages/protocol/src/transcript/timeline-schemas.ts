// Schemas of a timeline: the items of a transcript, as `GET /api/sessions/{id}/timeline` returns them.
import { z } from 'zod'
import {
  configOptionSchema,
  contentBlockSchema,
  permissionOptionSchema,
  permissionOutcomeSchema,
  sessionModesSchema,
} from '../acp/acp-schemas.js'
import { eventDataSchemas, failureSchema } from '../events/event-schemas.js'
import { SESSION_STATUSES } from '../events/events.js'
import type { Item } from './transcript-items.js'

const record = z.record(z.string(), z.unknown())
const meta = { _meta: record.nullable().exactOptional() }

const omitted = {
  omitted: z
    .object({ at: z.int().min(0), chars: z.int().min(1) })
    .exactOptional()
    .describe('The characters of a long text that are left out, at this position of `text`.'),
}

const agentTerminalSchema = z.object({
  terminalId: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  isRunning: z.boolean(),
  exitCode: z.number().nullable().exactOptional(),
  signal: z.string().nullable().exactOptional(),
  output: z.string().exactOptional(),
  truncated: z.boolean().exactOptional(),
})

/** The current state of one tool call. */
export const toolCallSchema = z.object({
  ...meta,
  toolCallId: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  workingDir: z.string().exactOptional(),
  name: z.string().exactOptional(),
  kind: z.string(),
  status: z.string(),
  content: z.array(
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('content'), content: contentBlockSchema }),
      z.looseObject({
        ...meta,
        type: z.literal('diff'),
        path: z.string(),
        oldText: z.string().nullable().exactOptional(),
        newText: z.string(),
      }),
      z.looseObject({ type: z.literal('terminal'), terminalId: z.string() }),
    ]),
  ),
  locations: z.array(
    z.looseObject({ path: z.string(), line: z.number().nullable().exactOptional() }),
  ),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  output: z.string().exactOptional(),
  terminals: z.array(agentTerminalSchema).exactOptional(),
  rejected: z.literal(true).exactOptional(),
})

const planEntrySchema = z.looseObject({
  ...meta,
  content: z.string(),
  priority: z.string().exactOptional(),
  status: z.string().exactOptional(),
})

/** One item of a transcript. */
export const itemSchema = z.discriminatedUnion('type', [
  item('user', {
    text: z.string(),
    blocks: z.array(contentBlockSchema),
    by: z.string().exactOptional(),
    waiting: z.boolean(),
    startedSeq: z.int().exactOptional(),
  }),
  item('text', { text: z.string(), ...omitted, messageId: z.string().exactOptional() }),
  item('thought', { text: z.string(), ...omitted, messageId: z.string().exactOptional() }),
  item('content', { block: contentBlockSchema }),
  item('tool', { call: toolCallSchema }),
  item('plan', { entries: z.array(planEntrySchema) }),
  item('permission', {
    permissionId: z.string(),
    toolCall: toolCallSchema,
    options: z.array(permissionOptionSchema),
    expiresAt: z.iso.datetime().exactOptional(),
    outcome: permissionOutcomeSchema.nullable(),
    reason: eventDataSchemas['permission.resolved'].shape.reason.exactOptional(),
    by: z.string().exactOptional(),
  }),
  item('question', {
    questionId: z.string(),
    message: z.string(),
    mode: z.string(),
    requestedSchema: z.unknown().optional(),
    url: z.string().exactOptional(),
    expiresAt: z.iso.datetime().exactOptional(),
    action: z.enum(['accept', 'decline', 'cancel']).nullable(),
    content: record.exactOptional(),
    reason: z.string().exactOptional(),
    by: z.string().exactOptional(),
  }),
  item('turn_end', {
    stopReason: z.string().exactOptional(),
    error: failureSchema.exactOptional(),
    usage: z.unknown().optional(),
    durationMs: z.number().exactOptional(),
    by: z.string().exactOptional(),
    reason: eventDataSchemas['turn.ended'].shape.reason,
    empty: z.boolean(),
  }),
  item('notice', {
    severity: z.enum(['info', 'warning', 'error']),
    code: z.string(),
    message: z.string(),
    details: record.exactOptional(),
  }),
])

export const sessionStateSchema = z.object({
  sessionId: z.string().exactOptional(),
  seq: z.int().min(0).describe('The last event of this part.'),
  status: z.enum(SESSION_STATUSES),
  title: z.string().nullable(),
  isTitleGiven: z.boolean(),
  settings: record,
  isArchived: z.boolean(),
  turn: z
    .object({
      turnId: z.string(),
      startedSeq: z.int(),
      startedAt: z.number(),
      isAnswered: z.boolean().exactOptional().describe('It has an answer so far.'),
    })
    .nullable()
    .describe('The running turn.'),
  lastTurnId: z.string().exactOptional().describe('The turn that ended last.'),
  queue: z.array(eventDataSchemas['turn.queued'].extend({ seq: z.int(), at: z.number() })),
  isQueuePaused: z.boolean(),
  run: z
    .object({
      itemId: z.string(),
      type: z.enum(['user', 'text', 'thought']),
      turnId: z.string().exactOptional(),
      messageId: z.string().exactOptional(),
    })
    .nullable()
    .describe('The item that the next chunk of text may continue.'),
  openPermissions: z.array(z.string()),
  openQuestions: z.array(z.string()),
  terminals: z
    .array(z.tuple([z.string(), agentTerminalSchema]))
    .describe('Terminals of the agent that are running, or that no tool call has shown yet.'),
  recentCalls: z
    .array(z.tuple([z.string(), z.int()]))
    .describe(
      'The tool calls that ended last, with the `seq` of their end: only these may still change.',
    ),
  unknownUpdates: z.int().describe('The number of updates that could not be read.'),
  plan: z.array(planEntrySchema),
  commands: z.array(
    z.looseObject({
      ...meta,
      name: z.string(),
      description: z.string(),
      input: z.looseObject({ hint: z.string().exactOptional() }).nullable().exactOptional(),
    }),
  ),
  modes: sessionModesSchema.nullable(),
  configOptions: z.array(configOptionSchema),
  usage: z
    .looseObject({
      used: z.number(),
      size: z.number(),
      cost: z.object({ amount: z.number(), currency: z.string() }).nullable().exactOptional(),
    })
    .nullable(),
  capabilities: record
    .nullable()
    .describe('As the agent last reported them, also while none is running.'),
  agent: eventDataSchemas['agent.started']
    .extend({ isSignedOut: z.boolean().exactOptional() })
    .nullable(),
})

export const timelineSchema = z.object({
  items: z
    .array(itemSchema as z.ZodType<Item>)
    .describe(
      'Those that changed in this part of the log, and those that were still open at its end. An item may also be in an earlier part, in an earlier state.',
    ),
  seq: z.int().min(0).describe('Follow the events after this `seq`.'),
  before: z
    .int()
    .min(1)
    .exactOptional()
    .describe('Pass it as `before` to get earlier items; absent at the beginning.'),
  state: sessionStateSchema.describe(
    'The session after the events of this part: later events are folded on from it.',
  ),
})

function item<const Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    id: z.string(),
    type: z.literal(type),
    seq: z.int().min(1),
    updatedSeq: z.int().min(1),
    at: z.number(),
    updatedAt: z.number(),
    turnId: z.string().exactOptional(),
    done: z.boolean(),
    ...shape,
  })
}
