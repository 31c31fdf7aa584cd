// Declares the commands for the disk: its use, and the removal of ended sessions.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { optional } from '../fields.js'

const bytes = z.int().min(0)
const count = z.int().min(0)
const part = z.object({ bytes, files: count })

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
  freeBytes: z.number().min(0).describe('Free space on the disk.'),
  reusableBytes: bytes.describe('Free space inside the database file, which new data uses first.'),
})

export type StorageUse = Shape<typeof storageSchema>

export const retentionPolicySchema = z
  .strictObject({
    olderThanDays: optional(
      z.number().min(0).max(36_500),
      'Removes sessions that ended longer ago.',
    ),
    maxBytes: optional(bytes, 'Removes the oldest sessions until the rest uses at most this.'),
  })
  .refine(
    ({ olderThanDays, maxBytes }) => olderThanDays !== undefined || maxBytes !== undefined,
    'Send olderThanDays, maxBytes or both.',
  )

export type CleaningPolicy = Shape<typeof retentionPolicySchema>

const freed = {
  events: count,
  messages: count,
  databaseBytes: bytes.describe('Freed inside the database file, which keeps its size.'),
  media: part.describe('Files that only these sessions use.'),
  workTrees: part.describe('The snapshots of work trees that these sessions are compared with.'),
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
      unsaved: optional(
        z.literal(true),
        'Its own work tree has work that its base does not have. It is kept under `refs/quayside/kept/`.',
      ),
      discarded: optional(
        z.string(),
        'The reference that keeps its work since somebody discarded it. It is removed with the session.',
      ),
    }),
  ),
  ...freed,
})
export type CleaningPlan = Shape<typeof retentionPlanSchema>

export const cleanedSchema = z.object({
  removed: z.array(z.string()).describe('Ids of the removed sessions.'),
  kept: z.array(z.string()).describe('Ids of sessions that changed meanwhile and were kept.'),
  ...freed,
  reusableBytes: bytes,
})
export type Cleaned = Shape<typeof cleanedSchema>

export const storageCommands = {
  'storage/get': {
    rest: 'GET /api/storage',
    scope: 'read',
    summary: 'Disk use of the hub',
    response: 'The disk use, by kind of data.',
    output: storageSchema,
  },
  'storage/plan': {
    rest: 'POST /api/storage/plan',
    operationId: 'planCleaning',
    scope: 'read',
    summary: 'Preview the removal of old sessions',
    description: 'Changes nothing. Active and pinned sessions are never removed.',
    body: retentionPolicySchema,
    response: 'The sessions, oldest first, and the space that removing them would free.',
    output: retentionPlanSchema,
  },
  'storage/clean': {
    rest: 'POST /api/storage/clean',
    operationId: 'clean',
    scope: 'admin',
    summary: 'Remove old sessions permanently',
    body: retentionPolicySchema,
    response: 'The removed sessions and the freed space.',
    output: cleanedSchema,
    errors: ['storage_failed'],
  },
} satisfies Commands
