// Schemas of what is read for later: the entries of an exported transcript, and the frames of a wire.
import { z } from 'zod'
import { failureSchema } from '../events/event-schemas.js'
import { wholeNumber } from '../api/input-schemas.js'

const record = z.record(z.string(), z.unknown())

const attachmentSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['image', 'audio']),
    mimeType: z.string(),
    url: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('resource'),
    uri: z.string(),
    name: z.string().exactOptional(),
    text: z.string().exactOptional(),
  }),
])
const attachments = { attachments: z.array(attachmentSchema).exactOptional() }

/** One line of an exported transcript. */
export const transcriptEntrySchema = z.discriminatedUnion('role', [
  entry('user', {
    text: z.string(),
    by: z.string().exactOptional(),
    queued: z.literal(true).exactOptional(),
    ...attachments,
  }),
  entry('reasoning', { text: z.string() }),
  entry('assistant', { text: z.string() }),
  entry('attachment', { attachment: attachmentSchema }),
  entry('command', {
    command: z.string(),
    output: z.string(),
    status: z.string(),
    kind: z.string(),
    title: z.string().exactOptional(),
    diffs: z
      .array(z.object({ path: z.string(), oldText: z.string(), newText: z.string() }))
      .exactOptional(),
    ...attachments,
    locations: z.array(z.string()).exactOptional(),
  }),
  entry('plan', {
    entries: z.array(
      z.object({
        content: z.string(),
        status: z.string().exactOptional(),
        priority: z.string().exactOptional(),
      }),
    ),
  }),
  entry('permission', {
    title: z.string(),
    options: z.array(z.string()),
    outcome: z.enum(['pending', 'selected', 'cancelled']),
    option: z.string().exactOptional(),
    reason: z.string().exactOptional(),
    by: z.string().exactOptional(),
  }),
  entry('question', {
    text: z.string(),
    url: z.string().exactOptional(),
    outcome: z.enum(['pending', 'accept', 'decline', 'cancel']),
    answer: record.exactOptional(),
    reason: z.string().exactOptional(),
    by: z.string().exactOptional(),
  }),
  entry('status', {
    status: z.enum(['success', 'cancelled', 'stopped', 'error']),
    stop_reason: z.string().exactOptional(),
    empty: z.literal(true).exactOptional(),
    duration_ms: z.number().exactOptional(),
    error: failureSchema.exactOptional(),
  }),
  entry('notice', {
    severity: z.enum(['info', 'warning']),
    text: z.string(),
    code: z.string(),
    details: record.exactOptional(),
  }),
  entry('error', { text: z.string(), code: z.string(), details: record.exactOptional() }),
])

export const transcriptQuerySchema = z.strictObject({
  format: z.enum(['jsonl', 'md', 'html'], 'format is jsonl, md or html.').default('jsonl'),
})

/** One line between the hub and an agent, without secrets. */
export const wireFrameSchema = z.object({
  at: z.number(),
  direction: z.enum(['in', 'out', 'stderr']),
  process: z.string(),
  session: z.string().exactOptional(),
  frame: z.unknown(),
  bytes: z.int().min(0),
  cut: z.literal(true).exactOptional(),
  faults: z
    .array(z.string())
    .exactOptional()
    .describe('Where it is not as ACP says, each with its path.'),
})
export const wireFrameListSchema = z.object({ frames: z.array(wireFrameSchema) })

const wireFormat = z.enum(['json', 'jsonl'], 'format is json or jsonl.').exactOptional()
export const wireQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 200).default(50),
  format: wireFormat,
})
export const sessionWireQuerySchema = z.strictObject({
  limit: wholeNumber('limit', 1, 10_000).default(200),
  format: wireFormat,
  follow: z.enum(['true', 'false'], 'follow is true or false.').default('false'),
})

function entry<const Role extends string, Shape extends z.ZodRawShape>(role: Role, shape: Shape) {
  return z.object({ role: z.literal(role), ...shape, timestamp: z.iso.datetime() })
}
