// Implements the commands for the hubs that share the database.
import type { hubCommands } from '@quayside/protocol/schemas'
import type { HubAdmin } from '../cluster/hub-admin.js'
import { HubError } from '../errors.js'
import type { Room } from './room.js'

export const hubs: Room<typeof hubCommands> = (deps) => {
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
