// Implements the commands for the hubs that share the database.
import type { Handlers, hubsCommands } from '@quayside/protocol/schemas'
import type { HubAdmin } from '../cluster/hub-admin.js'
import type { Config } from '../config/config.js'
import { HubError } from '../errors.js'
import type { Caller } from '../http/access/principal.js'

export type HubsDeps = {
  readonly config: Pick<Config, 'name'>
  readonly machineId: string
  readonly startedAt: number
  readonly version: string
  /** Undefined when the hub has its database to itself. */
  readonly hubAdmin: HubAdmin | undefined
}

export function hubs(deps: HubsDeps): Handlers<typeof hubsCommands, Caller> {
  const { config, machineId: id, startedAt, version, hubAdmin } = deps
  const alone = () => ({
    id,
    name: config.name,
    state: 'here' as const,
    version,
    startedAt: new Date(startedAt).toISOString(),
  })
  const list = async () => ({ hubs: (await hubAdmin?.list()) ?? [alone()] })
  const requireSeveral = (): HubAdmin => {
    if (hubAdmin === undefined) throw new HubError('hub_alone')
    return hubAdmin
  }
  return {
    'hub/list': list,
    'hub/drain': ({ hubId, cancel = false }) => requireSeveral().drain(hubId, !cancel),
    'hub/remove': async ({ hubId }) => {
      await requireSeveral().remove(hubId)
      return list()
    },
  }
}
