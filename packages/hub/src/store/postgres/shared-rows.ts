// Login codes, visible pages and values that all hubs of a PostgreSQL database share. Times follow the clock of the database.
import { v7 as uuidv7 } from 'uuid'
import type {
  LoginCodeStore,
  NewLoginCode,
  SharedStore,
  StoredLoginCode,
  VisiblePageStore,
} from '../shared-store.js'
import type { Connections } from './connections.js'

/** An older code is removed. */
const MAX_CODES = 100

export class SharedRows implements SharedStore {
  readonly clusterId: string
  readonly loginCodes: LoginCodeStore
  readonly visiblePages: VisiblePageStore
  readonly #db: Connections

  private constructor(db: Connections, clusterId: string) {
    this.#db = db
    this.clusterId = clusterId
    this.loginCodes = new LoginCodeRows(db)
    this.visiblePages = {
      replace: async (hub, ids, ms) => void (await db.write(REPLACE_PAGES, [hub, ids, ms])),
      list: async () => {
        const rows = await db.read<{ credentialId: string }>(LIST_PAGES, [])
        return rows.map(({ credentialId }) => credentialId)
      },
    }
  }

  static async open(db: Connections): Promise<SharedRows> {
    return new SharedRows(db, await keep(db, 'clusterId', uuidv7()))
  }

  keep(name: string, value: string): Promise<string> {
    return keep(this.#db, name, value)
  }
}

async function keep(db: Connections, name: string, value: string): Promise<string> {
  await db.write(KEEP, [name, value])
  const [row] = await db.write<{ value: string }>(FIND_VALUE, [name])
  return row?.value ?? value
}

class LoginCodeRows implements LoginCodeStore {
  readonly #db: Connections

  constructor(db: Connections) {
    this.#db = db
  }

  async insert({ id, hash, name, scope, ttlMs }: NewLoginCode): Promise<void> {
    await this.#db.write(INSERT_CODE, [id, hash, name ?? null, scope, ttlMs])
  }

  async use(hash: string): Promise<StoredLoginCode | undefined> {
    return toCode((await this.#db.write<CodeRow>(USE_CODE, [hash]))[0])
  }

  async find(id: string): Promise<StoredLoginCode | undefined> {
    return toCode(await this.#db.readOne<CodeRow>(FIND_CODE, [id]))
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(REMOVE_CODE, [id])
  }
}

type CodeRow = Omit<StoredLoginCode, 'name'> & { readonly name: string | null }

function toCode(row: CodeRow | undefined): StoredLoginCode | undefined {
  return row && { ...row, name: row.name ?? undefined }
}

const MS = (parameter: string): string => `${parameter}::float8 * interval '1 ms'`

const KEEP = {
  name: 'shared_keep',
  text: 'INSERT INTO "SharedValue" ("name", "value") VALUES ($1, $2) ON CONFLICT DO NOTHING',
}
const FIND_VALUE = {
  name: 'shared_find',
  text: 'SELECT "value" FROM "SharedValue" WHERE "name" = $1',
}

const CODE = `"id", "name", "scope", floor(extract(epoch FROM "expiresAt") * 1000)::bigint AS "expiresAt", "used" AS "isUsed"`
const IS_VALID = '"expiresAt" > clock_timestamp()'

/** Ids sort by time. */
const INSERT_CODE = {
  name: 'code_insert',
  text: `WITH old AS (
      DELETE FROM "LoginCode" WHERE NOT (${IS_VALID})
        OR "id" NOT IN (SELECT "id" FROM "LoginCode" ORDER BY "id" DESC LIMIT ${MAX_CODES - 1})
    ) INSERT INTO "LoginCode" ("id", "hash", "name", "scope", "expiresAt")
    VALUES ($1, $2, $3, $4, clock_timestamp() + ${MS('$5')})`,
}
const USE_CODE = {
  name: 'code_use',
  text: `UPDATE "LoginCode" SET "used" = true WHERE "hash" = $1 AND NOT "used" AND ${IS_VALID} RETURNING ${CODE}`,
}
const FIND_CODE = {
  name: 'code_find',
  text: `SELECT ${CODE} FROM "LoginCode" WHERE "id" = $1 AND ${IS_VALID}`,
}
const REMOVE_CODE = { name: 'code_remove', text: 'DELETE FROM "LoginCode" WHERE "id" = $1' }

const REPLACE_PAGES = {
  name: 'pages_replace',
  text: `WITH gone AS (
      DELETE FROM "VisiblePage" WHERE "until" < clock_timestamp() OR ("hub" = $1 AND "credentialId" <> ALL ($2::text[]))
    ) INSERT INTO "VisiblePage" ("credentialId", "hub", "until")
    SELECT id, $1, clock_timestamp() + ${MS('$3')} FROM unnest($2::text[]) AS id
    ON CONFLICT ("credentialId", "hub") DO UPDATE SET "until" = excluded."until"`,
}
const LIST_PAGES = {
  name: 'pages_list',
  text: 'SELECT DISTINCT "credentialId" FROM "VisiblePage" WHERE "until" > clock_timestamp()',
}
