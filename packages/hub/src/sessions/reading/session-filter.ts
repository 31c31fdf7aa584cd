// The filter of a list or a search, and the cursors of its pages, as clients send them.
import { SESSION_STATUSES } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import type { z } from 'zod'
import { HubError } from '../../errors.js'
import type { SessionFilter } from '../../store/session-store.js'

const ARCHIVED = { false: [false], true: [true], any: [false, true] } as const

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

/** The cursor that a page returns for the next one. */
export function toCursor(position: readonly (number | string)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Throws `bad_request` for anything that is not a cursor of this kind of list. */
export function readCursor<Position>(cursor: string, schema: z.ZodType<Position>): Position {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (error) {
    const message = 'cursor is not the nextCursor of such a list.'
    throw new HubError('bad_request', { message }, { cause: error })
  }
}
