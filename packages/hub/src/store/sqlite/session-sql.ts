// SQL that depends on a filter. The filter's own values are parameters; statuses and flags are ours and stand in the text.
import { SESSION_STATUSES } from '@quayside/protocol'
import type { SessionFilter } from '../session-store.js'

/** The columns of a `SummaryRow`. */
export const SUMMARY_COLUMNS = `id, repoId, extensionId, status, title, metadata, lastSeq, pinned, archived, turnCount, messageCount,
  createdAt, updatedAt, endedAt, workspace, forkedFrom, forkedSeq, forkedTurn`

/** Conditions of a WHERE, with the scope as its named parameters. */
export function filterSql({ scope, statuses, archived }: SessionFilter): string {
  return [
    `archived IN (${archived.map(Number).join()})`,
    ...(statuses === undefined ? [] : [`status IN ('${statuses.join(`', '`)}')`]),
    ...scopeSql(scope),
  ].join(' AND ')
}

function scopeSql(scope: SessionFilter['scope']): readonly string[] {
  return Object.keys(scope).map((name) => `${name} = :${name}`)
}

/**
 * Merges ranges of an index that are in the list's order already: SQLite sorts nothing and reads only the rows of the page.
 * The indexes of repositories and agents have the status before the time, so each of these is one range for each status.
 */
export function pageSql({ scope, statuses, archived }: SessionFilter, hasCursor: boolean): string {
  const scoped = scopeSql(scope)
  const states = statuses ?? (scoped.length === 0 ? [undefined] : SESSION_STATUSES)
  const ranges = archived.flatMap((value) =>
    states.map((status) => {
      const conditions = [
        `archived = ${Number(value)}`,
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

export function totalSql(filter: SessionFilter): string {
  return `SELECT coalesce(sum(sessions), 0) AS total FROM SessionCount WHERE ${filterSql(filter)}`
}
