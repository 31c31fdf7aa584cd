// Which sessions a list or a search is about, and where in it a page begins.
import { SESSION_STATUSES, type SessionStatus } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import type { z } from 'zod'
import { HubError } from '../../errors.js'

/** Every value of `statuses` and `archived` is one of ours, so that SQL may hold it as it is. */
export type SessionFilter = {
  /** What people may name; in SQL each is a parameter of its own name. */
  readonly scope: { readonly repoId?: string; readonly extensionId?: string }
  /** Undefined for all of them. */
  readonly statuses: readonly SessionStatus[] | undefined
  readonly archived: readonly (0 | 1)[]
}

const ARCHIVED = { false: [0], true: [1], any: [0, 1] } as const

export function toFilter(query: ListSessionsQuery): SessionFilter {
  const { repoId, extensionId, status, archived } = query
  const statuses = SESSION_STATUSES.filter((known) => status?.includes(known))
  const isAll = status === undefined || statuses.length === SESSION_STATUSES.length
  return {
    scope: {
      ...(repoId !== undefined && { repoId }),
      ...(extensionId !== undefined && { extensionId }),
    },
    statuses: isAll ? undefined : statuses,
    archived: ARCHIVED[archived],
  }
}

/** Conditions of a WHERE, with the scope as its parameters. */
export function filterSql({ scope, statuses, archived }: SessionFilter): string {
  return [
    `archived IN (${archived.join()})`,
    ...(statuses === undefined ? [] : [`status IN ('${statuses.join(`', '`)}')`]),
    ...scopeSql(scope),
  ].join(' AND ')
}

export function scopeSql(scope: SessionFilter['scope']): readonly string[] {
  return Object.keys(scope).map((name) => `${name} = :${name}`)
}

/** What a page hands out to be asked for the next one. */
export function toCursor(place: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Throws `bad_request` for anything that is not a cursor of this kind of list. */
export function readCursor<Place>(cursor: string, schema: z.ZodType<Place>): Place {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (error) {
    const message = 'cursor is not the nextCursor of such a list.'
    throw new HubError('bad_request', { message }, { cause: error })
  }
}
