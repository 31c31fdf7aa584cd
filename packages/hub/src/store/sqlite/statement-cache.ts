// Prepared statements whose SQL depends on the request, each compiled once.
import type { Database } from './database.js'

type Statement = ReturnType<Database['prepare']>

/** For a bounded number of texts: no statement is ever dropped. */
export class StatementCache {
  readonly #db: Database
  readonly #statements = new Map<string, Statement>()

  constructor(db: Database) {
    this.#db = db
  }

  prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
