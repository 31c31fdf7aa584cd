// Credentials and push subscriptions in PostgreSQL.
import type {
  CredentialRow,
  CredentialStore,
  NewCredentialRow,
  PushRow,
} from '../credential-store.js'
import type { Connections } from './connections.js'

export class CredentialRows implements CredentialStore {
  readonly #db: Connections

  constructor(db: Connections) {
    this.#db = db
  }

  async insert(row: NewCredentialRow): Promise<void> {
    const { id, kind, name, hash, scope, createdAt, expiresAt } = row
    const values = [id, kind, name, hash, scope, createdAt, expiresAt]
    await this.#db.write(INSERT, values)
  }

  find(hash: string, kind: CredentialRow['kind'], now: number): Promise<CredentialRow | undefined> {
    return this.#db.readOne(FIND, [now, hash, kind])
  }

  list(now: number): Promise<CredentialRow[]> {
    return this.#db.read(LIST, [now])
  }

  async existing(ids: readonly string[]): Promise<string[]> {
    return (await this.#db.read<{ id: string }>(EXISTING, [ids])).map(({ id }) => id)
  }

  async recordUse(id: string, now: number): Promise<void> {
    await this.#db.write(RECORD_USE, [id, now])
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#db.write(REMOVE, [id])).length > 0
  }

  async setPush(id: string, { endpoint, json }: { endpoint: string; json: string }): Promise<void> {
    await this.#db.write(SET_PUSH, [id, endpoint, json])
  }

  async removePush(credentialId: string): Promise<void> {
    await this.#db.write(REMOVE_PUSH, [credentialId])
  }

  findPush(credentialId: string): Promise<PushRow | undefined> {
    return this.#db.readOne(FIND_PUSH, [credentialId])
  }

  listPush(now: number): Promise<PushRow[]> {
    return this.#db.read(LIST_PUSH, [now])
  }
}

const COLUMNS = '"id", "kind", "name", "scope", "createdAt", "lastUsedAt", "expiresAt"'
const IS_VALID = '("expiresAt" IS NULL OR "expiresAt" > $1)'
const PUSH = `SELECT "id" AS "credentialId", "pushSubscription" AS "subscription" FROM "Credential"
  WHERE "pushSubscription" IS NOT NULL`

const INSERT = {
  name: 'credential_insert',
  text: `INSERT INTO "Credential" ("id", "kind", "name", "hash", "scope", "createdAt", "expiresAt")
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
}
const FIND = {
  name: 'credential_find',
  text: `SELECT ${COLUMNS} FROM "Credential" WHERE "hash" = $2 AND "kind" = $3 AND ${IS_VALID}`,
}
const LIST = {
  name: 'credential_list',
  text: `SELECT ${COLUMNS} FROM "Credential" WHERE ${IS_VALID} ORDER BY "createdAt", "id"`,
}
const EXISTING = {
  name: 'credential_existing',
  text: 'SELECT "id" FROM "Credential" WHERE "id" = ANY ($1::text[])',
}
const RECORD_USE = {
  name: 'credential_record_use',
  text: 'UPDATE "Credential" SET "lastUsedAt" = $2 WHERE "id" = $1',
}
const REMOVE = {
  name: 'credential_remove',
  text: 'DELETE FROM "Credential" WHERE "id" = $1 RETURNING "id"',
}
/** Takes the endpoint away from any other credential. */
const SET_PUSH = {
  name: 'credential_set_push',
  text: `UPDATE "Credential" SET "pushSubscription" = CASE WHEN "id" = $1 THEN $3 END
    WHERE "id" = $1 OR "pushSubscription"::json ->> 'endpoint' = $2`,
}
const REMOVE_PUSH = {
  name: 'credential_remove_push',
  text: 'UPDATE "Credential" SET "pushSubscription" = NULL WHERE "id" = $1',
}
const FIND_PUSH = { name: 'credential_find_push', text: `${PUSH} AND "id" = $1` }
const LIST_PUSH = { name: 'credential_list_push', text: `${PUSH} AND ${IS_VALID} ORDER BY "id"` }
