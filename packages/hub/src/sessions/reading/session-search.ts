// Full-text search over titles, prompts and answers, newest session first. search-index.ts writes what is read here.
// Rows of SessionSearch are numbered number << 32 | seq, so those of one session come together and in the order of the list.
import type { ExcerptPart, SessionList } from '@quayside/protocol'
import type { ListSessionsQuery } from '@quayside/protocol/schemas'
import { z } from 'zod'
import type { Database } from '../../store/database.js'
import { StatementCache } from '../../store/statement-cache.js'
import { excerptOf } from './excerpt.js'
import { repoWord } from '../log/search-index.js'
import { readSearch, type SearchWords } from './search-words.js'
import { filterSql, readCursor, type SessionFilter, toCursor } from './session-filter.js'

type Hit = { readonly id: string; readonly number: number; readonly seq: number }
type Matches = { readonly hits: readonly Hit[]; readonly total: number }
type Found = Omit<SessionList, 'sessions'> & {
  readonly hits: readonly {
    readonly id: string
    readonly excerpt: readonly ExcerptPart[]
    readonly foundSeq?: number
  }[]
}
/** How a search goes on: below which session, and what its first page found out. */
type Place = {
  readonly below: number
  readonly how: 'exact' | 'prefix'
  readonly total?: number
}
type Wanted = {
  readonly match: string
  readonly filter: SessionFilter
  readonly below: number
  readonly most: number
}

const MAX_TOTAL = 1_000
/** The longest prefix that the migration has FTS5 keep. */
const INDEXED_PREFIX_CHARS = 4
const ABOVE_ALL = 2 ** 31 - 1
/** Rows of one session that are stepped over before the search is started again below it. */
const MAX_STEPS = 64
/** Up to so many sessions are cheaper to look into one by one. */
const MAX_PROBES = 200
/** Looking for the words in more of a text would take longer than finding the text. */
const MAX_EXCERPT_SOURCE = 50_000
const cursorSchema = z.tuple([
  z.literal('q'),
  z.int().min(0).max(ABOVE_ALL),
  z.enum(['exact', 'prefix']),
  z
    .int()
    .min(0)
    .max(MAX_TOTAL + 1),
])

export class SessionSearch {
  readonly #statements: StatementCache
  readonly #title
  readonly #text

  constructor(db: Database) {
    this.#statements = new StatementCache(db)
    this.#title = db.prepare('SELECT title AS text FROM AgentSession WHERE id = ?')
    this.#text = db.prepare(
      `SELECT substr(json_extract(content, '$.text'), 1, ${MAX_EXCERPT_SOURCE}) AS text FROM AgentMessage
       WHERE sessionId = ? AND seq = ? AND role IN ('user', 'agent')
         AND json_extract(content, '$.type') = 'text'`,
    )
  }

  search(query: ListSessionsQuery & { readonly q: string }, filter: SessionFilter): Found {
    const { limit, offset, cursor } = query
    const words = readSearch(query.q)
    if (words === undefined) return { hits: [], total: 0, limit, offset }
    const {
      how,
      below,
      total: known,
    } = cursor === undefined ? this.#begin(words) : readPlace(cursor)
    const wanted = { match: toMatch(words, how, filter), filter, below, most: offset + limit + 1 }
    const isCheap = how === 'exact' || words.last.chars <= INDEXED_PREFIX_CHARS
    const { hits, total } =
      isCheap && this.#isNarrow(filter) ? this.#probe(wanted) : this.#scan(wanted, known)
    const page = hits.slice(offset, offset + limit)
    const last = hits.length > offset + limit ? page.at(-1) : undefined
    return {
      hits: page.map((hit) => this.#toExcerpt(hit, words)),
      total: Math.min(total, MAX_TOTAL),
      ...(total > MAX_TOTAL && { totalIsCapped: true }),
      limit,
      offset,
      ...(last && { nextCursor: toCursor(['q', last.number, how, total]) }),
    }
  }

  #begin({ prefix, last }: SearchWords): Place {
    const how = prefix === undefined || this.#isCommon(last) ? 'exact' : 'prefix'
    return { below: ABOVE_ALL, how }
  }

  /**
   * A long last word that is in more sessions than anybody reads is not taken as the beginning of others too: beyond the prefixes
   * it keeps, FTS5 collects every row of every such word before it gives the first.
   */
  #isCommon({ exact, chars }: SearchWords['last']): boolean {
    return chars > INDEXED_PREFIX_CHARS && this.#count(exact) > MAX_TOTAL
  }

  /** How many sessions; one more than `MAX_TOTAL` stands for any number above it. */
  #count(match: string, filter?: SessionFilter): number {
    const found = `SELECT DISTINCT rowid >> 32 AS number FROM SessionSearch WHERE SessionSearch MATCH :match`
    const wanted = filter
      ? `SELECT 1 FROM (${found}) AS hit CROSS JOIN AgentSession USING (number) WHERE ${filterSql(filter)}`
      : found
    const { count } = this.#statements
      .prepare(`SELECT count(*) AS count FROM (${wanted} LIMIT ${MAX_TOTAL + 1})`)
      .get({ match, ...filter?.scope }) as { count: number }
    return count
  }

  #isNarrow(filter: SessionFilter): boolean {
    const { sessions } = this.#statements
      .prepare(`SELECT sum(sessions) AS sessions FROM SessionCount WHERE ${filterSql(filter)}`)
      .get(filter.scope) as { sessions: number | null }
    return (sessions ?? 0) <= MAX_PROBES
  }

  /** Looks into each session of a few, instead of at every row of a common word. */
  #probe({ match, filter, below, most }: Wanted): Matches {
    const rows = this.#statements
      .prepare(
        `SELECT id, number, (
           SELECT rowid & 4294967295 FROM SessionSearch
           WHERE SessionSearch MATCH :match AND rowid BETWEEN number << 32 AND number << 32 | 4294967295
           ORDER BY rowid DESC LIMIT 1
         ) AS seq FROM AgentSession WHERE ${filterSql(filter)}`,
      )
      .all({ match, ...filter.scope }) as (Hit & { seq: number | null })[]
    const found = rows.filter(({ seq }) => seq !== null).toSorted((a, b) => b.number - a.number)
    const hits = found.filter(({ number }) => number < below).slice(0, most)
    return { hits, total: found.length }
  }

  /** Reads rows that match, newest first, until there are sessions enough. */
  #scan({ match, filter, below, most }: Wanted, known: number | undefined): Matches {
    const statement = this.#statements.prepare(
      `SELECT id, number, seq FROM (
         SELECT rowid >> 32 AS number, rowid & 4294967295 AS seq FROM SessionSearch
         WHERE SessionSearch MATCH :match AND rowid < :below << 32 ORDER BY rowid DESC LIMIT -1
       ) AS hit CROSS JOIN AgentSession USING (number) WHERE ${filterSql(filter)}`,
    )
    const hits: Hit[] = []
    let isDone = false
    while (!isDone) {
      const from = { match, below: hits.at(-1)?.number ?? below }
      const rows = statement.iterate({ ...from, ...filter.scope }) as Iterable<Hit>
      isDone = takeHits(rows, hits, most)
    }
    return { hits, total: known ?? this.#count(match, filter) }
  }

  #toExcerpt({ id, seq }: Hit, { isMatch }: SearchWords): Found['hits'][number] {
    const row = (seq === 0 ? this.#title.get(id) : this.#text.get(id, seq)) as
      | { text: string | null }
      | undefined
    const excerpt = excerptOf(row?.text ?? '', isMatch)
    return { id, excerpt, ...(seq > 0 && { foundSeq: seq }) }
  }
}

/** False when one session has so many rows that the search should begin again below it. */
function takeHits(rows: Iterable<Hit>, hits: Hit[], most: number): boolean {
  let steps = 0
  for (const row of rows) {
    if (row.number === hits.at(-1)?.number) {
      steps += 1
      if (steps > MAX_STEPS) return false
      continue
    }
    steps = 0
    hits.push(row)
    if (hits.length === most) return true
  }
  return true
}

function readPlace(cursor: string): Place {
  const [, below, how, total] = readCursor(cursor, cursorSchema)
  return { below, how, total }
}

function toMatch(words: SearchWords, how: Place['how'], { scope }: SessionFilter): string {
  const match = how === 'prefix' ? (words.prefix ?? words.exact) : words.exact
  if (scope.repoId === undefined) return match
  return `"${repoWord(scope.repoId)}" AND ${match}`
}
