// The writing side of SessionSearch: titles, prompts and answers. A commit only queues them, and the index follows in slices,
// so that a flood does not wait for it. Any hub may index a text, and two never take the same entry of the queue.
import type { ClientBase } from 'pg'
import type { Connections } from '../connections.js'
import { toVector } from './search-words.js'

/** The index is behind by this at most, unless texts arrive faster than one slice in this time. */
const LAG_MS = 1_000
/** A session that wrote less than this ago may be flooding, and goes first. */
const BUSY_MS = 200
const SLICE_TEXTS = 200
/** A search waits this long for the index; then it finds the rest the next time. */
const CATCH_UP_MS = 500
/** A search finds only the beginning of a long text. */
const MAX_TEXT_CHARS = 64 * 1024

type Queued = { readonly sessionId: string; readonly seq: number }
/** `text` is null when a title was removed. */
type Text = { readonly number: number; readonly seq: number; readonly version: number } & {
  readonly text: string | null
}

export class SearchIndex {
  readonly #db: Connections
  /** True when texts may be queued, by this process or an earlier one. */
  #isBehind = true
  #queuedAt = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(db: Connections) {
    this.#db = db
    this.followLater()
  }

  /** Called after a commit that has queued texts. */
  followLater(): void {
    this.#isBehind = true
    this.#queuedAt = performance.now()
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const isBusy = performance.now() - this.#queuedAt < BUSY_MS
      // Texts that cannot be indexed now stay queued.
      void this.#run(isBusy ? 0 : LAG_MS).catch(() => undefined)
    }, LAG_MS).unref()
  }

  /** Indexes the texts that this hub has queued, so that a search finds them. */
  async catchUp(): Promise<void> {
    await this.#running?.catch(() => undefined)
    if (this.#isBehind) await this.#run(CATCH_UP_MS)
  }

  /** True when another hub has queued texts that nobody has indexed, such as one that is away now. */
  async isBehindOthers(): Promise<boolean> {
    const isQueued = (await this.#db.readOne(IS_QUEUED, [])) !== undefined
    this.#isBehind ||= isQueued
    return isQueued
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running?.catch(() => undefined)
  }

  #run(ms: number): Promise<void> {
    this.#running ??= this.#indexUntil(performance.now() + ms).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #indexUntil(deadline: number): Promise<void> {
    while (this.#isBehind && !this.#isClosed) {
      // A commit during the slice sets the flag again.
      this.#isBehind = false
      try {
        const count = await this.#db.inTransaction(indexSlice)
        if (count === SLICE_TEXTS) this.#isBehind = true
      } catch (error) {
        this.#isBehind = true
        throw error
      }
      if (performance.now() > deadline) break
    }
    if (this.#isBehind) this.followLater()
  }
}

/** Indexes the oldest entries of the queue, and returns their number. */
async function indexSlice(client: ClientBase): Promise<number> {
  const { rows } = await client.query<Queued>({ ...TAKE, values: [SLICE_TEXTS] })
  if (rows.length === 0) return 0
  // Read after the entries were taken: a later change has an entry of its own.
  const found = [
    ...(await findTitles(client, rows)),
    ...(await findTexts(
      client,
      rows.filter(({ seq }) => seq > 0),
    )),
  ]
  // All hubs write in this order, so that two of them cannot deadlock.
  const texts = found.toSorted((a, b) => a.number - b.number || a.seq - b.seq)
  const columns = (some: readonly Text[]) => [
    some.map(({ number }) => number),
    some.map(({ seq }) => seq),
  ]
  const [gone, left] = [
    texts.filter(({ text }) => text === null),
    texts.filter(({ text }) => text !== null),
  ]
  if (gone.length > 0) await client.query({ ...REMOVE, values: columns(gone) })
  const versions = left.map(({ version }) => version)
  const vectors = left.map(({ text }) => toVector((text ?? '').slice(0, MAX_TEXT_CHARS)))
  if (left.length > 0) await client.query({ ...PUT, values: [...columns(left), versions, vectors] })
  return rows.length
}

async function findTitles(client: ClientBase, queued: readonly Queued[]): Promise<Text[]> {
  const ids = queued.flatMap(({ sessionId, seq }) => (seq === 0 ? [sessionId] : []))
  if (ids.length === 0) return []
  return (await client.query<Text>({ ...TITLES, values: [[...new Set(ids)]] })).rows
}

async function findTexts(client: ClientBase, queued: readonly Queued[]): Promise<Text[]> {
  if (queued.length === 0) return []
  const values = [queued.map(({ sessionId }) => sessionId), queued.map(({ seq }) => seq)]
  const { rows } = await client.query<Omit<Text, 'text'> & { content: string }>({
    ...TEXTS,
    values,
  })
  return rows.flatMap(({ content, ...row }) => {
    const { type, text } = JSON.parse(content) as { type?: unknown; text?: unknown }
    return type === 'text' && typeof text === 'string' ? [{ ...row, text }] : []
  })
}

const IS_QUEUED = {
  name: 'search_is_queued',
  text: 'SELECT 1 FROM "SearchQueue" LIMIT 1',
}
const TAKE = {
  name: 'search_take',
  text: `DELETE FROM "SearchQueue" WHERE "id" IN (
      SELECT "id" FROM "SearchQueue" ORDER BY "id" LIMIT $1 FOR UPDATE SKIP LOCKED
    ) RETURNING "sessionId", "seq"`,
}
const TITLES = {
  name: 'search_titles',
  text: `SELECT "number", 0 AS "seq", "lastSeq" AS "version", "title" AS "text" FROM "AgentSession" WHERE "id" = ANY ($1::text[])`,
}
/** One event begins at most one text. */
const TEXTS = {
  name: 'search_texts',
  text: `SELECT DISTINCT ON (s."number", m."seq") s."number", m."seq", m."updatedSeq" AS "version", m."content"
    FROM unnest($1::text[], $2::int[]) AS q("sessionId", "seq")
    JOIN "AgentMessage" AS m USING ("sessionId", "seq") JOIN "AgentSession" AS s ON s."id" = m."sessionId"
    WHERE m."role" IN ('user', 'agent') AND m."content" LIKE '%"type":"text"%'`,
}
const REMOVE = {
  name: 'search_remove',
  text: `DELETE FROM "SessionSearch" AS x USING unnest($1::int[], $2::int[]) AS q("number", "seq")
    WHERE x."number" = q."number" AND x."seq" = q."seq"`,
}
const PUT = {
  name: 'search_put',
  text: `INSERT INTO "SessionSearch" ("number", "seq", "version", "words")
    SELECT q."number", q."seq", q."version", q."words"::tsvector
    FROM unnest($1::int[], $2::int[], $3::int[], $4::text[]) AS q("number", "seq", "version", "words")
    ON CONFLICT ("number", "seq") DO UPDATE SET "version" = excluded."version", "words" = excluded."words"
    WHERE "SessionSearch"."version" <= excluded."version"`,
}
