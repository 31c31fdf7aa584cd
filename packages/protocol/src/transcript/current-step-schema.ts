// The schema of a session's current step.
import { z } from 'zod'
import type { Shape } from '../shape.js'

/**
 * The permission or question that a live session waits for, the tool call it is in the middle of, or that its last turn was
 * cancelled because no one decided in time.
 */
export const currentStepSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['permission', 'question']),
    since: z.iso.datetime().describe('When the agent asked.'),
    expiresAt: z.iso.datetime().exactOptional().describe('When the hub stops waiting.'),
  }),
  z.object({ type: z.literal('timeout') }),
  z.object({
    type: z.literal('tool'),
    kind: z.string(),
    title: z.string(),
    path: z.string().exactOptional(),
  }),
])
export type CurrentStep = Shape<typeof currentStepSchema>
