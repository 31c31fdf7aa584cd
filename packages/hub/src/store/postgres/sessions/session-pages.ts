// Pages of lists, and their totals. Triggers add a row for each change of a number of sessions, and a total is the sum of such rows.
import type { PageRequest, SessionPage, SummaryRow } from '../../session-store.js'
import type { Connections } from '../connections.js'
import { filterSql, NEWEST_FIRST, pageSql, Parameters, StatementNames } from './filter-sql.js'

/** More rows than this are replaced by their sums: a total reads all of them. */
const MAX_CHANGES = 500

export class SessionPages {
  readonly #db: Connections
  readonly #names = new StatementNames('list')
  #isFolding = false

  constructor(db: Connections) {
    this.#db = db
  }

  read(request: PageRequest): Promise<SummaryRow[]> {
    const parameters = new Parameters()
    const text = `${pageSql(request, parameters)} ${NEWEST_FIRST}`
    return this.#db.read(this.#names.statement(text), parameters.values)
  }

  /** In one statement: an empty page has one row, with the total. */
  async readWithTotal(request: PageRequest): Promise<SessionPage> {
    const parameters = new Parameters()
    const text = `SELECT page.*, counted.* FROM (
        SELECT coalesce(sum("sessions"), 0) AS "total", count(*) FILTER (WHERE NOT "isSum") AS "changes"
        FROM "SessionCount" WHERE ${filterSql(request.filter, parameters)}
      ) AS counted LEFT JOIN (${pageSql(request, parameters)}) AS page ON true ${NEWEST_FIRST}`
    const found = await this.#db.read<CountedRow>(this.#names.statement(text), parameters.values)
    const { total = 0, changes = 0 } = found[0] ?? {}
    if (changes > MAX_CHANGES) void this.#fold()
    const rows = found.flatMap(({ total: _total, changes: _changes, ...row }) =>
      row.id === null ? [] : [row as SummaryRow],
    )
    return { rows, total }
  }

  /** A later total tries again when this fails. */
  async #fold(): Promise<void> {
    if (this.#isFolding) return
    this.#isFolding = true
    await this.#db.read(FOLD, []).catch(() => undefined)
    this.#isFolding = false
  }
}

type CountedRow = Omit<SummaryRow, 'id'> & {
  readonly id: string | null
  readonly total: number
  readonly changes: number
}

/** Two hubs never take the same row. */
const FOLD = {
  name: 'count_fold',
  text: `WITH gone AS (
      DELETE FROM "SessionCount" WHERE ctid = ANY (ARRAY(SELECT ctid FROM "SessionCount" FOR UPDATE SKIP LOCKED)) RETURNING *
    ) INSERT INTO "SessionCount" SELECT "repoId", "extensionId", "status", "archived", sum("sessions"), true FROM gone
      GROUP BY "repoId", "extensionId", "status", "archived" HAVING sum("sessions") <> 0`,
}
