// The hubs of a PostgreSQL database.
import type { RepoSettings } from '@quayside/protocol'
import type {
  ClusterStore,
  Hint,
  HubLease,
  HubRow,
  LostSession,
  PeerAccess,
  OwnedSession,
  StoredRepo,
} from '../cluster-store.js'
import type { Connections } from './connections.js'
import { Hints } from './hints.js'
import { DISK, type Ownership } from './ownership.js'
import type { RepoRows } from './repos/repo-rows.js'

export class ClusterRows implements ClusterStore {
  readonly #db: Connections
  readonly #ownership: Ownership
  readonly #hints: Hints
  readonly #repos: RepoRows

  constructor(db: Connections, ownership: Ownership, repos: RepoRows) {
    this.#db = db
    this.#repos = repos
    this.#ownership = ownership
    this.#hints = new Hints(db, () => ownership.hubId)
  }

  get lease(): HubLease {
    return this.#ownership.lease
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

  owns(sessionId: string): boolean {
    return this.#ownership.owns(sessionId)
  }

  findOwner(sessionId: string): Promise<OwnedSession | undefined> {
    return this.#db.readOne(FIND_OWNER, [sessionId])
  }

  lostSessions(): Promise<LostSession[]> {
    return this.#ownership.lostSessions()
  }

  release(sessionId: string): Promise<void> {
    return this.#ownership.release(sessionId)
  }

  /** Only another hub can add one, on a shared volume. */
  async refreshRepos(): Promise<void> {
    if (this.#ownership.lease.disks.shared.length > 0) await this.#repos.refresh()
  }

  async knowRepo(id: string): Promise<void> {
    if (this.#repos.find(id) === undefined) await this.refreshRepos()
  }

  async activeSessions(): Promise<[string, number][]> {
    const rows = await this.#db.read<{ machineId: string; count: number }>(ACTIVE_COUNTS, [])
    return rows.map(({ machineId, count }) => [machineId, count])
  }

  async activeOf(machineId: string): Promise<string[]> {
    const rows = await this.#db.read<{ id: string }>(ACTIVE_OF, [machineId])
    return rows.map(({ id }) => id)
  }

  async setDraining(machineId: string, isDraining: boolean): Promise<void> {
    await this.#db.write(SET_DRAINING, [machineId, isDraining])
  }

  async removeHub(machineId: string): Promise<boolean> {
    return (await this.#db.write(REMOVE_HUB, [machineId])).length > 0
  }

  announce(access: PeerAccess): Promise<void> {
    return this.#ownership.lease.announce(access)
  }

  async hubs(): Promise<HubRow[]> {
    return (await this.#db.read<StoredHub>(LIST, [])).map(toHubRow)
  }

  lastSeqs(ids: readonly string[]): Promise<Hint[]> {
    return this.#db.read(LAST_SEQS, [ids])
  }

  activeElsewhere(): Promise<Hint[]> {
    return this.#db.read(ACTIVE_ELSEWHERE, [this.hubId])
  }

  changedElsewhere(withinMs: number): Promise<Hint[]> {
    return this.#db.read(CHANGED_ELSEWHERE, [this.hubId, withinMs])
  }

  volumeOf(repoId: string): string | undefined {
    return this.#repos.volumeOf(repoId)
  }

  async findRepo(id: string): Promise<StoredRepo | undefined> {
    const row = await this.#db.readOne<RepoColumns>(FIND_REPO, [id])
    return row && toRepo(row)
  }

  async reposElsewhere(): Promise<StoredRepo[]> {
    const rows = await this.#db.read<RepoColumns>(REPOS_ELSEWHERE, [this.#ownership.volumes])
    return rows.map(toRepo)
  }

  sendHint(hint: Hint): void {
    this.#hints.send(hint)
  }

  onHints(listener: (hints: readonly Hint[]) => void): () => void {
    return this.#hints.onHints(listener)
  }

  close(): Promise<void> {
    return this.#hints.close()
  }
}

type RepoColumns = Omit<StoredRepo, 'settings'> & { readonly settings: string | null }

function toRepo({ settings, ...row }: RepoColumns): StoredRepo {
  return settings === null ? row : { ...row, settings: JSON.parse(settings) as RepoSettings }
}

type StoredHub = Omit<HubRow, 'access'> & { readonly [Key in keyof PeerAccess]-?: string | null }

function toHubRow({ address, token, certificate, ...row }: StoredHub): HubRow {
  const hasAccess = address !== null && token !== null
  const access = hasAccess ? { address, token, ...(certificate && { certificate }) } : undefined
  return { ...row, access }
}

const LIST = {
  name: 'hub_list',
  text: `SELECT DISTINCT ON ("machineId") "id", "machineId", "name", "version", "address", "token", "certificate", "volumes", "startedAt", "draining" AS "isDraining",
      floor(extract(epoch FROM "seenAt") * 1000)::bigint AS "seenAt",
      NOT "dead" AND "leaseUntil" > clock_timestamp() AND "address" IS NOT NULL AS "isLiving"
    FROM "Hub" ORDER BY "machineId", "dead", "startedAt" DESC`,
}

const ACTIVE_COUNTS = {
  name: 'hub_active_counts',
  text: `SELECT h."machineId", count(*) AS "count" FROM "AgentSession" AS s JOIN "Hub" AS h ON h."id" = s."owner"
    WHERE s."status" = 'active' AND NOT h."dead" GROUP BY h."machineId"`,
}
const ACTIVE_OF = {
  name: 'hub_active_of',
  text: `SELECT s."id" FROM "AgentSession" AS s JOIN "Hub" AS h ON h."id" = s."owner"
    WHERE s."status" = 'active' AND h."machineId" = $1`,
}
const SET_DRAINING = {
  name: 'hub_set_draining',
  text: 'UPDATE "Hub" SET "draining" = $2 WHERE "machineId" = $1 AND NOT "dead"',
}
/** Its lease is over, so that its agents have ended. */
const REMOVE_HUB = {
  name: 'hub_remove',
  text: `DELETE FROM "Hub" WHERE "machineId" = $1 AND NOT EXISTS (
    SELECT 1 FROM "Hub" AS h WHERE h."machineId" = $1 AND h."leaseUntil" > clock_timestamp()) RETURNING "id"`,
}

const HINT = `SELECT "id" AS "sessionId", "lastSeq" FROM "AgentSession"`
const REPO = `SELECT "id", "volume", "name", "path", "missing", "createdAt", "settings" FROM "Repo"`
const FIND_REPO = { name: 'repo_find', text: `${REPO} WHERE "id" = $1` }
const REPOS_ELSEWHERE = {
  name: 'repo_elsewhere',
  text: `${REPO} WHERE "volume" <> ALL ($1::text[]) AND NOT "missing" ORDER BY "path"`,
}
const FIND_OWNER = {
  name: 'session_owner',
  text: `SELECT "owner", "repoId", ${DISK} AS "volume" FROM "AgentSession" WHERE "id" = $1`,
}
const LAST_SEQS = { name: 'session_last_seqs', text: `${HINT} WHERE "id" = ANY ($1::text[])` }
const ACTIVE_ELSEWHERE = {
  name: 'session_active_elsewhere',
  text: `${HINT} WHERE "status" = 'active' AND "owner" IS DISTINCT FROM $1`,
}
const CHANGED_ELSEWHERE = {
  name: 'session_changed_elsewhere',
  text: `${HINT} WHERE "owner" IS DISTINCT FROM $1 AND "updatedAt" >= extract(epoch FROM clock_timestamp()) * 1000 - $2`,
}
