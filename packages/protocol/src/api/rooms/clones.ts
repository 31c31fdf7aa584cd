// Declares the commands that clone a repository into a root folder.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { requiredText } from '../fields.js'

const NAME = 'name has letters, digits, “.”, “_” and “-”, and begins with a letter or digit.'

export const startCloneSchema = z.strictObject({
  url: requiredText('url is the address of a repository.')
    .max(2048)
    .describe(
      'Of `https`, `ssh` (also `user@host:path`) or `git`; of `file` only inside the root folders.',
    ),
  name: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, NAME)
    .max(100, NAME)
    .exactOptional()
    .describe('The name of the new folder; by default the last part of the address.'),
})

export const cloneSchema = z.object({
  id: z.string(),
  url: z.string(),
  path: z.string().describe('The folder of the repository, once it is complete.'),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  phase: z.string().exactOptional().describe('What git does now, in its words.'),
  percent: z.int().min(0).max(100).exactOptional().describe('Of the phase.'),
  repoId: z.string().exactOptional().describe('Of the new repository, when it is done.'),
  problem: z.string().exactOptional().describe('Why it failed, and what to do.'),
  startedAt: z.iso.datetime(),
})
export type Clone = Shape<typeof cloneSchema>

export const cloneCommands = {
  'clone/start': {
    rest: 'POST /api/clones',
    operationId: 'startClone',
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
    operationId: 'listClones',
    scope: 'admin',
    summary: 'List clones',
    response: 'Running ones, and the last that ended, oldest first.',
    output: z.object({ clones: z.array(cloneSchema) }),
  },
  'clone/get': {
    rest: 'GET /api/clones/{cloneId}',
    operationId: 'getClone',
    scope: 'admin',
    summary: 'Get a clone',
    response: 'The clone.',
    output: cloneSchema,
  },
  'clone/cancel': {
    rest: 'DELETE /api/clones/{cloneId}',
    operationId: 'cancelClone',
    scope: 'admin',
    summary: 'Cancel a clone',
    description: 'Ends git and removes the partial folder. A clone that has ended stays as it is.',
    response: 'The clone, which has ended.',
    output: cloneSchema,
  },
} satisfies Commands
