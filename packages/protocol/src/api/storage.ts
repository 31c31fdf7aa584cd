// Declares the commands for the disk: its use, and the removal of ended sessions.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import type { Commands } from './command.js'

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
  freeBytes: z.number().min(0).describe('What the disk still has.'),
  reusableBytes: bytes.describe('Room inside of the database’s file for what comes next.'),
})

export type StorageUse = Shape<typeof storageSchema>

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

export type CleaningPolicy = Shape<typeof retentionPolicySchema>

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
export type CleaningPlan = Shape<typeof retentionPlanSchema>

export const cleanedSchema = z.object({
  removed: z.array(z.string()).describe('Ids of the sessions that are gone.'),
  kept: z.array(z.string()).describe('Ids of those that changed after the plan was made.'),
  ...freed,
  reusableBytes: bytes,
})

export const storageCommands = {
  'storage/get': {
    rest: 'GET /api/storage',
    operationId: 'getStorage',
    scope: 'read',
    tag: 'Storage',
    summary: 'What takes room on the disk',
    response: 'By kind of thing.',
    output: storageSchema,
  },
  'storage/plan': {
    rest: 'POST /api/storage/plan',
    operationId: 'planCleaning',
    scope: 'read',
    tag: 'Storage',
    summary: 'What would a cleaning take?',
    description: 'Changes nothing. Active and pinned sessions always stay.',
    body: retentionPolicySchema,
    response: 'The sessions, oldest first, and what they would free.',
    output: retentionPlanSchema,
  },
  'storage/clean': {
    rest: 'POST /api/storage/clean',
    operationId: 'clean',
    scope: 'admin',
    tag: 'Storage',
    summary: 'Remove old sessions for good',
    body: retentionPolicySchema,
    response: 'What is gone.',
    output: cleanedSchema,
    errors: ['storage_failed'],
  },
} satisfies Commands
