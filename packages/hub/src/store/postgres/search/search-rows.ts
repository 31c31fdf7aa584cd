// Full-text search by tsvector, newest session first. search-index.ts writes the rows.
import {
  MAX_SESSION_NUMBER,
  MAX_TOTAL,
  type SearchHit,
  type SearchMode,
  type SearchRequest,
  type SearchResult,
  type SearchStore,
} from '../../search-store.js'
import type { Connections } from '../connections.js'
import type { SearchIndex } from './search-index.js'
import { toQuery } from './search-words.js'
import { filterSql, Parameters } from '../sessions/filter-sql.js'

/** An excerpt is searched for in the beginning of a text only: more would take longer than the search itself. */
const MAX_TEXT_CHARS = 50_000

export class SearchRows implements SearchStore {
  readonly #db: Connections
  readonly #index: SearchIndex

  constructor(db: Connections, index: SearchIndex) {
    this.#db = db
    this.#index = index
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const { next, mayBePrefix } = request
    const mode: SearchMode = next?.mode ?? (mayBePrefix ? 'prefix' : 'exact')
    const query = toQuery(request.phrases, mode === 'prefix' && mayBePrefix)
    if (query === '') return { hits: [], total: 0, mode }
    const rows = await this.#findIndexed(query, request)
    const hits = rows.map(({ id, number, seq }) => ({ id, number, seq }))
    const total = next?.total ?? Math.min(rows[0]?.total ?? 0, MAX_TOTAL + 1)
    return { hits, total, mode }
  }

  async texts(hits: readonly SearchHit[]): Promise<string[]> {
    const values = [hits.map(({ id }) => id), hits.map(({ seq }) => seq)]
    const rows = await this.#db.read<FoundText>(TEXTS, values)
    return rows.map(textOf)
  }

  /** Finds what any hub has stored before the search. */
  async #findIndexed(query: string, request: SearchRequest): Promise<Found[]> {
    await this.#index.catchUp()
    const [rows, isBehind] = await Promise.all([
      this.#find(query, request),
      this.#index.isBehindOthers(),
    ])
    if (!isBehind) return rows
    await this.#index.catchUp()
    return this.#find(query, request)
  }

  /**
   * With the number of all sessions up to `MAX_TOTAL + 1`, which stands for any number above `MAX_TOTAL`.
   * Without a name: the planner reads sessions from the newest one for common words, and the index of words for others.
   */
  #find(query: string, { filter, next, limit }: SearchRequest): Promise<Found[]> {
    const parameters = new Parameters()
    // Also for a later page: with a short limit the planner would read all texts from the newest one for a rare word.
    const most = Math.max(limit, MAX_TOTAL + 1)
    const text = `WITH found AS MATERIALIZED (
        SELECT DISTINCT ON (x."number") s."id", x."number", x."seq"
        FROM "SessionSearch" AS x JOIN "AgentSession" AS s ON s."number" = x."number"
        WHERE x."words" @@ ${parameters.add(query)}::tsquery
          AND x."number" < ${parameters.add(next?.below ?? MAX_SESSION_NUMBER)} AND ${filterSql(filter, parameters)}
        ORDER BY x."number" DESC, x."seq" DESC LIMIT ${parameters.add(most)}
      ) SELECT *, (SELECT count(*) FROM found) AS "total" FROM found ORDER BY "number" DESC LIMIT ${parameters.add(limit)}`
    return this.#db.read({ text }, parameters.values)
  }
}

type Found = SearchHit & { readonly total: number }
type FoundText = { readonly title: string | null; readonly content: string | null }

function textOf({ title, content }: FoundText): string {
  if (content === null) return title ?? ''
  const { text } = JSON.parse(content) as { readonly text?: unknown }
  return typeof text === 'string' ? text.slice(0, MAX_TEXT_CHARS) : ''
}

const TEXTS = {
  name: 'search_found_texts',
  text: `SELECT s."title", m."content"
    FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS q("id", "seq", "place")
    LEFT JOIN "AgentSession" AS s ON s."id" = q."id" AND q."seq" = 0
    LEFT JOIN "AgentMessage" AS m ON m."sessionId" = q."id" AND m."seq" = q."seq" AND m."role" IN ('user', 'agent')
      AND m."content" LIKE '%"type":"text"%'
    ORDER BY q."place"`,
}
