// One page of a search over titles, prompts and answers: its words, its cursor and its excerpts.
import type { ExcerptPart, SessionList } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { MAX_SESSION_NUMBER, MAX_TOTAL, type SearchNext } from '../../store/search-store.js'
import type { SessionFilter, SummaryRow } from '../../store/session-store.js'
import type { Store } from '../../store/store.js'
import { excerptOf } from './excerpt.js'
import { readSearch } from './search-words.js'
import { readCursor, toCursor } from './session-filter.js'

type Found = Omit<SessionList, 'sessions'> & {
  readonly hits: readonly {
    readonly row: SummaryRow
    readonly excerpt: readonly ExcerptPart[]
    readonly foundSeq?: number
  }[]
}

const cursorSchema = z.tuple([
  z.literal('q'),
  z.int().min(0).max(MAX_SESSION_NUMBER),
  z.enum(['exact', 'prefix']),
  z
    .int()
    .min(0)
    .max(MAX_TOTAL + 1),
])

export class SessionSearch {
  readonly #store: Pick<Store, 'sessions' | 'search'>

  constructor(store: Pick<Store, 'sessions' | 'search'>) {
    this.#store = store
  }

  async search(
    { q, limit, offset, cursor }: ListSessionsQuery & { readonly q: string },
    filter: SessionFilter,
  ): Promise<Found> {
    const words = readSearch(q)
    if (words === undefined) return { hits: [], total: 0, limit, offset }
    const { matchesIn, ...terms } = words
    const next = cursor === undefined ? undefined : readNext(cursor)
    const request = { ...terms, filter, next, limit: offset + limit + 1 }
    const { hits, total, mode } = await this.#store.search.search(request)
    const page = hits.slice(offset, offset + limit)
    const [texts, rows] = await Promise.all([
      this.#store.search.texts(page),
      this.#store.sessions.findSummaries(page.map(({ id }) => id)),
    ])
    const found = new Map(page.map(({ id, seq }, index) => [id, { seq, text: texts[index] ?? '' }]))
    const last = hits.length > offset + limit ? page.at(-1) : undefined
    return {
      hits: rows.map((row) => {
        const { seq = 0, text = '' } = found.get(row.id) ?? {}
        return { row, excerpt: excerptOf(text, matchesIn), ...(seq > 0 && { foundSeq: seq }) }
      }),
      total: Math.min(total, MAX_TOTAL),
      ...(total > MAX_TOTAL && { totalIsCapped: true }),
      limit,
      offset,
      ...(last && { nextCursor: toCursor(['q', last.number, mode, total]) }),
    }
  }
}

function readNext(cursor: string): SearchNext {
  const [, below, mode, total] = readCursor(cursor, cursorSchema)
  return { below, mode, total }
}
