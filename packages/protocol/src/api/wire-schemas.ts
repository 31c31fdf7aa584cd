// The lines between the hub and an agent.
import { z } from 'zod'
import type { Shape } from '../shape.js'

/** One line between the hub and an agent, without secrets. */
export const wireFrameSchema = z.object({
  /** When it passed, in ms since 1970. */
  at: z.number(),
  /** As the hub sees it: `in` is a line that the agent wrote. */
  direction: z.enum(['in', 'out', 'stderr']),
  process: z.string(),
  /** The first characters of our session's id, or of the agent's own while ours is not known. */
  session: z.string().exactOptional(),
  /** The whole id that `session` begins. */
  sessionId: z.string().exactOptional(),
  /** A JSON-RPC message; a line that is none is a string. */
  frame: z.unknown(),
  bytes: z.int().min(0),
  /** Only its beginning was kept. */
  cut: z.literal(true).exactOptional(),
  faults: z
    .array(z.string())
    .exactOptional()
    .describe('Violations of ACP’s schema, each with its path.'),
})
export type WireFrame = Shape<typeof wireFrameSchema>
export const wireFrameListSchema = z.object({ frames: z.array(wireFrameSchema) })

export const wireFormatField = z.enum(['json', 'jsonl'], 'format is json or jsonl.').exactOptional()
