// The hubs of a PostgreSQL database.
import type { ClusterStore, HubRow, PeerAccess } from '../cluster-store.js'
import type { Connections } from './connections.js'
import type { Ownership } from './ownership.js'

export class ClusterRows implements ClusterStore {
  readonly #db: Connections
  readonly #ownership: Ownership

  constructor(db: Connections, ownership: Ownership) {
    this.#db = db
    this.#ownership = ownership
  }

  get machineId(): string {
    return this.#ownership.hub.machineId
  }

  get name(): string {
    return this.#ownership.hub.name
  }

  get hubId(): string {
    return this.#ownership.hubId
  }

  announce(access: PeerAccess): Promise<void> {
    return this.#ownership.announce(access)
  }

  async hubs(): Promise<HubRow[]> {
    return (await this.#db.read<StoredHub>(LIST, [])).map(toHubRow)
  }
}

type StoredHub = Omit<HubRow, 'access'> & { readonly [Key in keyof PeerAccess]-?: string | null }

function toHubRow({ address, token, certificate, ...row }: StoredHub): HubRow {
  const hasAccess = address !== null && token !== null
  const access = hasAccess ? { address, token, ...(certificate && { certificate }) } : undefined
  return { ...row, access }
}

const LIST = {
  name: 'hub_list',
  text: `SELECT DISTINCT ON ("machineId") "id", "machineId", "name", "version", "address", "token", "certificate", "volumes", "startedAt",
      floor(extract(epoch FROM "seenAt") * 1000)::bigint AS "seenAt",
      NOT "dead" AND "leaseUntil" > clock_timestamp() AS "isLiving"
    FROM "Hub" ORDER BY "machineId", "dead", "startedAt" DESC`,
}
