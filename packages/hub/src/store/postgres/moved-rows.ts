// The rows and files of a PostgreSQL database, as `quayside db export` reads them and `db import` writes them, in one transaction.
import type { ClientBase } from 'pg'
import {
  type ColumnKind,
  MOVED_TABLES,
  MoveError,
  type MovedRow,
  type MovedStore,
  type MovedTable,
  type MovedValue,
  nextBatch,
} from '../moved-tables.js'
import { PUSH_KEY } from '../shared-store.js'
import { cleanText, type Connections } from './connections.js'
import { MIGRATION_LOCK, migrateUp } from './migrations.js'

const FILES_AT_ONCE = 500

/** Runs `work` on an empty database, and stores everything or nothing. Hubs that start meanwhile wait. */
export async function intoPostgres<T>(
  db: Connections,
  volume: string,
  work: (store: MovedStore) => Promise<T>,
): Promise<T> {
  await migrateUp(db)
  return db.inTransaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await requireNoHub(client)
    await requireEmpty(client)
    return work(new MovedRows(client, volume))
  })
}

/** Runs `work` on the database as it is at one moment. */
export async function outOfPostgres<T>(
  db: Connections,
  volume: string,
  work: (store: MovedStore) => Promise<T>,
): Promise<T> {
  await migrateUp(db)
  return db.inTransaction(async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await requireNoHub(client)
    return work(new MovedRows(client, volume))
  })
}

async function requireNoHub(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT "name" FROM "Hub" WHERE NOT "dead" AND "leaseUntil" > clock_timestamp() ORDER BY "name"',
  )
  if (rows.length === 0) return
  throw new MoveError(
    `A hub works with this database: ${rows.map(({ name }) => name).join(', ')}. Nothing was changed. ` +
      'Stop all of its hubs; one that was killed counts as running for 15 seconds.',
  )
}

async function requireEmpty(client: ClientBase): Promise<void> {
  for (const { name, title } of MOVED_TABLES.toReversed()) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*) AS "count" FROM (SELECT 1 FROM "${name}" LIMIT 1) AS one`,
    )
    if (rows[0]?.count === 0) continue
    throw new MoveError(
      `The database already has ${title}. Nothing was changed. An import needs an empty database: make one with createdb.`,
    )
  }
}

class MovedRows implements MovedStore {
  readonly #client: ClientBase
  readonly #volume: string

  constructor(client: ClientBase, volume: string) {
    this.#client = client
    this.#volume = volume
  }

  async *rows(table: MovedTable): AsyncGenerator<readonly MovedRow[]> {
    const names = Object.keys(table.columns)
    const order = table.order.map(quoted).join(', ')
    const selected = names.map((column) => this.#read(table, column)).join(', ')
    await this.#client.query(
      `DECLARE moved NO SCROLL CURSOR FOR SELECT ${selected} FROM "${table.name}" ORDER BY ${order}`,
    )
    let wanted = nextBatch()
    for (;;) {
      const { rows } = await this.#client.query<Record<string, MovedValue>>(
        `FETCH FORWARD ${wanted} FROM moved`,
      )
      const moved = rows.map((row) => names.map((column) => row[column] ?? null))
      if (moved.length > 0) yield moved
      if (moved.length < wanted) break
      wanted = nextBatch(moved)
    }
    await this.#client.query('CLOSE moved')
  }

  async insert({ name, columns }: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    if (rows.length === 0) return
    const names = Object.keys(columns)
    const arrays = names.map(
      (column, index) => `$${index + 1}::${TYPES[columns[column] ?? 'text']}[]`,
    )
    const values: unknown[] = names.map((_, index) => rows.map((row) => cleanValue(row[index])))
    const added = ADDED[name]
    if (name === 'Repo') values.push(this.#volume)
    await this.#client.query({
      name: `move_${name}`,
      text: `INSERT INTO "${name}" (${[...names, ...(added ? [added.column] : [])].map(quoted).join(', ')}) OVERRIDING SYSTEM VALUE
        SELECT *${added ? `, ${added.value.replace('$', `$${names.length + 1}`)}` : ''} FROM unnest(${arrays.join(', ')})`,
      values,
    })
  }

  async *files(): AsyncGenerator<readonly string[]> {
    for (let last: string | undefined = ''; last !== undefined;) {
      const { rows }: { rows: { sha256: string }[] } = await this.#client.query(
        'SELECT DISTINCT "sha256" FROM "Media" WHERE "sha256" > $1 ORDER BY "sha256" LIMIT $2',
        [last, FILES_AT_ONCE],
      )
      yield rows.map(({ sha256 }) => sha256)
      last = rows.at(-1)?.sha256
    }
  }

  async readFile(sha256: string): Promise<Uint8Array | undefined> {
    const { rows } = await this.#client.query<{ bytes: Buffer }>(
      'SELECT "bytes" FROM "MediaFile" WHERE "sha256" = $1',
      [sha256],
    )
    return rows[0]?.bytes
  }

  async insertFile(sha256: string, bytes: Uint8Array): Promise<void> {
    await this.#client.query('INSERT INTO "MediaFile" ("sha256", "bytes") VALUES ($1, $2)', [
      sha256,
      bytes,
    ])
  }

  async readPushKey(): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ value: string }>(
      'SELECT "value" FROM "SharedValue" WHERE "name" = $1',
      [PUSH_KEY],
    )
    return rows[0]?.value
  }

  /** A hub that has started on the empty database has stored a key. No device has subscribed with it, so it is replaced. */
  async writePushKey(json: string): Promise<void> {
    await this.#client.query(
      `INSERT INTO "SharedValue" ("name", "value") VALUES ($1, $2)
        ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"`,
      [PUSH_KEY, json],
    )
  }

  async finish(): Promise<void> {
    await this.#client.query(
      `SELECT setval(pg_get_serial_sequence('"AgentSession"', 'number'), greatest(max("number"), 1)) FROM "AgentSession"`,
    )
    await this.#client.query(
      `INSERT INTO "SearchQueue" ("sessionId", "seq") SELECT "id", 0 FROM "AgentSession" WHERE "title" IS NOT NULL ORDER BY "number"`,
    )
    await this.#client.query(
      `INSERT INTO "SearchQueue" ("sessionId", "seq") SELECT "sessionId", "seq" FROM "AgentMessage"
        WHERE "role" IN ('user', 'agent') AND "content" LIKE '%"type":"text"%' ORDER BY "sessionId", "seq"`,
    )
  }

  /** Two machines may have repositories with the same path. A repository of another machine gets its volume before the path, and is missing here. */
  #read({ name }: MovedTable, column: string): string {
    if (name !== 'Repo' || (column !== 'path' && column !== 'missing')) return quoted(column)
    const isHere = `"volume" = ${this.#client.escapeLiteral(this.#volume)}`
    return column === 'path'
      ? `CASE WHEN ${isHere} THEN "path" ELSE "volume" || ':' || "path" END AS "path"`
      : `("missing" OR NOT ${isHere}) AS "missing"`
  }
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'bigint',
  boolean: 'boolean',
}

/** Columns that only this engine has. `$` is a parameter. */
const ADDED: Partial<Record<MovedTable['name'], { column: string; value: string }>> = {
  Repo: { column: 'volume', value: '$::text' },
  AgentEvent: { column: 'epoch', value: '1' },
}

function quoted(column: string): string {
  return `"${column}"`
}

function cleanValue(value: MovedValue | undefined): MovedValue {
  return typeof value === 'string' ? cleanText(value) : (value ?? null)
}
