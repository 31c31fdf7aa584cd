// The rows and files of a SQLite data directory, as `quayside db import` reads them and `db export` writes them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MEDIA_FOLDER, mediaPath, PUSH_KEYS_FILE, writeDurably } from '../data-files.js'
import {
  type MovedRow,
  type MovedStore,
  type MovedTable,
  type MovedValue,
  nextBatch,
} from '../moved-tables.js'
import type { Database } from './database.js'
import { inTransaction } from './transaction.js'

const FILES_AT_ONCE = 500

export class MovedRows implements MovedStore {
  readonly #db: Database
  readonly #folder: string

  /** `folder` is the data directory. */
  constructor(db: Database, folder: string) {
    this.#db = db
    this.#folder = folder
  }

  /** By pages: between two of them the connection is free for other statements. */
  async *rows(table: MovedTable): AsyncGenerator<readonly MovedRow[]> {
    const { name, columns, order } = table
    const names = Object.keys(columns)
    const selected = names.map((column) => `${READ[column] ?? `"${column}"`} AS "${column}"`)
    const key = order.map((column) => `"${column}"`).join(', ')
    const statement = this.#db.prepare(
      `SELECT ${selected.join(', ')} FROM "${name}" WHERE (${key}) > (${order.map(() => '?').join(', ')})
       ORDER BY ${key} LIMIT ?`,
    )
    let after = order.map((column): MovedValue => (columns[column] === 'text' ? '' : 0))
    for (let wanted = nextBatch(); ;) {
      const found = statement.all(...after.map(fromValue), wanted) as Record<string, MovedValue>[]
      const rows = found.map((row) =>
        names.map((column) => toValue(row[column] ?? null, columns[column])),
      )
      if (rows.length > 0) yield rows
      if (rows.length < wanted) return
      after = order.map((column) => found.at(-1)?.[column] ?? null)
      wanted = nextBatch(rows)
    }
  }

  insert({ name, columns }: MovedTable, rows: readonly MovedRow[]): void {
    const names = Object.keys(columns).filter((column) => WRITE[column] !== null)
    const values = names.map((column) => WRITE[column] ?? `:${column}`)
    const statement = this.#db.prepare(
      `INSERT INTO "${name}" (${names.map((one) => `"${one}"`).join(', ')}) VALUES (${values.join(', ')})`,
    )
    const all = Object.keys(columns)
    inTransaction(this.#db, () => {
      for (const row of rows)
        statement.run(
          Object.fromEntries(all.map((column, index) => [column, fromValue(row[index])])),
        )
    })
  }

  async *files(): AsyncGenerator<readonly string[]> {
    const statement = this.#db.prepare(
      'SELECT DISTINCT sha256 FROM Media WHERE sha256 > ? ORDER BY sha256 LIMIT ?',
    )
    for (let last: string | undefined = ''; last !== undefined;) {
      const rows = statement.all(last, FILES_AT_ONCE) as { sha256: string }[]
      yield rows.map(({ sha256 }) => sha256)
      last = rows.at(-1)?.sha256
    }
  }

  readFile(sha256: string): Uint8Array | undefined {
    const path = this.#pathOf(sha256)
    return existsSync(path) ? readFileSync(path) : undefined
  }

  insertFile(sha256: string, bytes: Uint8Array): void {
    const path = this.#pathOf(sha256)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.draft`, bytes, { mode: 0o600, flush: true })
    renameSync(`${path}.draft`, path)
  }

  readPushKey(): string | undefined {
    const file = join(this.#folder, PUSH_KEYS_FILE)
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  }

  writePushKey(json: string): void {
    writeDurably(join(this.#folder, PUSH_KEYS_FILE), `${json}\n`)
  }

  finish(): void {
    this.#db.exec(`
      INSERT OR IGNORE INTO SearchQueue (id) SELECT number << 32 FROM AgentSession WHERE title IS NOT NULL;
      INSERT OR IGNORE INTO SearchQueue (id) SELECT (number << 32) | seq
        FROM AgentMessage JOIN AgentSession ON AgentSession.id = sessionId
        WHERE role IN ('user', 'agent') AND json_extract(content, '$.type') = 'text'`)
  }

  #pathOf(sha256: string): string {
    return mediaPath(join(this.#folder, MEDIA_FOLDER), sha256)
  }
}

/** The mark of a session that is being removed is in its metadata here, and in a column of its own elsewhere. */
const IS_MARKED = `coalesce(json_extract("metadata", '$.removing') = 1, 0)`
const READ: Readonly<Record<string, string>> = {
  removing: IS_MARKED,
  metadata: `CASE WHEN ${IS_MARKED} THEN json_remove("metadata", '$.removing') ELSE "metadata" END`,
}
/** Null for a column that there is not. */
const WRITE: Readonly<Record<string, string | null>> = {
  removing: null,
  metadata: `CASE WHEN :removing THEN json_set(:metadata, '$.removing', json('true')) ELSE :metadata END`,
}

function toValue(value: MovedValue, kind: MovedTable['columns'][string] | undefined): MovedValue {
  return kind === 'boolean' ? value === 1 : value
}

function fromValue(value: MovedValue | undefined): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}
