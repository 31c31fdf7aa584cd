// Lists the hubs of the database, empties one, and forgets one that is away for good.
import type { KnownHub } from '@quayside/protocol'
import { HubError } from '../errors.js'
import type { Log } from '../log.js'
import { lostEnds } from '../sessions/log/close-log.js'
import type { Sessions } from '../sessions/sessions.js'
import type { ClusterStore, HubRow } from '../store/cluster-store.js'
import type { KnownHubs } from './known-hubs.js'

export type HubAdminDeps = {
  readonly store: ClusterStore
  readonly hubs: KnownHubs
  readonly sessions: Sessions
  readonly log: Log
}

export class HubAdmin {
  readonly #deps: HubAdminDeps

  constructor(deps: HubAdminDeps) {
    this.#deps = deps
  }

  /** By name, with their active sessions. */
  async list(): Promise<KnownHub[]> {
    const { store, hubs } = this.#deps
    await hubs.look()
    return hubs.list(new Map(await store.activeSessions()))
  }

  /** `hubId` is an id or a name. Throws `hub_not_found`, and `hub_unreachable` for one that does not run. */
  async drain(hubId: string, isDraining: boolean): Promise<KnownHub> {
    const { store, log } = this.#deps
    const row = await this.#require(hubId)
    if (!row.isLiving)
      throw new HubError('hub_unreachable', {
        message: `The hub "${row.name}" does not run, so it has nothing to empty. To forget it: quayside hubs remove ${row.name}`,
      })
    await store.setDraining(row.machineId, isDraining)
    log.info({ hub: row.name, isDraining }, 'a hub is to be emptied')
    const listed = await this.list()
    return listed.find(({ id }) => id === row.machineId) ?? this.#throwNotFound(hubId)
  }

  /** Its sessions stay readable. Those that were active get their end. Throws `hub_not_found` and `hub_running`. */
  async remove(hubId: string): Promise<void> {
    const { store, hubs, sessions, log } = this.#deps
    const { machineId, name } = await this.#require(hubId)
    const active = await store.activeOf(machineId)
    if (!(await store.removeHub(machineId)))
      throw new HubError('hub_running', {
        message: `The hub "${name}" runs, or ran a moment ago. Stop it first; then its removal succeeds within a minute.`,
      })
    await hubs.look()
    const machine = `The machine "${name}"`
    const ends = lostEnds(`${machine} was removed from the hubs of this database.`, machine)
    for (const id of active)
      await sessions
        .endLost(id, ends)
        .catch((error: unknown) =>
          log.warn(
            { err: error, sessionId: id },
            'the end of a removed hub’s session is not stored',
          ),
        )
    log.info({ hub: name, sessions: active.length }, 'removed a hub')
  }

  async #require(hubId: string): Promise<HubRow> {
    const { hubs } = this.#deps
    await hubs.look()
    return hubs.require(hubId)
  }

  #throwNotFound(hubId: string): never {
    throw new HubError('hub_not_found', { hubId })
  }
}
