// The repositories of this machine in PostgreSQL, with all of their rows in memory.
import type { RepoSettings } from '@quayside/protocol'
import {
  type FoundRepo,
  MAX_TRUSTED_HASHES,
  type RepoRow,
  type RepoStore,
  type ScanTime,
} from '../repo-store.js'
import type { Connections } from './connections.js'

export class RepoRows implements RepoStore {
  readonly #db: Connections
  readonly #volume: string
  #rows: ReadonlyMap<string, StoredRepo>

  private constructor(db: Connections, volume: string, rows: readonly StoredRepo[]) {
    this.#db = db
    this.#volume = volume
    this.#rows = byId(rows)
  }

  /** `volume` names the disk that the paths belong to. */
  static async open(db: Connections, volume: string): Promise<RepoRows> {
    return new RepoRows(db, volume, await db.read<StoredRepo>(LIST, [volume]))
  }

  find(id: string): RepoRow | undefined {
    const row = this.#rows.get(id)
    return row && toRepoRow(row)
  }

  list(): RepoRow[] {
    return [...this.#rows.values()].filter(({ missing }) => !missing).map(toRepoRow)
  }

  async remember(repo: FoundRepo, now: number): Promise<string> {
    const { path } = repo
    await this.#change(REMEMBER, [this.#volume, [repo.id], [path], [repo.name], now])
    const row = [...this.#rows.values()].find((one) => one.path === path)
    return row?.id ?? repo.id
  }

  async replaceAll(found: readonly FoundRepo[], { startedAt, endedAt }: ScanTime): Promise<void> {
    const columns = [
      found.map(({ id }) => id),
      found.map(({ path }) => path),
      found.map(({ name }) => name),
    ]
    await this.#db.write(REMEMBER, [this.#volume, ...columns, startedAt])
    await this.#change(MARK_MISSING, [this.#volume, startedAt, endedAt])
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

  /** Reads on the writing connection, whose statements run in order, so that an older list never replaces a newer one. */
  async #change(statement: { name: string; text: string }, values: unknown[]): Promise<void> {
    await this.#db.write(statement, values)
    this.#rows = byId(await this.#db.write<StoredRepo>(LIST, [this.#volume]))
  }
}

type StoredRepo = Omit<RepoRow, 'settings'> & {
  readonly settings: string | null
  readonly trustedHash: string | null
}

function byId(rows: readonly StoredRepo[]): ReadonlyMap<string, StoredRepo> {
  return new Map(rows.map((row) => [row.id, row]))
}

function toRepoRow({ trustedHash: _trusted, settings, ...row }: StoredRepo): RepoRow {
  return settings === null ? row : { ...row, settings: JSON.parse(settings) as RepoSettings }
}

const LIST = {
  name: 'repo_list',
  text: `SELECT "id", "name", "path", "missing", "createdAt", "settings", "trustedHash" FROM "Repo"
    WHERE "volume" = $1 ORDER BY "path"`,
}
const REMEMBER = {
  name: 'repo_remember',
  text: `INSERT INTO "Repo" ("id", "volume", "path", "name", "createdAt", "lastSeenAt")
    SELECT r."id", $1, r."path", r."name", $5::bigint, $5::bigint
    FROM unnest($2::text[], $3::text[], $4::text[]) AS r("id", "path", "name")
    ON CONFLICT ("volume", "path") DO UPDATE SET "lastSeenAt" = excluded."lastSeenAt", "missing" = false`,
}
/** A clock that was set back leaves times after the scan, too. */
const MARK_MISSING = {
  name: 'repo_mark_missing',
  text: `UPDATE "Repo" SET "missing" = true WHERE "volume" = $1 AND "lastSeenAt" NOT BETWEEN $2 AND $3`,
}
const SET_TRUST = {
  name: 'repo_set_trust',
  text: 'UPDATE "Repo" SET "trustedHash" = $2 WHERE "id" = $1',
}
const SET_SETTINGS = {
  name: 'repo_set_settings',
  text: 'UPDATE "Repo" SET "settings" = $2 WHERE "id" = $1',
}
