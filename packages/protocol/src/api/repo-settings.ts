// The settings of a repository for its new sessions.
import { z } from 'zod'
import type { Shape } from '../shape.js'

const MAX_COMMAND = 4_096
const MAX_PATTERNS = 16_384
const settingsFields = {
  workspace: z
    .enum(['shared', 'worktree'], 'workspace is shared or worktree.')
    .describe('Where new sessions work when they do not say it.'),
  include: z
    .string()
    .min(1)
    .max(MAX_PATTERNS)
    .describe(
      'Patterns in the syntax of `.gitignore`, one in each line, such as `.env`. Files that git does not track and that they match are copied into each new work tree, besides those of `.worktreeinclude`.',
    ),
  setup: z
    .string()
    .min(1)
    .max(MAX_COMMAND)
    .describe(
      'A command of `sh` that prepares a new work tree, such as `npm ci`. It runs in a terminal of the session before its first prompt.',
    ),
  check: z
    .string()
    .min(1)
    .max(MAX_COMMAND)
    .describe(
      'A command of `sh` that checks the work in a session’s own work tree, such as `npm test`. It runs on request, and after each turn of a comparison.',
    ),
}
export const repoSettingsSchema = z
  .object({
    workspace: settingsFields.workspace.exactOptional(),
    include: settingsFields.include.exactOptional(),
    setup: settingsFields.setup.exactOptional(),
    check: settingsFields.check.exactOptional(),
  })
  .describe('For new sessions.')
export type RepoSettings = Shape<typeof repoSettingsSchema>

export const changeRepoSchema = z.strictObject({
  settings: z
    .strictObject({
      workspace: settingsFields.workspace.nullable().exactOptional(),
      include: settingsFields.include.nullable().exactOptional(),
      setup: settingsFields.setup.nullable().exactOptional(),
      check: settingsFields.check.nullable().exactOptional(),
    })
    .describe('Those that are not named stay as they are; null removes one.'),
})
