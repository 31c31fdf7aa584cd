// Declares the commands for processes that the hub keeps: agents with everything they started, and warm ones.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'

export const processSchema = z.object({
  pid: z.int(),
  kind: z.enum(['agent', 'terminal']),
  /** The extension's name, or the command. */
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
export type RunningProcess = Shape<typeof processSchema>

export const processListSchema = z.object({ processes: z.array(processSchema) })

export const warmStateSchema = z.object({
  /** The number that its manifest keeps ready. */
  wanted: z.int().min(0),
  ready: z.int().min(0),
  starting: z.int().min(0),
  /** Why the last one could not be made ready. */
  problem: z.string().exactOptional(),
})
export type WarmState = Shape<typeof warmStateSchema>

export const processCommands = {
  'process/list': {
    rest: 'GET /api/processes',
    operationId: 'listProcesses',
    scope: 'read',
    summary: 'List processes, with their sessions and memory',
    response: 'Processes, oldest first.',
    output: processListSchema,
  },
  'process/stop': {
    rest: 'POST /api/processes/{pid}/stop',
    operationId: 'stopProcess',
    scope: 'write',
    summary: 'Stop a process and everything it started',
    description: 'Its sessions are cancelled. A warm process is replaced after a moment.',
    response: 'The remaining processes.',
    output: processListSchema,
  },
} satisfies Commands
