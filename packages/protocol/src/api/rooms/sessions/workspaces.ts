// Declares the commands for the work tree of a session: its checkpoints, undo and redo, its way to the merge, and its check.
import { z } from 'zod'
import type { Shape } from '../../../shape.js'
import { checkRunSchema, workspaceSchema } from '../../../events/event-schemas.js'
import type { Commands } from '../../command.js'
import { described, optional } from '../../fields.js'

export const checkpointSchema = z.object({
  turnId: z.string(),
  at: optional(z.iso.datetime(), 'When the turn started.'),
  isKept: z.boolean().describe('Without the work tree before it, a turn cannot be undone.'),
  isUndone: z.boolean(),
})
export type Checkpoint = Shape<typeof checkpointSchema>

export const checkpointsSchema = z.object({
  checkpoints: z.array(checkpointSchema).describe('One for each turn, in their order.'),
  redo: optional(z.string(), 'The turn that `redo` brings back.'),
})
export type Checkpoints = Shape<typeof checkpointsSchema>

const force = optional(
  z.enum(['others', 'all'], 'force is others or all.'),
  'When somebody else has changed files of the turn since: `others` restores the other files, `all` overwrites these too.',
)

export const undoSchema = z.strictObject({ turnId: z.string().min(1), force })
export const redoSchema = z.strictObject({ force })
export type UndoInput = z.infer<typeof undoSchema>

export const restoredSchema = z.object({
  paths: z.array(z.string()).describe('The files that were written or removed.'),
  left: described(
    z.array(z.string()),
    'Files of the turn that stay as they are: changed by somebody else, larger than 4 MB, submodules, or in the way of a folder.',
  ),
})
export type Restored = Shape<typeof restoredSchema>

const place = ['turn_running', 'workspace_missing'] as const
/** Codes of every command that changes a work tree. */
export const WORK_TREE_ERRORS = [
  'repo_not_found',
  'path_outside_root',
  'git_failed',
  'storage_failed',
] as const
const RESTORE_ERRORS = [...place, 'files_changed', ...WORK_TREE_ERRORS] as const

const WORKSPACE_ACTIONS = [
  'commit',
  'merge',
  'squash',
  'rebase',
  'push',
  'pullRequest',
  'discard',
] as const

export const workspaceActionSchema = z.strictObject({
  action: described(
    z.enum(WORKSPACE_ACTIONS, `action is one of ${WORKSPACE_ACTIONS.join(', ')}.`),
    '`commit`: all changes of the work tree. `merge`, `squash` and `rebase`: bring the commits of the session’s branch into `into`. `push`: to `remote`. `pullRequest`: opens one for the pushed branch with `gh` or `glab`; by default with the texts that a push drafts. `discard`: removes the work tree and its branch; their state is kept under `refs/quayside/kept/`.',
  ),
  message: optional(
    z.string().min(1).max(10_000),
    'Of the commit. By default the draft (`GET …/workspace/draft`).',
  ),
  into: optional(
    z.string().min(1).max(255),
    'The branch to bring the commits into. By default the one that the session began from.',
  ),
  remote: optional(z.string().min(1).max(255), 'Its name. By default `origin`.'),
  title: optional(z.string().min(1).max(255), 'Of the pull request.'),
  body: optional(z.string().max(60_000), 'Of the pull request.'),
})
export type WorkspaceAction = z.infer<typeof workspaceActionSchema>

export const workspaceResultSchema = z.object({
  workspace: workspaceSchema,
  commit: optional(z.string(), 'The commit that was made or brought in.'),
  kept: optional(z.string(), 'The reference that keeps a discarded state.'),
  output: z.string().describe('The output of git and its hooks.'),
  pullRequest: optional(
    z.object({
      command: z.string().describe('For a shell in the work tree.'),
      title: z.string(),
      body: z.string(),
    }),
    'After a push, when `gh` or `glab` is installed: a draft from the session’s title and commits.',
  ),
})
export type WorkspaceResult = Shape<typeof workspaceResultSchema>

export const commitDraftsSchema = z.object({
  commit: z.string().describe('From the prompts since the last commit.'),
  bringIn: z.string().describe('From all prompts, for `merge` and `squash`.'),
})
/** Commit messages, drafted from the conversation. */
export type CommitDrafts = Shape<typeof commitDraftsSchema>

const worktreeInProgressSchema = z.object({
  sessionId: z.string(),
  files: optional(
    z.object({ done: z.int().min(0), total: z.int().min(0) }),
    'How many are written. Absent before the first one.',
  ),
})
/** A work tree that is being made. */
export type WorktreeInProgress = Shape<typeof worktreeInProgressSchema>

export const unsavedWorkSchema = z.object({
  files: z.array(z.string()).describe('Files with uncommitted changes.'),
  commits: z.int().min(0).describe('Commits that the base does not have.'),
  keptAs: optional(
    z.string(),
    'The reference that keeps this work when the work tree is removed. Absent without any.',
  ),
})
/** The work in a session's own work tree that its base does not have. */
export type UnsavedWork = Shape<typeof unsavedWorkSchema>

export const workspaceCommands = {
  'repo/worktrees': {
    rest: 'GET /api/repos/{repoId}/worktrees',
    operationId: 'listWorktreesInProgress',
    scope: 'read',
    summary: 'The work trees of a repository that are being made',
    description: 'Their progress, while the command that starts their sessions has no answer yet.',
    response: 'The work trees, without those that are complete.',
    output: z.object({ worktrees: z.array(worktreeInProgressSchema) }),
  },
  'session/checkpoints': {
    rest: 'GET /api/sessions/{sessionId}/checkpoints',
    operationId: 'listCheckpoints',
    scope: 'read',
    summary: 'List the turns that can be undone',
    description:
      'The hub keeps the work tree before and after every turn. `GET …/changes?turnId=` compares the two.',
    response: 'The checkpoints.',
    output: checkpointsSchema,
    rpc: { answer: '`Checkpoints`.' },
  },
  'session/undo': {
    rest: 'POST /api/sessions/{sessionId}/undo',
    operationId: 'undoTurn',
    scope: 'write',
    summary: 'Undo the changes of a turn',
    description:
      'The files that the turn changed are set back to what they were before it. The present state is kept first, so that `redo` brings it back. Ignored files, and files that the turn has not changed, are never touched. Answers 409 `files_changed` with `details.paths` when somebody else has changed some of these files since.',
    body: undoSchema,
    response: 'The files are as before the turn.',
    output: restoredSchema,
    errors: ['checkpoint_not_found', ...RESTORE_ERRORS],
    rpc: { answer: '`Restored`.' },
  },
  'session/redo': {
    rest: 'POST /api/sessions/{sessionId}/redo',
    operationId: 'redoTurn',
    scope: 'write',
    summary: 'Bring back what the latest undo has set back',
    body: redoSchema,
    response: 'The files are as before the undo.',
    output: restoredSchema,
    errors: ['nothing_to_redo', ...RESTORE_ERRORS],
    rpc: { answer: '`Restored`.' },
  },
  'session/workspace': {
    rest: 'POST /api/sessions/{sessionId}/workspace',
    operationId: 'changeWorkspace',
    scope: 'write',
    summary: 'Commit, bring in, push or discard the work of a session',
    description:
      'Hooks and filters of the repository run, as for a person at a terminal. Answers 409 with `details.paths`: `workspace_dirty` for uncommitted changes in the session’s work tree, or in the one that `into` is checked out in; `merge_conflict` for files that conflict. Then nothing has changed.',
    body: workspaceActionSchema,
    response: 'It is done.',
    output: workspaceResultSchema,
    errors: [
      ...place,
      'workspace_dirty',
      'merge_conflict',
      'workspace_shared',
      'repo_untrusted',
      'invalid_settings',
      ...WORK_TREE_ERRORS,
    ],
    rpc: { answer: '`WorkspaceResult`.' },
  },
  'session/draft': {
    rest: 'GET /api/sessions/{sessionId}/workspace/draft',
    operationId: 'getCommitDraft',
    scope: 'read',
    summary: 'Commit messages drafted from the conversation',
    description: 'The title of the session and its prompts. To be changed before a commit.',
    response: 'The messages.',
    output: commitDraftsSchema,
    errors: ['workspace_missing', 'repo_not_found', 'path_outside_root', 'git_failed'],
  },
  'session/unsaved': {
    rest: 'GET /api/sessions/{sessionId}/workspace/unsaved',
    operationId: 'getUnsavedWork',
    scope: 'read',
    summary: 'The work of a session that its base does not have',
    description:
      'To be shown before a session is removed. Empty for a session in the shared work tree, whose files stay.',
    response: 'The work.',
    output: unsavedWorkSchema,
    errors: ['repo_not_found', 'path_outside_root', 'git_failed'],
  },
  'session/check': {
    rest: 'POST /api/sessions/{sessionId}/workspace/check',
    operationId: 'checkWorkspace',
    scope: 'write',
    summary: 'Run the repository’s check command in the work tree of a session',
    description:
      'It runs in a terminal of the session, for 30 minutes at most. A check that still runs is stopped first. `workspace.check` of the session has the result.',
    status: 202,
    response: 'The check runs, or `reason` says why it could not.',
    output: checkRunSchema,
    errors: [
      ...place,
      'check_not_set',
      'workspace_shared',
      'repo_untrusted',
      'repo_not_found',
      'path_outside_root',
      'storage_failed',
    ],
    rpc: { answer: '`CheckRun`.' },
  },
} as const satisfies Commands
