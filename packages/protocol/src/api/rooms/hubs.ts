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
})
/** A machine with a hub. */
export type KnownHub = Shape<typeof hubSchema>
export const hubListSchema = z.object({ hubs: z.array(hubSchema) })

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
} satisfies Commands
