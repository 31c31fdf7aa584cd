// SQL that depends on the filter of a list or a search. Values from clients are parameters. Statuses and flags are the hub's own words, so
// they are part of the text.
import { SESSION_STATUSES } from '@quayside/protocol'
import type { PageRequest, SessionFilter } from '../../session-store.js'
import type { Statement } from '../connections.js'
import { DISK } from '../ownership.js'

/** The columns of a `SummaryRow`. */
export const SUMMARY_COLUMNS = `"id", "repoId", "extensionId", "status", "title", "metadata", "lastSeq", "pinned", "archived", "turnCount",
  "messageCount", "createdAt", "updatedAt", "endedAt", "workspace", "forkedFrom", "forkedSeq", "forkedTurn",
  "activity", "owner", ${DISK} AS "volume"`

export const NEWEST_FIRST = 'ORDER BY "createdAt" DESC, "id" DESC'

/** The values of a statement, in the order in which its text asked for them. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

/** Names statements whose text depends on a request, so that each text is prepared once. The number of filters limits their number. */
export class StatementNames {
  readonly #prefix: string
  readonly #names = new Map<string, string>()

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  statement(text: string): Statement {
    const name = this.#names.get(text) ?? `${this.#prefix}_${this.#names.size}`
    this.#names.set(text, name)
    return { name, text }
  }
}

/** Conditions of a WHERE. */
export function filterSql(filter: SessionFilter, parameters: Parameters): string {
  const { scope, statuses, archived } = filter
  return [
    `"archived" IN (${archived.join()})`,
    ...(statuses === undefined ? [] : [`"status" IN ('${statuses.join(`', '`)}')`]),
    ...scopeSql(scope, parameters),
  ].join(' AND ')
}

function scopeSql(scope: SessionFilter['scope'], parameters: Parameters): readonly string[] {
  return Object.entries(scope).map(([name, value]) => `"${name}" = ${parameters.add(value)}`)
}

/**
 * The sessions of a page, in any order. Merges ranges of an index that are in the list's order already, and reads no more of each than the
 * page needs. The indexes of repositories and agents have the status before the time, so each of these is one range for each status.
 */
export function pageSql(request: PageRequest, parameters: Parameters): string {
  const { limit, offset } = request
  const ranges = rangesOf(request, parameters)
  // As a part of the text, so that the planner knows without the values that the page is short, and plans it once.
  const most = 2 ** Math.ceil(Math.log2(limit + offset))
  const merged = ranges.map((range) => `(${range} LIMIT ${most})`).join(' UNION ALL ')
  const isDeep = ranges.length === 1 && offset > 0
  const all = isDeep ? ranges[0] : `SELECT * FROM (${merged}) AS range ${NEWEST_FIRST}`
  const page = `${all} LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset)}`
  // The columns of sessions that are left out would be computed, too.
  return `SELECT ${SUMMARY_COLUMNS} FROM "AgentSession" WHERE "id" = ANY (ARRAY(SELECT "id" FROM (${page}) AS page))`
}

function rangesOf({ filter, after }: PageRequest, parameters: Parameters): string[] {
  const scoped = scopeSql(filter.scope, parameters)
  const states = filter.statuses ?? (scoped.length === 0 ? [undefined] : SESSION_STATUSES)
  const cursor = after && [
    `("createdAt", "id") < (${parameters.add(after.createdAt)}, ${parameters.add(after.id)})`,
  ]
  return filter.archived.flatMap((value) =>
    states.map((status) => {
      const conditions = [
        `"archived" = ${value}`,
        ...(status === undefined ? [] : [`"status" = '${status}'`]),
        ...scoped,
        ...(cursor ?? []),
      ]
      return `SELECT "id", "createdAt" FROM "AgentSession" WHERE ${conditions.join(' AND ')} ${NEWEST_FIRST}`
    }),
  )
}
