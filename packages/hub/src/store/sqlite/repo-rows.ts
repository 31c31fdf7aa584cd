// Repositories in SQLite.
import type { FoundRepo, RepoRow, RepoStore } from '../repo-store.js'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

const COLUMNS = 'id, name, path, missing, createdAt'
/** Folders of a repository may each have configuration of their own. */
const MAX_TRUSTED_HASHES = 20

export class RepoRows implements RepoStore {
  readonly #db: Database
  readonly #find
  readonly #list
  readonly #upsert
  readonly #markMissing
  readonly #findTrust
  readonly #setTrust

  constructor(db: Database) {
    this.#db = db
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM Repo WHERE id = ?`)
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM Repo WHERE missing = 0 ORDER BY path`)
    this.#upsert = db.prepare(
      `INSERT INTO Repo (id, path, name, createdAt, lastSeenAt, missing)
       VALUES (:id, :path, :name, :now, :now, 0)
       ON CONFLICT (path) DO UPDATE SET lastSeenAt = :now, missing = 0 RETURNING id`,
    )
    this.#markMissing = db.prepare('UPDATE Repo SET missing = 1 WHERE lastSeenAt < ?')
    this.#findTrust = db.prepare('SELECT trustedHash FROM Repo WHERE id = ?')
    this.#setTrust = db.prepare('UPDATE Repo SET trustedHash = ? WHERE id = ?')
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

  replaceAll(found: readonly FoundRepo[], now: number): void {
    inTransaction(this.#db, () => {
      for (const repo of found) this.remember(repo, now)
      this.#markMissing.run(now)
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
}

function toRepoRow(found: unknown): RepoRow {
  const row = found as Omit<RepoRow, 'missing'> & { readonly missing: number }
  return { ...row, missing: row.missing === 1 }
}
