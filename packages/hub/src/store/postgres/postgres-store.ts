// The store on a PostgreSQL database that several hubs may share. Answers are promises, except of rows that are kept in memory.
import type { Store } from '../store.js'
import { CheckpointRows } from './checkpoint-rows.js'
import { ClusterRows } from './cluster-rows.js'
import { Connections } from './connections.js'
import { CredentialRows } from './credential-rows.js'
import { EventRows } from './event-rows.js'
import { MediaRows } from './media-rows.js'
import { migrateUp } from './migrations.js'
import { type HubIdentity, renewMs } from './lease.js'
import { Ownership } from './ownership.js'
import { RepoRows } from './repos/repo-rows.js'
import { SearchIndex } from './search/search-index.js'
import { SearchRows } from './search/search-rows.js'
import { SessionRows } from './sessions/session-rows.js'
import { SharedRows } from './shared-rows.js'
import { UpkeepRows } from './upkeep-rows.js'

export type PostgresStore = {
  readonly store: Store
  /** Gives up this hub's sessions and closes the connections. */
  readonly close: () => Promise<void>
}

/** Migrates the database to the schema of this build, and registers the hub. */
export async function openPostgres(url: string, hub: HubIdentity): Promise<PostgresStore> {
  const db = new Connections(url)
  const leaseDb = new Connections(url, { answerMs: renewMs(hub.leaseMs) })
  const closeAll = async (): Promise<void> => {
    await Promise.all([db.close(), leaseDb.close()])
  }
  try {
    await Promise.all([db.findServer(), leaseDb.findServer()])
    await migrateUp(db)
    const ownership = new Ownership(db, hub, leaseDb)
    await ownership.lease.register()
    const search = new SearchIndex(db)
    const media = new MediaRows(db)
    const repos = await RepoRows.open(db, ownership.lease.disks)
    const cluster = new ClusterRows(db, ownership, repos)
    const store = {
      events: new EventRows({ db, ownership, search, media }),
      checkpoints: new CheckpointRows(db),
      sessions: new SessionRows(db, ownership),
      search: new SearchRows(db, search),
      upkeep: new UpkeepRows(db, media, ownership),
      repos,
      credentials: new CredentialRows(db),
      media,
      shared: await SharedRows.open(db),
      cluster,
    } satisfies Store
    const close = async (): Promise<void> => {
      await search.close()
      await cluster.close()
      // Without an answer the next start of this hub takes its sessions back.
      await ownership.leave().catch(() => undefined)
      await closeAll()
    }
    return { store, close }
  } catch (error) {
    await closeAll()
    throw error
  }
}
