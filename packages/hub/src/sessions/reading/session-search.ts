// One page of a search over titles, prompts and answers: its words, its cursor and its excerpts.
import type { ExcerptPart, SessionList } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import { z } from 'zod'
import {
  MAX_SESSION_NUMBER,
  MAX_TOTAL,
  type SearchNext,
  type SearchStore,
} from '../../store/search-store.js'
import type { SessionFilter } from '../../store/session-store.js'
import { excerptOf } from './excerpt.js'
import { readSearch } from './search-words.js'
import { readCursor, toCursor } from './session-filter.js'

type Found = Omit<SessionList, 'sessions'> & {
  readonly hits: readonly {
    readonly id: string
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
  readonly #store: SearchStore

  constructor(store: SearchStore) {
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
    const { hits, total, mode } = await this.#store.search(request)
    const page = hits.slice(offset, offset + limit)
    const texts = await this.#store.texts(page)
    const last = hits.length > offset + limit ? page.at(-1) : undefined
    return {
      hits: page.map(({ id, seq }, index) => {
        const excerpt = excerptOf(texts[index] ?? '', matchesIn)
        return { id, excerpt, ...(seq > 0 && { foundSeq: seq }) }
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
