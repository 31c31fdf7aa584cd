// Declares the commands for people's terminals: opened and closed by REST, read and written over the WebSocket.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import type { Commands } from './command.js'
import { requiredText } from './fields.js'

const SIZE = 'The size of a terminal is a whole number from 1 to 1000.'
const size = z.int(SIZE).min(1, SIZE).max(1000, SIZE)
const argument = z
  .string()
  .max(32_768)
  .refine((text) => !text.includes('\0'), 'A command has no NUL characters.')

export const createTerminalSchema = z
  .strictObject({
    repoId: z.string().min(1).exactOptional().describe('The repository it opens in.'),
    sessionId: z.string().min(1).exactOptional().describe('Opens where this session works.'),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .exactOptional()
      .describe('A folder inside of the repository, absolute or relative to it.'),
    cols: size.default(80),
    rows: size.default(24),
    command: argument
      .min(1, 'command is empty.')
      .exactOptional()
      .describe('A program instead of your shell.'),
    args: z.array(argument).max(256).exactOptional(),
  })
  .refine(
    ({ repoId, sessionId }) => (repoId === undefined) !== (sessionId === undefined),
    'Send either repoId or sessionId.',
  )
  .refine(
    ({ command, args }) => command !== undefined || args === undefined,
    'args need a command.',
  )
export type CreateTerminalInput = z.infer<typeof createTerminalSchema>

export const terminalExitSchema = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  at: z.iso.datetime(),
})

export type TerminalExit = Shape<typeof terminalExitSchema>

export const terminalSchema = z.object({
  id: z.string(),
  repoId: z
    .string()
    .nullable()
    .describe('Null for the sign-in of an agent, which works in no repository.'),
  sessionId: z.string().nullable(),
  label: z.string().describe('What runs in it, short enough for a tab.'),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  pid: z.int(),
  cols: z.int(),
  rows: z.int(),
  startedAt: z.iso.datetime(),
  exit: terminalExitSchema.nullable().describe('How it ended; null while it runs.'),
})
/** A terminal of a person, not one of an agent. */
export type Terminal = Shape<typeof terminalSchema>
export const terminalListSchema = z.object({ terminals: z.array(terminalSchema) })

const terminalId = { terminalId: requiredText('terminalId is missing.') }
const after = z.int('after is a whole number from 0.').min(0).exactOptional()

/** The next part of a terminal's output. Offsets count the bytes of the text as UTF-8. */
export type TerminalPiece = {
  readonly offset: number
  /** The start of the next part. Pass it as `after` to continue. */
  readonly next: number
  readonly data: string
  /** Bytes lost between `after` and `offset`: the reader was too slow or too late. */
  readonly skippedBytes: number
}

export const terminalCommands = {
  'terminal/list': {
    rest: 'GET /api/terminals',
    operationId: 'listTerminals',
    scope: 'admin',
    tag: 'Terminals',
    summary: 'Your terminals',
    response: 'Oldest first.',
    output: terminalListSchema,
  },
  'terminal/create': {
    rest: 'POST /api/terminals',
    operationId: 'createTerminal',
    scope: 'admin',
    tag: 'Terminals',
    summary: 'Open a terminal in a repository',
    description:
      'Your login shell, or a command. It goes on when the hub stops. Read and written over the WebSocket: `terminal/follow`, `terminal/input`.',
    body: createTerminalSchema,
    status: 201,
    response: 'The terminal.',
    output: terminalSchema,
    errors: [
      'repo_not_found',
      'session_not_found',
      'path_outside_root',
      'command_not_found',
      'terminal_limit',
      'terminal_failed',
      'terminals_unavailable',
    ],
  },
  'terminal/get': {
    rest: 'GET /api/terminals/{terminalId}',
    operationId: 'getTerminal',
    scope: 'admin',
    tag: 'Terminals',
    summary: 'One terminal',
    response: 'The terminal.',
    output: terminalSchema,
    errors: ['terminal_not_found'],
  },
  'terminal/close': {
    rest: 'DELETE /api/terminals/{terminalId}',
    operationId: 'closeTerminal',
    scope: 'admin',
    tag: 'Terminals',
    summary: 'Close a terminal and end everything that was started in it',
    response: 'Nothing of it runs any more.',
    errors: ['terminal_not_found'],
    rpc: { answer: '`{}` when nothing of it runs any more.' },
  },
  'terminal/input': {
    scope: 'admin',
    body: z.strictObject({
      ...terminalId,
      data: z.string().max(65_536, 'Send at most 65536 characters at once.'),
    }),
    errors: ['terminal_not_found', 'terminal_exited', 'terminal_busy'],
    rpc: { answer: '`{}` when the host has it; `terminal_busy` when the program does not read.' },
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
      answer: '`Terminal`, then `terminal/output` notifications and in the end `terminal/exited`.',
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
        '`{}`, then the same notifications, of a command that the agent of the session runs; `terminal_not_found` once the agent has released it.',
    },
  },
  'terminal/unfollow': {
    scope: 'read',
    body: z.strictObject(terminalId),
    rpc: { answer: '`{}`.' },
  },
} satisfies Commands
