// Schemas of the processes that the hub keeps: agents with all they started, and what waits for a session.
import { z } from 'zod'

export const processSchema = z.object({
  pid: z.int(),
  kind: z.enum(['agent', 'terminal']),
  /** What people call it: the extension's name, or the command. */
  name: z.string(),
  extensionId: z.string().exactOptional(),
  /** The sessions it works for; an agent without any waits for one. */
  sessionIds: z.array(z.string()),
  startedAt: z.iso.datetime(),
  /** Of its whole tree; absent where the platform does not tell. */
  processes: z.int().exactOptional(),
  rssBytes: z.int().exactOptional(),
  /** When it last wrote something. */
  lastFrameAt: z.iso.datetime().exactOptional(),
  labels: z.record(z.string(), z.string()),
})
export type RunningProcess = z.infer<typeof processSchema>

export const processListSchema = z.object({ processes: z.array(processSchema) })

export const warmStateSchema = z.object({
  /** How many its manifest wants ready. */
  wanted: z.int().min(0),
  ready: z.int().min(0),
  starting: z.int().min(0),
  /** Why the last one could not be made ready. */
  problem: z.string().exactOptional(),
})
export type WarmState = z.infer<typeof warmStateSchema>
