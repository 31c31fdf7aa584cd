// The repositories on the disks of this hub in PostgreSQL, with all of their rows in memory.
import type { RepoSettings } from '@quayside/protocol'
import {
  type FoundRepo,
  MAX_TRUSTED_HASHES,
  type RepoRow,
  type RepoStore,
  type ScanTime,
} from '../../repo-store.js'
import type { Connections } from '../connections.js'
import type { Disks } from './disks.js'

export class RepoRows implements RepoStore {
  readonly #db: Connections
  readonly #disks: Disks
  /** With the paths of this machine. */
  #rows: ReadonlyMap<string, StoredRepo> = new Map()

  private constructor(db: Connections, disks: Disks) {
    this.#db = db
    this.#disks = disks
  }

  static async open(db: Connections, disks: Disks): Promise<RepoRows> {
    const repos = new RepoRows(db, disks)
    await repos.refresh()
    await repos.#moveToVolumes()
    return repos
  }

  /** Another hub may have added a repository of a shared volume. Reads on the writing connection, whose statements run in order, so that an older list never replaces a newer one. */
  async refresh(): Promise<void> {
    const rows = await this.#db.write<StoredRepo>(LIST, [this.#disks.names])
    const here = rows.map((row) => ({ ...row, path: this.#disks.resolve(row) }))
    this.#rows = new Map(here.map((row) => [row.id, row]))
  }

  find(id: string): RepoRow | undefined {
    const row = this.#rows.get(id)
    return row && toRepoRow(row)
  }

  volumeOf(id: string): string | undefined {
    return this.#rows.get(id)?.volume
  }

  list(): RepoRow[] {
    return [...this.#rows.values()].filter(({ missing }) => !missing).map(toRepoRow)
  }

  async remember(repo: FoundRepo, now: number): Promise<string> {
    await this.#change(REMEMBER, [...this.#columnsOf([repo]), now])
    const row = [...this.#rows.values()].find((one) => one.path === repo.path)
    return row?.id ?? repo.id
  }

  async replaceAll(found: readonly FoundRepo[], { startedAt, endedAt }: ScanTime): Promise<void> {
    await this.#db.write(REMEMBER, [...this.#columnsOf(found), startedAt])
    const gone = this.#goneFromVolumes(found)
    if (gone.length > 0) await this.#db.write(MARK_GONE, [gone])
    await this.#change(MARK_MISSING, [this.#disks.names[0], startedAt, endedAt])
  }

  trustedHashes(id: string): readonly string[] {
    return this.#rows.get(id)?.trustedHash?.split(' ') ?? []
  }

  async addTrustedHash(id: string, hash: string): Promise<void> {
    const others = this.trustedHashes(id).filter((known) => known !== hash)
    const hashes = [hash, ...others].slice(0, MAX_TRUSTED_HASHES)
    await this.#change(SET_TRUST, [id, hashes.join(' ')])
  }

  async setSettings(id: string, settings: RepoSettings): Promise<void> {
    const isEmpty = Object.keys(settings).length === 0
    await this.#change(SET_SETTINGS, [id, isEmpty ? null : JSON.stringify(settings)])
  }

  async #change(statement: { name: string; text: string }, values: unknown[]): Promise<void> {
    await this.#db.write(statement, values)
    await this.refresh()
  }

  /** Hubs that share a volume scan it at different times, by different clocks: only what this one knew and did not find has gone. */
  #goneFromVolumes(found: readonly FoundRepo[]): string[] {
    const paths = new Set(found.map(({ path }) => path))
    const { shared } = this.#disks
    const mounted = new Set(shared.filter((volume) => this.#disks.isMounted(volume)))
    const gone = [...this.#rows.values()].filter(
      ({ volume, path, missing }) => !missing && mounted.has(volume) && !paths.has(path),
    )
    return gone.map(({ id }) => id)
  }

  /** Repositories that were known before their volume got its name. */
  async #moveToVolumes(): Promise<void> {
    const rows = [...this.#rows.values()]
    const moved = rows.filter((row) => this.#disks.locate(row.path).volume !== row.volume)
    if (moved.length === 0) return
    const places = moved.map(({ path }) => this.#disks.locate(path))
    const ids = moved.map(({ id }) => id)
    const values = [ids, places.map(({ volume }) => volume), places.map(({ path }) => path)]
    await this.#change(MOVE, values)
  }

  #columnsOf(repos: readonly FoundRepo[]): string[][] {
    const places = repos.map(({ path }) => this.#disks.locate(path))
    return [
      places.map(({ volume }) => volume),
      repos.map(({ id }) => id),
      places.map(({ path }) => path),
      repos.map(({ name }) => name),
    ]
  }
}

type StoredRepo = Omit<RepoRow, 'settings'> & {
  readonly volume: string
  readonly settings: string | null
  readonly trustedHash: string | null
}

function toRepoRow({
  trustedHash: _trusted,
  volume: _volume,
  settings,
  ...row
}: StoredRepo): RepoRow {
  return settings === null ? row : { ...row, settings: JSON.parse(settings) as RepoSettings }
}

const LIST = {
  name: 'repo_list',
  text: `SELECT "id", "volume", "name", "path", "missing", "createdAt", "settings", "trustedHash" FROM "Repo"
    WHERE "volume" = ANY ($1::text[]) ORDER BY "path"`,
}
const REMEMBER = {
  name: 'repo_remember',
  text: `INSERT INTO "Repo" ("id", "volume", "path", "name", "createdAt", "lastSeenAt")
    SELECT r."id", r."volume", r."path", r."name", $5::bigint, $5::bigint
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r("volume", "id", "path", "name")
    ON CONFLICT ("volume", "path") DO UPDATE SET "lastSeenAt" = excluded."lastSeenAt", "missing" = false`,
}
/** A clock that was set back leaves times after the scan, too. */
const MARK_MISSING = {
  name: 'repo_mark_missing',
  text: `UPDATE "Repo" SET "missing" = true WHERE "volume" = $1 AND "lastSeenAt" NOT BETWEEN $2 AND $3`,
}
const MARK_GONE = {
  name: 'repo_mark_gone',
  text: 'UPDATE "Repo" SET "missing" = true WHERE "id" = ANY ($1::text[])',
}
/** Not when another hub has added the same repository: its sessions stay where they are. */
const MOVE = {
  name: 'repo_move',
  text: `UPDATE "Repo" AS t SET "volume" = m."volume", "path" = m."path"
    FROM unnest($1::text[], $2::text[], $3::text[]) AS m("id", "volume", "path") WHERE t."id" = m."id"
      AND NOT EXISTS (SELECT 1 FROM "Repo" AS r WHERE r."volume" = m."volume" AND r."path" = m."path")`,
}
const SET_TRUST = {
  name: 'repo_set_trust',
  text: 'UPDATE "Repo" SET "trustedHash" = $2 WHERE "id" = $1',
}
const SET_SETTINGS = {
  name: 'repo_set_settings',
  text: 'UPDATE "Repo" SET "settings" = $2 WHERE "id" = $1',
}
