// The schema of a session's current step.
import { z } from 'zod'
import type { Shape } from '../shape.js'

/** The permission or question that a live session waits for, or the tool call it is in the middle of. */
export const currentStepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['permission', 'question']) }),
  z.object({
    type: z.literal('tool'),
    kind: z.string(),
    title: z.string(),
    path: z.string().exactOptional(),
  }),
])
export type CurrentStep = Shape<typeof currentStepSchema>
