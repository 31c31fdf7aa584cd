// Credentials and push subscriptions in SQLite.
import type {
  CredentialRow,
  CredentialStore,
  NewCredentialRow,
  PushRow,
} from '../credential-store.js'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

const COLUMNS = 'id, kind, name, scope, createdAt, lastUsedAt, expiresAt'
const IS_VALID = '(expiresAt IS NULL OR expiresAt > :now)'
const PUSH = `SELECT id AS credentialId, pushSubscription AS subscription FROM Credential
  WHERE pushSubscription IS NOT NULL`

export class CredentialRows implements CredentialStore {
  readonly #db: Database
  readonly #statements

  constructor(db: Database) {
    this.#db = db
    this.#statements = {
      insert: db.prepare(
        `INSERT INTO Credential (id, kind, name, hash, scope, createdAt, expiresAt)
         VALUES (:id, :kind, :name, :hash, :scope, :createdAt, :expiresAt)`,
      ),
      find: db.prepare(
        `SELECT ${COLUMNS} FROM Credential WHERE hash = :hash AND kind = :kind AND ${IS_VALID}`,
      ),
      list: db.prepare(
        `SELECT ${COLUMNS} FROM Credential WHERE ${IS_VALID} ORDER BY createdAt, id`,
      ),
      exists: db.prepare('SELECT 1 FROM Credential WHERE id = ?'),
      recordUse: db.prepare('UPDATE Credential SET lastUsedAt = :now WHERE id = :id'),
      remove: db.prepare('DELETE FROM Credential WHERE id = ?'),
      setPush: db.prepare('UPDATE Credential SET pushSubscription = :json WHERE id = :id'),
      removeEndpoint: db.prepare(
        `UPDATE Credential SET pushSubscription = NULL WHERE pushSubscription ->> '$.endpoint' = ?`,
      ),
      findPush: db.prepare(`${PUSH} AND id = ?`),
      listPush: db.prepare(`${PUSH} AND ${IS_VALID}`),
    }
  }

  insert(row: NewCredentialRow): void {
    const { id, kind, name, hash, scope, createdAt, expiresAt } = row
    this.#statements.insert.run({ id, kind, name, hash, scope, createdAt, expiresAt })
  }

  find(hash: string, kind: CredentialRow['kind'], now: number): CredentialRow | undefined {
    return this.#statements.find.get({ hash, kind, now }) as CredentialRow | undefined
  }

  list(now: number): CredentialRow[] {
    return this.#statements.list.all({ now }) as CredentialRow[]
  }

  existing(ids: readonly string[]): string[] {
    return ids.filter((id) => this.#statements.exists.get(id) !== undefined)
  }

  recordUse(id: string, now: number): void {
    this.#statements.recordUse.run({ id, now })
  }

  remove(id: string): boolean {
    return this.#statements.remove.run(id).changes > 0
  }

  setPush(credentialId: string, { endpoint, json }: { endpoint: string; json: string }): void {
    inTransaction(this.#db, () => {
      this.#statements.removeEndpoint.run(endpoint)
      this.#statements.setPush.run({ id: credentialId, json })
    })
  }

  removePush(credentialId: string): void {
    this.#statements.setPush.run({ id: credentialId, json: null })
  }

  findPush(credentialId: string): PushRow | undefined {
    return this.#statements.findPush.get(credentialId) as PushRow | undefined
  }

  listPush(now: number): PushRow[] {
    return this.#statements.listPush.all({ now }) as PushRow[]
  }
}
