// Implements the commands for the hubs that share the database.
import type { Handlers, hubsCommands } from '@quayside/protocol/schemas'
import type { Cluster } from '../cluster/cluster.js'
import type { Config } from '../config/config.js'
import type { Caller } from '../http/access/principal.js'

export type HubsDeps = {
  readonly config: Pick<Config, 'name'>
  readonly machineId: string
  readonly startedAt: number
  readonly version: string
  /** Undefined when the hub has its database to itself. */
  readonly cluster: Cluster | undefined
}

export function hubs(deps: HubsDeps): Handlers<typeof hubsCommands, Caller> {
  const { config, machineId: id, startedAt, version, cluster } = deps
  const alone = () => ({
    id,
    name: config.name,
    state: 'here' as const,
    version,
    startedAt: new Date(startedAt).toISOString(),
  })
  return {
    'hub/list': async () => {
      await cluster?.hubs.look()
      return { hubs: cluster?.hubs.list() ?? [alone()] }
    },
  }
}
