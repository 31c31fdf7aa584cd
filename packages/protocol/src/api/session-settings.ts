// The settings of a session that the hub itself reads; the others belong to the agent's extension.
import { z } from 'zod'

const permissionRuleSchema = z.strictObject({
  action: z.enum(['allow', 'ask', 'deny']),
  kind: z.string().min(1).exactOptional(),
  path: z.string().min(1).exactOptional(),
  command: z.string().min(1).exactOptional(),
})

export const sessionSettingsSchema = z.looseObject({
  permissions: z
    .strictObject({
      mode: z.enum(['ask', 'auto']).default('ask'),
      rules: z.array(permissionRuleSchema).max(100).default([]),
    })
    .exactOptional(),
  cwd: z.string().min(1).max(4096).exactOptional(),
  workspace: z
    .enum(['shared', 'worktree'], 'workspace is shared or worktree.')
    .exactOptional()
    .describe(
      '`shared`: the repository’s own work tree. `worktree`: a git work tree of the session’s own, on a new branch. It cannot be changed later.',
    ),
  base: z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe(
      'For `worktree`: the branch to begin from (by default the current one), or `.` for the repository’s files as they are now, with uncommitted changes.',
    ),
  mcpServers: z
    .array(z.looseObject({ name: z.string().min(1) }))
    .max(50)
    .exactOptional()
    .describe(
      'Secrets are returned as `{ "isSet": true }`; sent back, each stands for the stored value.',
    ),
})
export type SessionSettings = z.infer<typeof sessionSettingsSchema>
export type PermissionRule = z.infer<typeof permissionRuleSchema>
