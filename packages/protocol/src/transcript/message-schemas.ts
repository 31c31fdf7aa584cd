// The content of a message row, by its `type`.
import { z } from 'zod'
import {
  contentBlockSchema,
  permissionOptionSchema,
  permissionOutcomeSchema,
} from '../acp/acp-schemas.js'
import type { ContentBlock } from '../acp/acp.js'
import type { Shape } from '../shape.js'

export const MESSAGE_ROLES = ['user', 'agent', 'system'] as const
export type MessageRole = (typeof MESSAGE_ROLES)[number]

export const messageContentSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string(),
    partial: z.boolean().exactOptional(),
    blocks: z.array(contentBlockSchema as z.ZodType<ContentBlock>).exactOptional(),
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
export type MessageContent = Shape<typeof messageContentSchema>
