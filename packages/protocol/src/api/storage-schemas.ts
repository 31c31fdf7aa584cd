// Schemas for what the hub keeps: media, the disk, and which ended sessions a cleaning takes.
import { z } from 'zod'

const bytes = z.int().min(0)
const count = z.int().min(0)
const part = z.object({ bytes, files: count })

export const mediaSchema = z.object({
  id: z.string(),
  url: z.string().describe('Goes into an image block as its `uri`.'),
  mimeType: z.string(),
  byteLength: bytes,
})

export const storageSchema = z.object({
  dataDir: z.string(),
  database: part,
  walBytes: bytes,
  media: part,
  wire: part,
  backups: part,
  setAside: part,
  other: part,
  totalBytes: bytes,
  freeBytes: z.number().min(0).describe('What the disk still has.'),
  reusableBytes: bytes.describe('Room inside of the database’s file for what comes next.'),
})

export type StorageUse = z.infer<typeof storageSchema>

export const retentionPolicySchema = z
  .strictObject({
    olderThanDays: z
      .number()
      .min(0)
      .max(36_500)
      .exactOptional()
      .describe('Sessions that ended longer ago go.'),
    maxBytes: bytes.exactOptional().describe('The oldest go until all of them hold at most this.'),
  })
  .refine(
    ({ olderThanDays, maxBytes }) => olderThanDays !== undefined || maxBytes !== undefined,
    'Send olderThanDays, maxBytes or both.',
  )

export type CleaningPolicy = z.infer<typeof retentionPolicySchema>

const freed = {
  events: count,
  messages: count,
  databaseBytes: bytes.describe('Freed inside of the database’s file, which keeps its size.'),
  media: part.describe('Files that only these sessions use.'),
  workTrees: part.describe('The work trees that were kept to tell what these sessions changed.'),
  unusedMedia: part.describe('Files that no session uses.'),
}
export const retentionPlanSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      endedAt: z.iso.datetime(),
      lastSeq: z.int().min(0),
      events: count,
      messages: count,
      bytes,
      workTree: part,
    }),
  ),
  ...freed,
})
export type CleaningPlan = z.infer<typeof retentionPlanSchema>

export const cleanedSchema = z.object({
  removed: z.array(z.string()).describe('Ids of the sessions that are gone.'),
  kept: z.array(z.string()).describe('Ids of those that changed after the plan was made.'),
  ...freed,
  reusableBytes: bytes,
})
