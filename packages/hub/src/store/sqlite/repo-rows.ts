// Repositories in SQLite.
import type { RepoSettings } from '@quayside/protocol'
import {
  type FoundRepo,
  MAX_TRUSTED_HASHES,
  type RepoRow,
  type RepoStore,
  type ScanTime,
} from '../repo-store.js'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

const COLUMNS = 'id, name, path, missing, createdAt, settings'

export class RepoRows implements RepoStore {
  readonly #db: Database
  readonly #find
  readonly #list
  readonly #upsert
  readonly #markMissing
  readonly #findTrust
  readonly #setTrust
  readonly #setSettings

  constructor(db: Database) {
    this.#db = db
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM Repo WHERE id = ?`)
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM Repo WHERE missing = 0 ORDER BY path`)
    this.#upsert = db.prepare(
      `INSERT INTO Repo (id, path, name, createdAt, lastSeenAt, missing)
       VALUES (:id, :path, :name, :now, :now, 0)
       ON CONFLICT (path) DO UPDATE SET lastSeenAt = :now, missing = 0 RETURNING id`,
    )
    // A clock that was set back leaves times after the scan, too.
    this.#markMissing = db.prepare(
      'UPDATE Repo SET missing = 1 WHERE lastSeenAt NOT BETWEEN :startedAt AND :endedAt',
    )
    this.#findTrust = db.prepare('SELECT trustedHash FROM Repo WHERE id = ?')
    this.#setTrust = db.prepare('UPDATE Repo SET trustedHash = ? WHERE id = ?')
    this.#setSettings = db.prepare('UPDATE Repo SET settings = ? WHERE id = ?')
  }

  find(id: string): RepoRow | undefined {
    const row = this.#find.get(id)
    return row === undefined ? undefined : toRepoRow(row)
  }

  list(): RepoRow[] {
    return this.#list.all().map(toRepoRow)
  }

  remember(repo: FoundRepo, now: number): string {
    const { id } = this.#upsert.get({ ...repo, now }) as { id: string }
    return id
  }

  replaceAll(found: readonly FoundRepo[], { startedAt, endedAt }: ScanTime): void {
    inTransaction(this.#db, () => {
      for (const repo of found) this.remember(repo, startedAt)
      this.#markMissing.run({ startedAt, endedAt })
    })
  }

  trustedHashes(id: string): readonly string[] {
    const row = this.#findTrust.get(id) as { trustedHash: string | null } | undefined
    return row?.trustedHash?.split(' ') ?? []
  }

  addTrustedHash(id: string, hash: string): void {
    const others = this.trustedHashes(id).filter((known) => known !== hash)
    this.#setTrust.run([hash, ...others].slice(0, MAX_TRUSTED_HASHES).join(' '), id)
  }

  setSettings(id: string, settings: RepoSettings): void {
    const isEmpty = Object.keys(settings).length === 0
    this.#setSettings.run(isEmpty ? null : JSON.stringify(settings), id)
  }
}

type StoredRepo = Omit<RepoRow, 'missing' | 'settings'> & {
  readonly missing: number
  readonly settings: string | null
}

function toRepoRow(found: unknown): RepoRow {
  const { settings, missing, ...row } = found as StoredRepo
  const isMissing = missing === 1
  return settings === null
    ? { ...row, missing: isMissing }
    : { ...row, missing: isMissing, settings: JSON.parse(settings) as RepoSettings }
}
