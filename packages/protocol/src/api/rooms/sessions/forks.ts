// Declares the commands for forks of sessions.
import { z } from 'zod'
import type { Commands } from '../../command.js'
import { createdSessionSchema, makeRoom, START_ERRORS, title } from './sessions.js'

export const forkSessionSchema = z.strictObject({
  turnId: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'The last turn that the fork shares. By default the last that has ended, with the files as they are now.',
    ),
  before: z
    .literal(true, 'before is true, or absent.')
    .exactOptional()
    .describe('The fork begins before `turnId`, with the files as they were then.'),
  title: title.exactOptional(),
  makeRoom,
})
export type ForkInput = z.infer<typeof forkSessionSchema>

export const primerSchema = z.object({ text: z.string() })

export const forkCommands = {
  'session/fork': {
    rest: 'POST /api/sessions/{sessionId}/fork',
    operationId: 'forkSession',
    scope: 'write',
    summary: 'Fork a session',
    description:
      'A new session with the same agent and settings. Its log begins with the events of this one, up to the end of a turn, and its own events follow them. It has a git work tree and a branch of its own, with the files as they were after that turn. The agent forks its own session if it can and the fork has all turns; otherwise it gets the conversation as text with the first prompt: see `GET …/primer`. The session that was forked cannot be removed before its forks.',
    body: forkSessionSchema,
    status: 201,
    response: 'The fork is active.',
    output: createdSessionSchema,
    errors: [
      ...START_ERRORS,
      'turn_not_found',
      'turn_running',
      'checkpoint_not_found',
      'workspace_missing',
    ],
    rpc: { answer: '`CreatedSession`.' },
  },
  'session/primer': {
    rest: 'GET /api/sessions/{sessionId}/primer',
    operationId: 'getPrimer',
    scope: 'read',
    summary: 'The conversation as the agent gets it with the next prompt',
    description:
      'An agent that has no memory of the conversation, as in most forks, gets it as text with the next prompt. Empty when the agent remembers.',
    response: 'The text.',
    output: primerSchema,
  },
} satisfies Commands
