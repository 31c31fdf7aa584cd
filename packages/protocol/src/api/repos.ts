// Declares the commands for repositories under the workspace roots: files, status, differences, and folders to choose from.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import type { Commands } from './command.js'
import { flag } from './fields.js'

const count = z.int().min(0)

export const repoSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  branch: z.string().exactOptional(),
  missing: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Repo = Shape<typeof repoSchema>
export const repoListSchema = z.object({ repos: z.array(repoSchema) })

export const repoFilesQuerySchema = z.strictObject({
  q: z.string().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export const repoFilesSchema = z.object({
  files: z.array(z.string()).describe('Paths inside the repository, the best match first.'),
  total: count.describe('Of how many files.'),
})
export type RepoFiles = Shape<typeof repoFilesSchema>

const fileStatusSchema = z.object({
  path: z.string(),
  oldPath: z.string().exactOptional(),
  staged: z.string().describe('HEAD against index: git’s letter, “.” for the same, “?” untracked.'),
  unstaged: z.string().describe('Index against file.'),
})
export const repoStatusSchema = z.object({
  /** `ahead` and `behind` are counted against the last fetch; git uses no network here. */
  branch: z.object({
    name: z.string().exactOptional(),
    commit: z.string().exactOptional(),
    upstream: z.string().exactOptional(),
    ahead: count.exactOptional(),
    behind: count.exactOptional(),
  }),
  files: z.array(fileStatusSchema),
  counts: z.object({ staged: count, unstaged: count, untracked: count, conflicted: count }),
  isTruncated: z.boolean(),
})
export type RepoStatus = Shape<typeof repoStatusSchema>

export const repoDiffQuerySchema = z.strictObject({
  path: z.string().min(1).max(4096).exactOptional(),
  patches: flag('patches', 'true'),
})
const fileChangeSchema = z.object({
  path: z.string(),
  /** The path before a rename. */
  oldPath: z.string().exactOptional(),
  status: z.enum(['A', 'M', 'D', 'R']),
  /** A `large` file is compared by size and time alone. */
  kind: z.enum(['text', 'binary', 'large', 'submodule']),
  blob: z
    .string()
    .exactOptional()
    .describe('Names what is in it now: the same name, the same content.'),
  /** Lines; only for text. */
  added: count.exactOptional(),
  removed: count.exactOptional(),
  patch: z.string().exactOptional().describe('Unified diff; absent when it is too long.'),
})
export type FileChange = Shape<typeof fileChangeSchema>

export const repoDiffSchema = z.object({
  files: z.array(fileChangeSchema),
  total: count.describe('How many files differ, also when not all are listed.'),
  added: count,
  removed: count,
  isTruncated: z.boolean(),
})
export type RepoDiff = Shape<typeof repoDiffSchema>

export const addRepoSchema = z.strictObject({ path: z.string().min(1).max(4096) })

export const repoFileQuerySchema = z.strictObject({ path: z.string().min(1).max(4096) })
const fileSize = { path: z.string(), byteLength: count }
export const repoFileSchema = z.discriminatedUnion('kind', [
  z.object({ ...fileSize, kind: z.literal('text'), text: z.string() }),
  z.object({ ...fileSize, kind: z.literal('image'), mimeType: z.string(), base64: z.string() }),
  z.object({ ...fileSize, kind: z.enum(['binary', 'large']) }).describe('Told by its size alone.'),
])
/** One file as it is now; of `large` and `binary` ones only the size. */
export type RepoFile = Shape<typeof repoFileSchema>

export const repoTrustSchema = z.object({
  trusted: z.literal(true),
  files: z.array(z.unknown()).describe('The agent configuration found in the repository.'),
})

export const browseQuerySchema = z.strictObject({ path: z.string().max(4096).exactOptional() })
export const browseSchema = z.object({
  path: z.string().nullable().describe('The folder that was asked for; null for the roots.'),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
})

const look = ['repo_not_found', 'path_outside_root'] as const
const lookWithGit = [...look, 'git_failed'] as const

export const repoCommands = {
  'repo/list': {
    rest: 'GET /api/repos',
    operationId: 'listRepos',
    scope: 'read',
    tag: 'Repositories',
    summary: 'The repositories that were found',
    response: 'Sorted by path.',
    output: repoListSchema,
  },
  'repo/add': {
    rest: 'POST /api/repos',
    operationId: 'addRepo',
    scope: 'write',
    tag: 'Repositories',
    summary: 'Make a repository known by its path',
    description:
      'The innermost one that the folder is or lies in, inside a workspace root. Also where a scan does not look, as in hidden folders.',
    body: addRepoSchema,
    response: 'The repository, also when it was known before.',
    output: repoSchema,
    errors: look,
  },
  'repo/scan': {
    rest: 'POST /api/repos/scan',
    operationId: 'scanRepos',
    scope: 'write',
    tag: 'Repositories',
    summary: 'Look again for repositories',
    response: 'What there is now.',
    output: repoListSchema,
  },
  'repo/get': {
    rest: 'GET /api/repos/{repoId}',
    operationId: 'getRepo',
    scope: 'read',
    tag: 'Repositories',
    summary: 'One repository',
    response: 'The repository with its branch.',
    output: repoSchema,
    errors: ['repo_not_found'],
  },
  'repo/files': {
    rest: 'GET /api/repos/{repoId}/files',
    operationId: 'findRepoFiles',
    scope: 'read',
    tag: 'Repositories',
    summary: 'Find files by a few letters',
    description: 'What git tracks or would track. For mentions in prompts.',
    query: repoFilesQuerySchema,
    queryNotes: { q: 'Letters of the path, in order; empty for any files.' },
    response: 'Paths.',
    output: repoFilesSchema,
    errors: lookWithGit,
  },
  'repo/file': {
    rest: 'GET /api/repos/{repoId}/file',
    operationId: 'readRepoFile',
    scope: 'read',
    tag: 'Repositories',
    summary: 'What is in a file',
    description:
      'Text up to 1 MB and pictures up to 5 MB. Links are followed as long as they stay in the repository.',
    query: repoFileQuerySchema,
    queryNotes: { path: 'Relative to the repository.' },
    response: 'The file as it is now.',
    output: repoFileSchema,
    errors: [...look, 'not_found', 'file_unreadable'],
  },
  'repo/status': {
    rest: 'GET /api/repos/{repoId}/status',
    operationId: 'getRepoStatus',
    scope: 'read',
    tag: 'Repositories',
    summary: 'Where the repository stands',
    description: 'Its branch and the files that differ. Nothing is asked over the network.',
    response: 'Branch and files.',
    output: repoStatusSchema,
    errors: lookWithGit,
  },
  'repo/trust': {
    rest: 'POST /api/repos/{repoId}/trust',
    operationId: 'trustRepo',
    scope: 'admin',
    tag: 'Repositories',
    summary: 'Trust a repository with the agent configuration it has now',
    description:
      'Needed once for each repository when `QUAYSIDE_TRUST` is `ask`, and again when that configuration changes.',
    response: 'The files that were trusted.',
    output: repoTrustSchema,
    errors: ['repo_not_found', 'path_outside_root'],
  },
  'repo/diff': {
    rest: 'GET /api/repos/{repoId}/diff',
    operationId: 'getRepoDiff',
    scope: 'read',
    tag: 'Repositories',
    summary: 'Everything since the last commit',
    description: 'Staged or not, with the untracked files that are not ignored.',
    query: repoDiffQuerySchema,
    queryNotes: {
      path: 'Only this file or folder, relative to the repository.',
      patches: '`false` leaves the patches out.',
    },
    response: 'Files and their patches.',
    output: repoDiffSchema,
    errors: lookWithGit,
  },
  'folder/list': {
    rest: 'GET /api/browse',
    operationId: 'browse',
    scope: 'read',
    tag: 'Repositories',
    summary: 'Folders under the workspace roots',
    description: 'Names only, nothing outside of the roots.',
    query: browseQuerySchema,
    queryNotes: { path: 'The folder to look into; without it the roots.' },
    response: 'Folders.',
    output: browseSchema,
    errors: ['path_outside_root', 'not_found'],
  },
} satisfies Commands
