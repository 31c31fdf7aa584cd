// Declares the commands that clone a repository into a root folder.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, optional, requiredText } from '../fields.js'

const NAME = 'name has letters, digits, “.”, “_” and “-”, and begins with a letter or digit.'

export const startCloneSchema = z.strictObject({
  url: described(
    requiredText('url is the address of a repository.').max(2048),
    'Of `https`, `ssh` (also `user@host:path`) or `git`; of `file` only inside the root folders.',
  ),
  name: optional(
    z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, NAME)
      .max(100, NAME),
    'The name of the new folder; by default the last part of the address.',
  ),
})

export const cloneSchema = z.object({
  id: z.string(),
  url: z.string(),
  path: z.string().describe('The folder of the repository, once it is complete.'),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  phase: optional(z.string(), 'What git does now, in its words.'),
  percent: optional(z.int().min(0).max(100), 'Of the phase.'),
  repoId: optional(z.string(), 'Of the new repository, when it is done.'),
  problem: optional(z.string(), 'Why it failed, and what to do.'),
  startedAt: z.iso.datetime(),
})
export type Clone = Shape<typeof cloneSchema>

export const cloneCommands = {
  'clone/start': {
    rest: 'POST /api/clones',
    scope: 'admin',
    summary: 'Clone a repository',
    description:
      'Runs `git clone` into the first root folder that is not a repository itself. git asks no one for a password: it uses the SSH keys and credential helpers of the hub’s user. Read its progress with `GET /api/clones/{id}`. The folder appears when it is complete.',
    body: startCloneSchema,
    status: 202,
    response: 'The clone, which runs.',
    output: cloneSchema,
    errors: ['path_outside_root', 'folder_taken', 'clone_limit'],
  },
  'clone/list': {
    rest: 'GET /api/clones',
    scope: 'admin',
    summary: 'List clones',
    response: 'Running ones, and the last that ended, oldest first.',
    output: z.object({ clones: z.array(cloneSchema) }),
  },
  'clone/get': {
    rest: 'GET /api/clones/{cloneId}',
    scope: 'admin',
    summary: 'Get a clone',
    response: 'The clone.',
    output: cloneSchema,
  },
  'clone/cancel': {
    rest: 'DELETE /api/clones/{cloneId}',
    scope: 'admin',
    summary: 'Cancel a clone',
    description: 'Ends git and removes the partial folder. A clone that has ended stays as it is.',
    response: 'The clone, which has ended.',
    output: cloneSchema,
  },
} satisfies Commands
