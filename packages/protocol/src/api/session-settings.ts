// The settings of a session that the hub itself reads, and those that a repository has for its new sessions. The others belong
// to the agent's extension.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import { described, optional } from './fields.js'

const workspace = z.enum(['shared', 'worktree'], 'workspace is shared or worktree.')

const permissionRuleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  kind: optional(z.string().min(1)),
  path: optional(z.string().min(1)),
  command: optional(z.string().min(1)),
})

export const sessionSettingsSchema = z.looseObject({
  permissions: optional(
    z.strictObject({
      mode: z.enum(['ask', 'auto']).default('ask'),
      rules: z.array(permissionRuleSchema).max(100).default([]),
    }),
  ),
  cwd: optional(z.string().min(1).max(4096)),
  workspace: optional(
    workspace,
    '`shared`: the repository’s own work tree. `worktree`: a git work tree of the session’s own, on a new branch. It cannot be changed later.',
  ),
  base: optional(
    z.string().min(1).max(255),
    'For `worktree`: the branch to begin from (by default the current one), or `.` for the repository’s files as they are now, with uncommitted changes.',
  ),
  mcpServers: optional(
    z.array(z.looseObject({ name: z.string().min(1) })).max(50),
    'Secrets are returned as `{ "isSet": true }`; sent back, each stands for the stored value.',
  ),
})
export type SessionSettings = z.infer<typeof sessionSettingsSchema>
export type PermissionRule = z.infer<typeof permissionRuleSchema>

const MAX_COMMAND = 4_096
const MAX_PATTERNS = 16_384
const repoFields = {
  workspace: described(workspace, 'Where new sessions work when they do not say it.'),
  include: described(
    z.string().min(1).max(MAX_PATTERNS),
    'Patterns in the syntax of `.gitignore`, one in each line, such as `.env`. Files that git does not track and that they match are copied into each new work tree, besides those of `.worktreeinclude`.',
  ),
  setup: described(
    z.string().min(1).max(MAX_COMMAND),
    'A command of `sh` that prepares a new work tree, such as `npm ci`. It runs in a terminal of the session before its first prompt.',
  ),
  check: described(
    z.string().min(1).max(MAX_COMMAND),
    'A command of `sh` that checks the work in a session’s own work tree, such as `npm test`. It runs on request, and after each turn of a comparison.',
  ),
}
export const repoSettingsSchema = described(
  z.object({
    workspace: optional(repoFields.workspace),
    include: optional(repoFields.include),
    setup: optional(repoFields.setup),
    check: optional(repoFields.check),
  }),
  'For new sessions.',
)
export type RepoSettings = Shape<typeof repoSettingsSchema>

export const changeRepoSchema = z.strictObject({
  settings: described(
    z.strictObject({
      workspace: optional(repoFields.workspace.nullable()),
      include: optional(repoFields.include.nullable()),
      setup: optional(repoFields.setup.nullable()),
      check: optional(repoFields.check.nullable()),
    }),
    'Those that are not named stay as they are; null removes one.',
  ),
})
