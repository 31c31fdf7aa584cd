// Declares the commands for the hubs that share one database.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'

/** This hub, another one that can be reached, and one that does not answer. */
export const HUB_STATES = ['here', 'elsewhere', 'away'] as const

/** The machine that a session, a repository or a terminal is on. */
export const hubPlaceSchema = z.object({
  id: z.string().describe('Of the machine: the same after each start of its hub.'),
  name: z.string().describe('The name of the machine, as `quayside start --name` gives it.'),
  state: z
    .enum(HUB_STATES)
    .describe(
      '`here` is the hub that carries the command out, `elsewhere` another one that runs, `away` one that does not.',
    ),
  since: z.iso
    .datetime()
    .exactOptional()
    .describe('When a hub that is away was last seen. Only with `away`.'),
})
export type HubPlace = Shape<typeof hubPlaceSchema>

export const hubSchema = hubPlaceSchema.extend({
  version: z.string(),
  address: z
    .string()
    .exactOptional()
    .describe('Where the other hubs reach it. Absent for one that has no database to share.'),
  startedAt: z.iso.datetime(),
  activeSessions: z
    .number()
    .int()
    .exactOptional()
    .describe('The sessions that it runs. Absent in answers of older hubs.'),
  draining: z
    .literal(true)
    .exactOptional()
    .describe('It is being emptied, and takes no new sessions and prompts.'),
})
/** A machine with a hub. */
export type KnownHub = Shape<typeof hubSchema>
export const hubListSchema = z.object({ hubs: z.array(hubSchema) })

export const drainSchema = z.object({
  cancel: z.boolean().optional().describe('Take work again instead.'),
})

export const hubsCommands = {
  'hub/list': {
    rest: 'GET /api/hubs',
    operationId: 'listHubs',
    scope: 'read',
    summary: 'The hubs that share this database',
    description: 'By name. A hub with a SQLite file is alone.',
    response: 'The hubs, with the one that answers among them.',
    output: hubListSchema,
  },
  'hub/drain': {
    rest: 'POST /api/hubs/{hubId}/drain',
    operationId: 'drainHub',
    scope: 'admin',
    summary: 'Empty a hub, for an upgrade',
    description:
      'The hub takes no new sessions and prompts. It completes the turns that run, then puts its sessions to sleep; another hub that has the volume of a session resumes it. Follow `activeSessions` in the list of hubs. The next start of the hub takes work again.',
    body: drainSchema,
    response: 'The hub.',
    output: hubSchema,
    errors: ['hub_alone', 'hub_unreachable'],
  },
  'hub/remove': {
    rest: 'DELETE /api/hubs/{hubId}',
    operationId: 'removeHub',
    scope: 'admin',
    summary: 'Forget a hub that is away for good',
    description:
      'Its sessions can still be read; those that were active end. A hub that starts again with its data directory is known again.',
    response: 'The hubs that are left.',
    output: hubListSchema,
    errors: ['hub_alone', 'hub_running'],
  },
} satisfies Commands
