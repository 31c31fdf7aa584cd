// Lists sessions, newest first, by merged ranges of an index: a page costs the same among a hundred and among a hundred thousand.
import { SESSION_STATUSES, type SessionList, type SessionSummary } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import { z } from 'zod'
import type { Database } from '../../store/database.js'
import { StatementCache } from '../../store/statement-cache.js'
import type { Projection } from '../log/projection.js'
import {
  filterSql,
  readCursor,
  scopeSql,
  type SessionFilter,
  toCursor,
  toFilter,
} from './session-filter.js'
import { SessionSearch } from './session-search.js'
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from '../log/session-summary.js'

const cursorSchema = z.tuple([z.int(), z.string()])

export class SessionLister {
  readonly #projection: Projection
  readonly #search: SessionSearch
  readonly #statements: StatementCache
  readonly #byId
  readonly #extensionIds

  constructor(db: Database, projection: Projection) {
    this.#projection = projection
    this.#search = new SessionSearch(db)
    this.#statements = new StatementCache(db)
    this.#byId = db.prepare(`SELECT ${SUMMARY_COLUMNS} FROM AgentSession WHERE id = ?`)
    this.#extensionIds = db.prepare(
      'SELECT DISTINCT extensionId AS id FROM SessionCount WHERE sessions > 0 ORDER BY id',
    )
  }

  /** With `q` a search; with `cursor` the page after the one that named it, however many sessions were added meanwhile. */
  list(query: ListSessionsQuery): SessionList {
    const filter = toFilter(query)
    if (query.q === undefined || query.q.trim() === '') return this.#page(query, filter)
    const { hits, ...list } = this.#search.search({ ...query, q: query.q }, filter)
    const sessions = hits.map(({ id, ...found }) => {
      const row = this.#byId.get(id) as SummaryRow
      return { ...this.#toSummary(row), ...found }
    })
    return { sessions, ...list }
  }

  find(id: string): SessionSummary | undefined {
    const row = this.#byId.get(id) as SummaryRow | undefined
    return row && this.#toSummary(row)
  }

  /** The agents that have sessions, among them such as are not installed any more. */
  extensionIds(): readonly string[] {
    return (this.#extensionIds.all() as { id: string }[]).map(({ id }) => id)
  }

  #page({ limit, offset, cursor }: ListSessionsQuery, filter: SessionFilter): SessionList {
    const after = cursor === undefined ? undefined : readCursor(cursor, cursorSchema)
    const { scope } = filter
    const total = this.#statements.prepare(totalSql(filter)).get(scope) as { total: number }
    const rows = this.#statements.prepare(pageSql(filter, after !== undefined)).all({
      ...scope,
      ...(after && { createdAt: after[0], id: after[1] }),
      // One more than a page tells whether there is another.
      limit: limit + 1,
      offset,
    }) as SummaryRow[]
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      sessions: page.map((row) => this.#toSummary(row)),
      total: total.total,
      limit,
      offset,
      ...(last && { nextCursor: toCursor([last.createdAt, last.id]) }),
    }
  }

  #toSummary(row: SummaryRow): SessionSummary {
    return toSummary(row, (id) => this.#projection.doing(id))
  }
}

/**
 * Merges ranges of an index, each in the order of the list already: nothing is sorted, and no row is read that is not on the page.
 * The indexes of repositories and agents have the status before the time, so that each of these is one range for each status.
 */
function pageSql({ scope, statuses, archived }: SessionFilter, hasCursor: boolean): string {
  const scoped = scopeSql(scope)
  const states = statuses ?? (scoped.length === 0 ? [undefined] : SESSION_STATUSES)
  const ranges = archived.flatMap((value) =>
    states.map((status) => {
      const conditions = [
        `archived = ${value}`,
        ...(status === undefined ? [] : [`status = '${status}'`]),
        ...scoped,
        ...(hasCursor ? ['(createdAt, id) < (:createdAt, :id)'] : []),
      ]
      return `SELECT createdAt, id FROM AgentSession WHERE ${conditions.join(' AND ')}`
    }),
  )
  return `SELECT ${SUMMARY_COLUMNS.replaceAll(/\w+/g, 'session.$&')}
    FROM (${ranges.join(' UNION ALL ')} ORDER BY createdAt DESC, id DESC LIMIT :limit OFFSET :offset) AS page
    CROSS JOIN AgentSession AS session ON session.id = page.id
    ORDER BY page.createdAt DESC, page.id DESC`
}

function totalSql(filter: SessionFilter): string {
  return `SELECT coalesce(sum(sessions), 0) AS total FROM SessionCount WHERE ${filterSql(filter)}`
}
