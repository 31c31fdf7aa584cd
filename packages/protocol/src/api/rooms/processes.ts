// Declares the commands for processes that the hub keeps, and for previews of the ports that they listen on.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { optional } from '../fields.js'

export const processSchema = z.object({
  pid: z.int(),
  kind: z.enum(['agent', 'terminal']),
  /** The extension's name, or the command. */
  name: z.string(),
  extensionId: optional(z.string()),
  /** The sessions it works for; an agent without any waits for one. */
  sessionIds: z.array(z.string()),
  startedAt: z.iso.datetime(),
  /** Of its whole tree; absent where the platform does not tell. */
  processes: optional(z.int()),
  rssBytes: optional(z.int()),
  /** When it last wrote something. */
  lastFrameAt: optional(z.iso.datetime()),
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
  problem: optional(z.string()),
})
export type WarmState = Shape<typeof warmStateSchema>

const PORT = 'port is from 1 to 65535.'
export const previewPortSchema = z.object({
  port: z.int(),
  program: z.string().describe('The name of the program that listens.'),
})
/** A port that a process of the session listens on. */
export type PreviewPort = Shape<typeof previewPortSchema>

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
    scope: 'write',
    summary: 'Stop a process and everything it started',
    description: 'Its sessions are cancelled. A warm process is replaced after a moment.',
    response: 'The remaining processes.',
    output: processListSchema,
  },
  'preview/list': {
    rest: 'GET /api/sessions/{sessionId}/previews',
    scope: 'write',
    summary: 'Local ports that the session’s agent and terminals listen on',
    description: 'On Linux only; elsewhere the list is empty.',
    response: 'The ports, lowest first.',
    output: z.object({ ports: z.array(previewPortSchema) }),
  },
  'preview/open': {
    rest: 'POST /api/sessions/{sessionId}/previews',
    scope: 'write',
    summary: 'Show a local port of the session on an origin of its own',
    description:
      'The hub listens on a further port and passes requests on to the program, without the hub’s cookies and tokens. `path` lets one browser in, once, within a minute.',
    body: z.strictObject({ port: z.int(PORT).min(1, PORT).max(65_535, PORT) }),
    status: 201,
    response: 'The port of the preview on the hub’s host, and the path to open there.',
    output: z.object({
      port: z.int(),
      path: z.string(),
      origin: optional(
        z.string(),
        'Of the machine that shows it, when that is not the one that was asked.',
      ),
    }),
    errors: ['not_found'],
  },
} satisfies Commands
