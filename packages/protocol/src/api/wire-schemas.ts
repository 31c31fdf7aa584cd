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
  session: z.string().exactOptional().describe('The first eight characters of `sessionId`.'),
  sessionId: z
    .string()
    .exactOptional()
    .describe("The session's id, or the agent's own id while the hub's is not known."),
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
