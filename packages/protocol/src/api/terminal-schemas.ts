// Schemas of people's terminals: how one is asked for, how it is shown, and its WebSocket requests.
import { z } from 'zod'

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
export const terminalListSchema = z.object({ terminals: z.array(terminalSchema) })

const terminalId = { terminalId: z.string('terminalId is missing.').min(1) }
const after = z.int('after is a whole number from 0.').min(0).exactOptional()

/** The params of the WebSocket requests for terminals. `watch` is for one of a session's agent, the others for people's. */
export const terminalParamsSchemas = {
  'terminal/follow': z.strictObject({ ...terminalId, after }),
  'terminal/watch': z.strictObject({
    sessionId: z.string('sessionId is missing.').min(1),
    ...terminalId,
    after,
  }),
  'terminal/unfollow': z.strictObject(terminalId),
  'terminal/input': z.strictObject({
    ...terminalId,
    data: z.string().max(65_536, 'Send at most 65536 characters at once.'),
  }),
  'terminal/resize': z.strictObject({ ...terminalId, cols: size, rows: size }),
  'terminal/close': z.strictObject(terminalId),
} as const

export type TerminalMethod = keyof typeof terminalParamsSchemas
