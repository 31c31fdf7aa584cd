// Schemas for looking into repositories and folders: their files, where they stand, how they differ.
import { z } from 'zod'

const count = z.int().min(0)

export const repoFilesQuerySchema = z.strictObject({
  q: z.string().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export const repoFilesSchema = z.object({
  files: z.array(z.string()).describe('Paths inside the repository, the best match first.'),
  total: count.describe('Of how many files.'),
})

const fileStatusSchema = z.object({
  path: z.string(),
  oldPath: z.string().exactOptional(),
  staged: z.string().describe('HEAD against index: git’s letter, “.” for the same, “?” untracked.'),
  unstaged: z.string().describe('Index against file.'),
})
export const repoStatusSchema = z.object({
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

const diffQuerySchema = z.strictObject({
  path: z.string().min(1).max(4096).exactOptional(),
  patches: z.enum(['true', 'false'], 'patches is true or false.').default('true'),
})
export const repoDiffQuerySchema = diffQuerySchema
const fileChangeSchema = z.object({
  path: z.string(),
  oldPath: z.string().exactOptional(),
  status: z.enum(['A', 'M', 'D', 'R']),
  kind: z.enum(['text', 'binary', 'large', 'submodule']),
  blob: z
    .string()
    .exactOptional()
    .describe('Names what is in it now: the same name, the same content.'),
  added: count.exactOptional(),
  removed: count.exactOptional(),
  patch: z.string().exactOptional().describe('Unified diff; absent when it is too long.'),
})
export const repoDiffSchema = z.object({
  files: z.array(fileChangeSchema),
  total: count.describe('How many files differ, also when not all are listed.'),
  added: count,
  removed: count,
  isTruncated: z.boolean(),
})

export const addRepoSchema = z.strictObject({ path: z.string().min(1).max(4096) })

export const repoFileQuerySchema = z.strictObject({ path: z.string().min(1).max(4096) })
const fileSize = { path: z.string(), byteLength: count }
export const repoFileSchema = z.discriminatedUnion('kind', [
  z.object({ ...fileSize, kind: z.literal('text'), text: z.string() }),
  z.object({ ...fileSize, kind: z.literal('image'), mimeType: z.string(), base64: z.string() }),
  z.object({ ...fileSize, kind: z.enum(['binary', 'large']) }).describe('Told by its size alone.'),
])

export const repoTrustSchema = z.object({
  trusted: z.literal(true),
  files: z.array(z.unknown()).describe('The agent configuration found in the repository.'),
})

export const changesQuerySchema = diffQuerySchema.extend({
  since: z.enum(['session', 'turn'], 'since is session or turn.').default('session'),
})
export const sessionChangesSchema = z.union([
  repoDiffSchema.extend({ is: z.literal('known') }),
  z.object({ is: z.literal('gone') }).describe('The work tree at the beginning was not kept.'),
  z.object({ is: z.literal('none') }).describe('Since the latest turn, and no turn has begun.'),
])

export const browseSchema = z.object({
  path: z.string().nullable().describe('The folder that was asked for; null for the roots.'),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
})
