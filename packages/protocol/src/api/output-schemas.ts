// Schemas of what the API answers; the OpenAPI document is made from them.
import { z } from 'zod'
import {
  contentBlockSchema,
  permissionOptionSchema,
  permissionOutcomeSchema,
  toolCallFieldsSchema,
} from '../acp/acp-schemas.js'
import { terminalSchema } from './terminal-schemas.js'
import { warmStateSchema } from './process-schemas.js'
import { lastProbeSchema } from './agent-schemas.js'
import { eventDataSchemas, sessionEventSchema } from '../events/event-schemas.js'

const time = z.iso.datetime()
const record = z.record(z.string(), z.unknown())

export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() })

export const repoSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  branch: z.string().exactOptional(),
  missing: z.boolean(),
  createdAt: time,
})
export const repoListSchema = z.object({ repos: z.array(repoSchema) })

export const extensionSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string().exactOptional(),
  enabled: z.boolean(),
  isOwn: z.literal(true).exactOptional().describe('It is in the data directory.'),
  state: z.enum(['enabled', 'disabled', 'broken']),
  problem: z.string().exactOptional(),
  installed: z.boolean().exactOptional(),
  warm: warmStateSchema.exactOptional(),
  lastProbe: lastProbeSchema.exactOptional().describe('Since the hub started.'),
})
export const extensionListSchema = z.object({
  extensions: z.array(extensionSchema),
  problems: z.array(z.object({ file: z.string(), problem: z.string() })),
})
export const extensionDetailSchema = extensionSchema.extend({
  website: z.string().exactOptional(),
  install: z.string().exactOptional(),
  pathEnv: z.string().exactOptional(),
  processModel: z.enum(['per-session', 'shared']).exactOptional(),
  services: z.array(z.enum(['fs', 'terminal'])).exactOptional(),
  auth: z
    .object({
      env: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          url: z.string().exactOptional(),
          isSet: z.boolean(),
        }),
      ),
      terminal: z.object({ args: z.array(z.string()) }).exactOptional(),
    })
    .exactOptional(),
})
export const authenticationSchema = z.object({
  authenticated: z.boolean(),
  terminal: terminalSchema.exactOptional().describe('Where a person signs in.'),
})

export const sessionSummarySchema = z.object({
  id: z.string(),
  repoId: z.string(),
  extensionId: z.string(),
  status: z.enum(['active', 'completed', 'cancelled', 'error']),
  activity: z.enum(['starting', 'idle', 'working', 'waiting']).exactOptional(),
  step: z
    .discriminatedUnion('type', [
      z.object({ type: z.enum(['permission', 'question']) }),
      z.object({
        type: z.literal('tool'),
        kind: z.string(),
        title: z.string(),
        path: z.string().exactOptional(),
      }),
    ])
    .exactOptional()
    .describe('What it waits for, or the tool call it is in the middle of.'),
  title: z.string().nullable(),
  metadata: record,
  lastSeq: z.int().min(0),
  pinned: z.boolean(),
  archived: z.boolean(),
  turnCount: z.int().min(0),
  messageCount: z.int().min(0),
  createdAt: time,
  updatedAt: time,
  endedAt: time.nullable(),
})
const excerptPartSchema = z.object({ text: z.string(), match: z.boolean() })
export const sessionListSchema = z.object({
  sessions: z.array(
    sessionSummarySchema.extend({
      excerpt: z.array(excerptPartSchema).exactOptional(),
      foundSeq: z.int().min(1).exactOptional(),
    }),
  ),
  total: z.int().min(0),
  totalIsCapped: z.boolean().exactOptional(),
  limit: z.int(),
  offset: z.int(),
  nextCursor: z.string().exactOptional(),
  maxActive: z.int().exactOptional().describe('How many sessions may be active at once.'),
  extensionIds: z
    .array(z.string())
    .exactOptional()
    .describe('The agents that have sessions, whichever are asked for.'),
})

export const messageContentSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string(),
    partial: z.boolean().exactOptional(),
    blocks: z.array(contentBlockSchema).exactOptional(),
  }),
  z.object({ type: z.literal('thought'), text: z.string(), partial: z.boolean() }),
  z.object({
    type: z.literal('image'),
    mimeType: z.string(),
    url: z.string().exactOptional(),
    data: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('plan'), steps: z.array(z.unknown()) }),
  z.object({
    type: z.literal('tool'),
    tool: z.string(),
    args: z.unknown(),
    result: z.unknown(),
    toolCallId: z.string(),
    title: z.string(),
    kind: z.string(),
    status: z.string(),
    partial: z.boolean(),
  }),
  z.object({
    type: z.literal('permission'),
    permissionId: z.string(),
    title: z.string(),
    options: z.array(permissionOptionSchema),
    outcome: permissionOutcomeSchema.nullable(),
    by: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('status'), text: z.string(), details: z.unknown().optional() }),
  z.object({
    type: z.literal('error'),
    text: z.string(),
    code: z.string(),
    details: z.unknown().optional(),
  }),
])

export const messageSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  role: z.enum(['user', 'agent', 'system']),
  content: messageContentSchema,
  seq: z.int().min(1),
  updatedSeq: z.int().min(1),
  timestamp: time,
  updatedAt: time,
})
export const messageListSchema = z.array(messageSchema)

export const sessionDetailSchema = sessionSummarySchema.extend({
  repo: repoSchema,
  settings: record.exactOptional().describe('What was chosen; else the defaults of the agent.'),
  messages: messageListSchema,
})

export const eventPageSchema = z.object({
  events: z.array(sessionEventSchema),
  lastSeq: z.int().min(0),
})

export const pendingPermissionSchema = z.object({
  permissionId: z.string(),
  turnId: z.string().exactOptional(),
  toolCall: toolCallFieldsSchema,
  options: z.array(permissionOptionSchema),
  requestedAt: time,
})
export const permissionListSchema = z.object({ permissions: z.array(pendingPermissionSchema) })
export const permissionResolutionSchema = eventDataSchemas['permission.resolved']

export const pendingQuestionSchema = z.object({
  questionId: z.string(),
  message: z.string(),
  mode: z.string(),
  requestedSchema: z.unknown().optional(),
  url: z.string().exactOptional(),
  elicitationId: z.string().exactOptional(),
  askedAt: time,
})
export const questionListSchema = z.object({ questions: z.array(pendingQuestionSchema) })
export const questionAnsweredSchema = eventDataSchemas['question.answered']
export const optionSetSchema = eventDataSchemas['option.set']

/** A prompt that still waits for its turn. */
export const queuedPromptSchema = z.object({
  turnId: z.string(),
  prompt: z.array(contentBlockSchema),
  by: z.string().exactOptional(),
  queuedAt: time,
})
export const queueSchema = z.object({ queue: z.array(queuedPromptSchema) })

export const promptAcceptedSchema = z.object({
  turnId: z.string(),
  seq: z.int().min(1),
  queued: z.boolean(),
})

export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: record.exactOptional(),
  }),
})
