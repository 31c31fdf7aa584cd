// Declares the commands about the ways by which other devices reach the hub.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'

/** Why a way does not work yet. */
const WAY_PROBLEMS = [
  'this_machine_only',
  'no_network',
  'not_installed',
  'not_connected',
  'not_served',
] as const
const waySchema = z.object({
  kind: z
    .enum(['address', 'tailscale', 'network'])
    .describe('`address`: a proxy or tunnel. `network`: the network of the hub’s machine.'),
  url: z.string().exactOptional().describe('The address for other devices; absent until it works.'),
  isEncrypted: z.boolean(),
  problem: z.enum(WAY_PROBLEMS).exactOptional(),
  command: z
    .string()
    .exactOptional()
    .describe('The one step that is missing, as typed on the hub’s machine.'),
})
export const reachSchema = z.object({
  ways: z.array(waySchema),
  certificate: z
    .object({
      fingerprint: z.string().describe('SHA-256, as browsers show it.'),
      isSelfSigned: z.boolean().describe('Browsers ask once whether to trust it.'),
    })
    .exactOptional()
    .describe('Present when the hub itself serves TLS.'),
})
/** One way to the hub from another device. */
export type ReachWay = Shape<typeof waySchema>
export type ReachState = Shape<typeof reachSchema>

const addHostSchema = z.strictObject({
  isKept: z
    .boolean()
    .exactOptional()
    .describe('False: until the hub stops or the name is removed. Default: true.'),
})

export const reachCommands = {
  'reach/get': {
    rest: 'GET /api/reach',
    operationId: 'getReach',
    scope: 'admin',
    summary: 'The ways by which other devices reach the hub',
    description:
      'Checks the hub’s own address, Tailscale and the network. A way with a `url` works; any other has a `problem` and, if there is one, the step that is missing.',
    response: 'The ways, best first.',
    output: reachSchema,
  },
  'host/add': {
    rest: 'PUT /api/hosts/{hostname}',
    operationId: 'addHost',
    scope: 'admin',
    summary: 'Accept a host name that a TLS proxy or tunnel serves',
    body: addHostSchema,
    mayBeNew: true,
    response: 'Requests to this name are accepted.',
  },
  'host/remove': {
    rest: 'DELETE /api/hosts/{hostname}',
    operationId: 'removeHost',
    scope: 'admin',
    summary: 'Accept an added host name no longer',
    mayBeNew: true,
    response: 'The name is refused, unless a setting names it.',
  },
} satisfies Commands
