// Inserts the rows of one session several at a time: calling a statement takes as long as inserting a short row.
import type { Database } from './database.js'

const AT_ONCE = 16

type Value = string | number | null | Uint8Array
type InsertSql = {
  /** `INSERT INTO … VALUES` */
  readonly into: string
  /** The values of a row: `?1` is the session, the others are `?`. */
  readonly row: string
  /** Without it a conflict is an error. */
  readonly onConflict?: string
}

export class RowInserts {
  readonly #one
  readonly #several

  constructor(db: Database, { into, row, onConflict }: InsertSql) {
    const end = onConflict === undefined ? '' : `ON CONFLICT ${onConflict}`
    this.#one = db.prepare(`${into} ${row} ${end}`)
    this.#several = db.prepare(`${into} ${Array(AT_ONCE).fill(row).join(', ')} ${end}`)
  }

  /** Returns the number of rows that are new. */
  run(sessionId: string, rows: readonly (readonly Value[])[]): number {
    const single = rows.length % AT_ONCE
    let added = 0
    for (const row of rows.slice(0, single)) added += this.#one.run(sessionId, ...row).changes
    for (let at = single; at < rows.length; at += AT_ONCE) {
      const values: Value[] = [sessionId]
      // `flat` takes as long as binding the values.
      for (const row of rows.slice(at, at + AT_ONCE)) values.push(...row)
      added += this.#several.run(...values).changes
    }
    return added
  }
}
