// Full-text search by FTS5, newest session first. search-index.ts writes the rows.
// Rows of SessionSearch are numbered number << 32 | seq: those of one session are adjacent, and in the order of the list.
import { type MaybePromise, whenReady } from '../../maybe-promise.js'
import {
  MAX_SESSION_NUMBER,
  MAX_TOTAL,
  type SearchHit,
  type SearchMode,
  type SearchRequest,
  type SearchResult,
  type SearchStore,
} from '../../search-store.js'
import type { SessionFilter } from '../../session-store.js'
import type { Database } from '../database.js'
import { repoWord, type SearchIndex } from './search-index.js'
import { filterSql, totalSql } from '../session-sql.js'
import { StatementCache } from '../statement-cache.js'

type Matches = { readonly hits: readonly SearchHit[]; readonly total: number }
type Query = {
  readonly match: string
  readonly filter: SessionFilter
  readonly below: number
  readonly limit: number
}

/** The longest prefix that FTS5 indexes, by the migration. */
const INDEXED_PREFIX_CHARS = 4
/** Rows of one session that are skipped before the search starts again below it. */
const MAX_SKIPS = 64
/** Up to so many sessions are cheaper to search one by one. */
const MAX_PROBES = 200
/** Finding the words in more of a text would take longer than finding the text. */
const MAX_TEXT_CHARS = 50_000

export class SearchRows implements SearchStore {
  readonly #index: SearchIndex
  readonly #statements: StatementCache
  readonly #title
  readonly #text

  constructor(db: Database, index: SearchIndex) {
    this.#index = index
    this.#statements = new StatementCache(db)
    this.#title = db.prepare('SELECT title AS text FROM AgentSession WHERE id = ?')
    this.#text = db.prepare(
      `SELECT substr(json_extract(content, '$.text'), 1, ${MAX_TEXT_CHARS}) AS text FROM AgentMessage
       WHERE sessionId = ? AND seq = ? AND role IN ('user', 'agent')
         AND json_extract(content, '$.type') = 'text'`,
    )
  }

  search(request: SearchRequest): MaybePromise<SearchResult> {
    return whenReady(this.#index.catchUp(), () => this.#search(request))
  }

  #search(request: SearchRequest): SearchResult {
    const { filter, limit, next } = request
    const mode = next?.mode ?? this.#chooseMode(request)
    const below = next?.below ?? MAX_SESSION_NUMBER
    const query = { match: matchOf(request, mode), filter, below, limit }
    const isCheap = mode === 'exact' || request.lastWordChars <= INDEXED_PREFIX_CHARS
    const matches =
      isCheap && this.#isNarrow(filter) ? this.#probe(query) : this.#scan(query, next?.total)
    return { ...matches, mode }
  }

  texts(hits: readonly SearchHit[]): string[] {
    return hits.map(({ id, seq }) => {
      const row = seq === 0 ? this.#title.get(id) : this.#text.get(id, seq)
      return (row as { text: string | null } | undefined)?.text ?? ''
    })
  }

  /**
   * A long last word that is in more sessions than anybody reads is not treated as a prefix: for a prefix that is not indexed,
   * FTS5 collects every row of every such word before it returns the first.
   */
  #chooseMode({ phrases, mayBePrefix, lastWordChars }: SearchRequest): SearchMode {
    if (!mayBePrefix) return 'exact'
    const isCommon =
      lastWordChars > INDEXED_PREFIX_CHARS && this.#count(exactMatch(phrases.slice(-1))) > MAX_TOTAL
    return isCommon ? 'exact' : 'prefix'
  }

  /** Sessions; one more than `MAX_TOTAL` stands for any number above it. */
  #count(match: string, filter?: SessionFilter): number {
    const found = `SELECT DISTINCT rowid >> 32 AS number FROM SessionSearch WHERE SessionSearch MATCH :match`
    const filtered = filter
      ? `SELECT 1 FROM (${found}) AS hit CROSS JOIN AgentSession USING (number) WHERE ${filterSql(filter)}`
      : found
    const { count } = this.#statements
      .prepare(`SELECT count(*) AS count FROM (${filtered} LIMIT ${MAX_TOTAL + 1})`)
      .get({ match, ...filter?.scope }) as { count: number }
    return count
  }

  #isNarrow(filter: SessionFilter): boolean {
    const row = this.#statements.prepare(totalSql(filter)).get(filter.scope) as { total: number }
    return row.total <= MAX_PROBES
  }

  /** Searches each of a few sessions, instead of reading every row of a common word. */
  #probe({ match, filter, below, limit }: Query): Matches {
    const rows = this.#statements
      .prepare(
        `SELECT id, number, (
           SELECT rowid & 4294967295 FROM SessionSearch
           WHERE SessionSearch MATCH :match AND rowid BETWEEN number << 32 AND number << 32 | 4294967295
           ORDER BY rowid DESC LIMIT 1
         ) AS seq FROM AgentSession WHERE ${filterSql(filter)}`,
      )
      .all({ match, ...filter.scope }) as (SearchHit & { seq: number | null })[]
    const found = rows.filter(({ seq }) => seq !== null).toSorted((a, b) => b.number - a.number)
    const hits = found.filter(({ number }) => number < below).slice(0, limit)
    return { hits, total: found.length }
  }

  /** Reads rows that match, newest first, until there are enough sessions. */
  #scan({ match, filter, below, limit }: Query, known: number | undefined): Matches {
    const statement = this.#statements.prepare(
      `SELECT id, number, seq FROM (
         SELECT rowid >> 32 AS number, rowid & 4294967295 AS seq FROM SessionSearch
         WHERE SessionSearch MATCH :match AND rowid < :below << 32 ORDER BY rowid DESC LIMIT -1
       ) AS hit CROSS JOIN AgentSession USING (number) WHERE ${filterSql(filter)}`,
    )
    const hits: SearchHit[] = []
    let isDone = false
    while (!isDone) {
      const from = { match, below: hits.at(-1)?.number ?? below }
      const rows = statement.iterate({ ...from, ...filter.scope }) as Iterable<SearchHit>
      isDone = collectHits(rows, hits, limit)
    }
    return { hits, total: known ?? this.#count(match, filter) }
  }
}

/** False when one session has so many rows that the search should begin again below it. */
function collectHits(rows: Iterable<SearchHit>, hits: SearchHit[], limit: number): boolean {
  let skipped = 0
  for (const row of rows) {
    if (row.number === hits.at(-1)?.number) {
      skipped += 1
      if (skipped > MAX_SKIPS) return false
      continue
    }
    skipped = 0
    hits.push(row)
    if (hits.length === limit) return true
  }
  return true
}

function matchOf({ phrases, filter, mayBePrefix }: SearchRequest, mode: SearchMode): string {
  const exact = exactMatch(phrases)
  const match = mode === 'prefix' && mayBePrefix ? `${exact} *` : exact
  const { repoId } = filter.scope
  return repoId === undefined ? match : `"${repoWord(repoId)}" AND ${match}`
}

/** Words are letters and digits only, so quoting them is enough. */
function exactMatch(phrases: SearchRequest['phrases']): string {
  return phrases.map((words) => `"${words.join(' ')}"`).join(' AND ')
}
