// Declares the commands for repositories in the root folders: files, status, differences, and folders to choose from.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, flag, optional, requiredText } from '../fields.js'
import { changeRepoSchema, repoSettingsSchema } from '../session-settings.js'
import { placesOfRepo } from './hubs.js'

const count = z.int().min(0)

export const repoSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  branch: optional(z.string()),
  missing: z.boolean(),
  createdAt: z.iso.datetime(),
  settings: optional(repoSettingsSchema),
  workspace: optional(
    z.enum(['shared', 'worktree']),
    'Where new sessions work by default: the setting of the repository, else of the hub.',
  ),
  ...placesOfRepo,
})
export type Repo = Shape<typeof repoSchema>
export const repoListSchema = z.object({ repos: z.array(repoSchema) })

/** For a session with a work tree of its own. */
const inSession = {
  sessionId: optional(
    z.string().min(1),
    'In the work tree of this session instead of the repository’s own.',
  ),
}

export const repoFilesSchema = z.object({
  files: z.array(z.string()).describe('Paths inside the repository, the best match first.'),
  total: count.describe('The number of files in the repository.'),
})
export type RepoFiles = Shape<typeof repoFilesSchema>

const fileStatusSchema = z.object({
  path: z.string(),
  oldPath: optional(z.string()),
  staged: described(
    z.string(),
    'HEAD compared with the index: git’s letter, “.” if unchanged, “?” if untracked.',
  ),
  unstaged: z.string().describe('The index compared with the file.'),
})
export const repoStatusSchema = z.object({
  /** `ahead` and `behind` are counted against the last fetch; git uses no network here. */
  branch: z.object({
    name: optional(z.string()),
    commit: optional(z.string()),
    upstream: optional(z.string()),
    ahead: optional(count),
    behind: optional(count),
  }),
  files: z.array(fileStatusSchema),
  counts: z.object({ staged: count, unstaged: count, untracked: count, conflicted: count }),
  isTruncated: z.boolean(),
})
export type RepoStatus = Shape<typeof repoStatusSchema>

export const repoDiffQuerySchema = z.strictObject({
  path: optional(
    z.string().min(1).max(4096),
    'Only this file or folder, relative to the repository.',
  ),
  patches: flag('patches', 'true').describe('`false` omits the patches.'),
})
export const fileChangeSchema = z.object({
  path: z.string(),
  /** The path before a rename. */
  oldPath: optional(z.string()),
  status: z.enum(['A', 'M', 'D', 'R']),
  /** A `large` file is compared by size and time alone. */
  kind: z.enum(['text', 'binary', 'large', 'submodule']),
  blob: optional(z.string(), 'Identifies the content: equal for equal contents.'),
  /** Lines; only for text. */
  added: optional(count),
  removed: optional(count),
  patch: optional(z.string(), 'Unified diff; absent when it is too long.'),
})
export type FileChange = Shape<typeof fileChangeSchema>

export const repoDiffSchema = z.object({
  files: z.array(fileChangeSchema),
  total: count.describe('The number of changed files, also when not all are listed.'),
  added: count,
  removed: count,
  isTruncated: z.boolean(),
})
export type RepoDiff = Shape<typeof repoDiffSchema>

export const addRepoSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  confirmOutsideRoot: optional(
    z.literal(true),
    'Confirms that a repository outside of the root folders becomes one.',
  ),
})

const fileSize = { path: z.string(), byteLength: count }
export const repoFileSchema = z.discriminatedUnion('kind', [
  z.object({ ...fileSize, kind: z.literal('text'), text: z.string() }),
  z.object({ ...fileSize, kind: z.literal('image'), mimeType: z.string(), base64: z.string() }),
  described(
    z.object({ ...fileSize, kind: z.enum(['binary', 'large']) }),
    'Only the size is returned.',
  ),
])
/** One file as it is now; of `large` and `binary` ones only the size. */
export type RepoFile = Shape<typeof repoFileSchema>

export const trustRepoSchema = z.strictObject({
  hash: optional(
    z.string().max(128),
    'Of the files that were shown, as `repo_untrusted` names it. Other files are not trusted.',
  ),
  cwd: optional(z.string().max(4096), 'The folder of the repository that the agent will work in.'),
})

export const repoTrustSchema = z.object({
  trusted: z.literal(true),
  files: z.array(z.unknown()).describe('The agent configuration found in the repository.'),
})

export const browseSchema = z.object({
  path: z.string().nullable().describe('The requested folder; null for the list of root folders.'),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
})

const rootListSchema = z.object({
  roots: z.array(
    z.object({
      path: z.string(),
      isAdded: z.boolean().describe('Added by an admin; false for those of the start of the hub.'),
    }),
  ),
})
const place = ['path_outside_root', 'session_not_found', 'workspace_missing'] as const
const git = [...place, 'git_failed'] as const

export const repoCommands = {
  'repo/list': {
    rest: 'GET /api/repos',
    scope: 'read',
    summary: 'List repositories',
    response: 'The repositories, sorted by path.',
    output: repoListSchema,
  },
  'repo/add': {
    rest: 'POST /api/repos',
    scope: 'write',
    summary: 'Add a repository by its path',
    description:
      'Adds the innermost repository that contains the folder. It may be where a scan does not search, such as in a hidden folder. Outside of the root folders it is added only with `confirmOutsideRoot`, which needs the scope `admin`: the repository is then a root folder itself, until it is removed from them.',
    body: addRepoSchema,
    response: 'The repository, also if it was known already.',
    output: repoSchema,
    errors: ['repo_not_found', 'path_outside_root'],
  },
  'root/list': {
    rest: 'GET /api/roots',
    scope: 'admin',
    summary: 'List the root folders',
    response: 'The root folders: those of the start of the hub, then added ones.',
    output: rootListSchema,
  },
  'root/remove': {
    rest: 'DELETE /api/roots',
    scope: 'admin',
    summary: 'Remove an added root folder',
    description:
      'The folder itself stays as it is. Its repositories leave the list; their sessions can still be read.',
    query: z.strictObject({
      path: requiredText('path is the path of an added root folder.'),
    }),
    response: 'The root folders that are left.',
    output: rootListSchema,
    errors: ['not_found'],
  },
  'repo/scan': {
    rest: 'POST /api/repos/scan',
    operationId: 'scanRepos',
    scope: 'write',
    summary: 'Scan for repositories',
    response: 'The repositories found.',
    output: repoListSchema,
  },
  'repo/get': {
    rest: 'GET /api/repos/{repoId}',
    scope: 'read',
    summary: 'Get a repository',
    response: 'The repository with its branch.',
    output: repoSchema,
  },
  'repo/change': {
    rest: 'PATCH /api/repos/{repoId}',
    scope: 'admin',
    summary: 'Change the settings of a repository',
    body: changeRepoSchema,
    response: 'The repository.',
    output: repoSchema,
  },
  'repo/files': {
    rest: 'GET /api/repos/{repoId}/files',
    operationId: 'findRepoFiles',
    scope: 'read',
    summary: 'Find files by letters of their path',
    description:
      'Searches tracked files, and untracked files that are not ignored. For mentions in prompts.',
    query: z.strictObject({
      ...inSession,
      q: described(
        z.string().max(200).default(''),
        'Letters of the path, in order; empty matches all files.',
      ),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: 'The matching paths.',
    output: repoFilesSchema,
    errors: git,
  },
  'repo/file': {
    rest: 'GET /api/repos/{repoId}/file',
    operationId: 'readRepoFile',
    scope: 'read',
    summary: 'Read a file',
    description:
      'Text up to 1 MB and images up to 5 MB. Links are followed if they stay inside the repository.',
    query: z.strictObject({
      ...inSession,
      path: z.string().min(1).max(4096).describe('Relative to the repository.'),
    }),
    response: 'The current file.',
    output: repoFileSchema,
    errors: [...place, 'not_found', 'file_unreadable'],
  },
  'repo/status': {
    rest: 'GET /api/repos/{repoId}/status',
    operationId: 'getRepoStatus',
    scope: 'read',
    summary: 'The branch and changed files of a repository',
    description: 'Does not use the network.',
    query: z.strictObject(inSession),
    response: 'The branch and the changed files.',
    output: repoStatusSchema,
    errors: git,
  },
  'repo/trust': {
    rest: 'POST /api/repos/{repoId}/trust',
    scope: 'admin',
    summary: 'Trust a repository with its current agent configuration',
    description:
      'With `QUAYSIDE_TRUST=ask` each repository must be trusted once, and again when its agent configuration changes.',
    body: trustRepoSchema,
    response: 'The trusted files.',
    output: repoTrustSchema,
    errors: ['path_outside_root', 'repo_untrusted', 'invalid_settings'],
  },
  'repo/diff': {
    rest: 'GET /api/repos/{repoId}/diff',
    operationId: 'getRepoDiff',
    scope: 'read',
    summary: 'The uncommitted changes of a repository',
    description: 'Includes staged and unstaged changes, and untracked files that are not ignored.',
    query: repoDiffQuerySchema.extend(inSession),
    response: 'The changed files.',
    output: repoDiffSchema,
    errors: git,
  },
  'folder/list': {
    rest: 'GET /api/browse',
    operationId: 'browse',
    scope: 'read',
    summary: 'List folders inside the root folders',
    description: 'Returns names only, and none outside of the root folders.',
    query: z.strictObject({
      path: optional(z.string().max(4096), 'The folder to list; without it the root folders.'),
    }),
    response: 'The folders.',
    output: browseSchema,
    errors: ['path_outside_root', 'not_found'],
  },
} satisfies Commands
