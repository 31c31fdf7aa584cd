// Schemas of the entries of an exported transcript.
import { z } from 'zod'
import { failureSchema } from '../events/event-schemas.js'

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

function entry<const Role extends string, Shape extends z.ZodRawShape>(role: Role, shape: Shape) {
  return z.object({ role: z.literal(role), ...shape, timestamp: z.iso.datetime() })
}
