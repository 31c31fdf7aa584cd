// Declares the commands for people's terminals: opened and closed by REST, read and written over the WebSocket.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, optional, requiredText } from '../fields.js'

const SIZE = 'The size of a terminal is a whole number from 1 to 1000.'
const size = z.int(SIZE).min(1, SIZE).max(1000, SIZE)
const argument = z
  .string()
  .max(32_768)
  .refine((text) => !text.includes('\0'), 'A command has no NUL characters.')

export const createTerminalSchema = z
  .strictObject({
    repoId: optional(z.string().min(1), 'The repository it opens in.'),
    sessionId: optional(z.string().min(1), 'The session in whose folder it opens.'),
    cwd: optional(
      z.string().min(1).max(4096),
      'A folder inside the repository, absolute or relative to it.',
    ),
    cols: size.default(80),
    rows: size.default(24),
    command: optional(
      argument.min(1, 'command is empty.'),
      'A program to run instead of the login shell.',
    ),
    args: optional(z.array(argument).max(256)),
  })
  .refine(
    ({ repoId, sessionId }) => (repoId === undefined) !== (sessionId === undefined),
    'Send either repoId or sessionId.',
  )
  .refine(
    ({ command, args }) => command !== undefined || args === undefined,
    'args need a command.',
  )

export const terminalExitSchema = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  at: z.iso.datetime(),
})

export type TerminalExit = Shape<typeof terminalExitSchema>

export const terminalSchema = z.object({
  id: z.string(),
  repoId: described(
    z.string().nullable(),
    'Null for the sign-in of an agent, which has no repository.',
  ),
  sessionId: z.string().nullable(),
  label: z.string().describe('A short name of the program, for a tab.'),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  pid: z.int(),
  cols: z.int(),
  rows: z.int(),
  startedAt: z.iso.datetime(),
  exit: terminalExitSchema.nullable().describe('The exit of the program; null while it runs.'),
})
/** A terminal of a person, not one of an agent. */
export type Terminal = Shape<typeof terminalSchema>
export const terminalListSchema = z.object({ terminals: z.array(terminalSchema) })

const terminalId = { terminalId: requiredText('terminalId is missing.') }
const after = optional(z.int('after is a whole number from 0.').min(0))

export const terminalPieceSchema = z.object({
  offset: z.int(),
  /** The start of the next part. Pass it as `after` to continue. */
  next: z.int(),
  data: z.string(),
  /** Bytes lost between `after` and `offset`: the reader was too slow or too late. */
  skippedBytes: z.int(),
  isPast: optional(
    z.boolean(),
    'Printed before this reader came, while another one followed the terminal: no query in it waits for an answer.',
  ),
})
/** The next part of a terminal's output. Offsets count the bytes of the text as UTF-8. */
export type TerminalPiece = Shape<typeof terminalPieceSchema>

/** Codes of every command that opens a terminal. */
export const OPEN_TERMINAL_ERRORS = [
  'terminal_limit',
  'terminal_failed',
  'terminals_unavailable',
] as const

export const terminalCommands = {
  'terminal/list': {
    rest: 'GET /api/terminals',
    scope: 'admin',
    summary: 'List terminals',
    response: 'The terminals, oldest first.',
    output: terminalListSchema,
  },
  'terminal/create': {
    rest: 'POST /api/terminals',
    scope: 'admin',
    summary: 'Open a terminal in a repository',
    description:
      'Runs the login shell, or `command`. It keeps running when the hub stops. Read and write it over the WebSocket: `terminal/follow`, `terminal/input`.',
    body: createTerminalSchema,
    status: 201,
    response: 'The terminal.',
    output: terminalSchema,
    errors: [
      'repo_not_found',
      'session_not_found',
      'workspace_missing',
      'path_outside_root',
      'invalid_settings',
      'command_not_found',
      ...OPEN_TERMINAL_ERRORS,
    ],
  },
  'terminal/get': {
    rest: 'GET /api/terminals/{terminalId}',
    scope: 'admin',
    summary: 'Get a terminal',
    response: 'The terminal.',
    output: terminalSchema,
  },
  'terminal/close': {
    rest: 'DELETE /api/terminals/{terminalId}',
    scope: 'admin',
    summary: 'Close a terminal and end everything started in it',
    response: 'The terminal is closed and its processes have ended.',
    rpc: { answer: '`{}` when its processes have ended.' },
  },
  'terminal/input': {
    scope: 'admin',
    body: z.strictObject({
      ...terminalId,
      data: z.string().max(65_536, 'Send at most 65536 characters at once.'),
    }),
    errors: ['terminal_not_found', 'terminal_exited', 'terminal_busy'],
    rpc: {
      answer:
        '`{}` when the terminal’s host has received the input; `terminal_busy` when the program does not read it.',
    },
  },
  'terminal/resize': {
    scope: 'admin',
    body: z.strictObject({ ...terminalId, cols: size, rows: size }),
    errors: ['terminal_not_found', 'terminal_exited'],
    rpc: { answer: '`{}`.' },
  },
} satisfies Commands

/** Served by the socket itself. `watch` is for a command of a session's agent, the others for people's terminals. */
export const terminalFeedCommands = {
  'terminal/follow': {
    scope: 'admin',
    body: z.strictObject({ ...terminalId, after }),
    output: terminalSchema,
    errors: ['terminal_not_found'],
    rpc: {
      answer: '`Terminal`, then `terminal/output` notifications, and finally `terminal/exited`.',
    },
  },
  'terminal/watch': {
    scope: 'read',
    body: z.strictObject({
      sessionId: requiredText('sessionId is missing.'),
      ...terminalId,
      after,
    }),
    errors: ['terminal_not_found'],
    rpc: {
      answer:
        '`{}`, then the same notifications for a terminal command of the session’s agent; `terminal_not_found` after the agent has released it.',
    },
  },
  'terminal/unfollow': {
    scope: 'read',
    body: z.strictObject(terminalId),
    rpc: { answer: '`{}`.' },
  },
} satisfies Commands
