// Measures and removes ended sessions in PostgreSQL, some rows at a time.
import type {
  MediaUse,
  RemovalCondition,
  RowsSize,
  SessionPart,
  Step,
  StepKey,
  StoredSession,
  UpkeepStore,
} from '../upkeep-store.js'
import { cleanText, type Connections, type Statement } from './connections.js'
import type { MediaRows } from './media-rows.js'
import { ofMachine, type Ownership } from './ownership.js'

const READ_ROWS = 1_000
const REMOVE_ROWS = 1_000
const REMOVE_BYTES = 1024 * 1024

export class UpkeepRows implements UpkeepStore {
  readonly #db: Connections
  readonly #media: MediaRows
  readonly #ownership: Pick<Ownership, 'hub' | 'volumes'>

  constructor(db: Connections, media: MediaRows, ownership: Pick<Ownership, 'hub' | 'volumes'>) {
    this.#db = db
    this.#media = media
    this.#ownership = ownership
  }

  async sessions(after: StepKey = ''): Promise<Step<{ rows: readonly StoredSession[] }>> {
    const rows = await this.#db.read<StoredSession>(SESSIONS, [after, ...this.#machine])
    return { rows, next: rows.length < READ_ROWS ? undefined : rows.at(-1)?.id }
  }

  async measure(part: SessionPart, sessionId: string, after?: StepKey): Promise<Step<RowsSize>> {
    const { measure, first } = PARTS[part]
    const row = await this.#db.readOne<Measured>(measure, [sessionId, after ?? first])
    const { count = 0, bytes = 0, last } = row ?? {}
    return { count, bytes, next: count < READ_ROWS ? undefined : (last ?? undefined) }
  }

  async mediaUses(after: StepKey = 0): Promise<Step<{ rows: readonly MediaUse[] }>> {
    await this.#media.flush()
    const rows = await this.#db.read<MediaUse & { number: number }>(MEDIA, [after])
    return { rows, next: rows.length < READ_ROWS ? undefined : rows.at(-1)?.number }
  }

  async mark(
    sessionId: string,
    { lastSeq, evenPinned = false }: RemovalCondition,
  ): Promise<boolean> {
    const values = [evenPinned, lastSeq ?? null]
    return this.#db.inTransaction(async (client) => {
      // A fork that begins holds the row: the next statement sees it.
      await client.query({ ...LOCK, values: [cleanText(sessionId)] })
      const { rowCount } = await client.query({
        ...MARK,
        values: [cleanText(sessionId), ...values],
      })
      return rowCount === 1
    })
  }

  async marked(): Promise<string[]> {
    const rows = await this.#db.read<{ id: string }>(MARKED, this.#machine)
    return rows.map(({ id }) => id)
  }

  async removeRows(part: SessionPart, sessionId: string): Promise<RowsSize | undefined> {
    const [row] = await this.#db.write<Removed>(PARTS[part].remove, [sessionId])
    const { wanted = 0, removed = 0, bytes = 0 } = row ?? {}
    return removed === wanted ? { count: wanted, bytes } : undefined
  }

  async removeSession(sessionId: string): Promise<string[]> {
    await this.#media.flush()
    const rows = await this.#db.write<{ sha256: string }>(REMOVE_SESSION, [sessionId])
    return rows.map(({ sha256 }) => sha256)
  }

  /** For `ofMachine`. */
  get #machine(): unknown[] {
    const { volumes, hub } = this.#ownership
    return [volumes, hub.machineId]
  }

  /** The server uses free space by itself, and does not say how much there is. */
  reusableBytes(): number {
    return 0
  }
}

type Measured = { readonly count: number; readonly bytes: number; readonly last: StepKey | null }
type Removed = { readonly wanted: number; readonly removed: number; readonly bytes: number }

/** Resuming a session clears the mark. The lock keeps it from being resumed meanwhile. */
const IS_MARKED = `"removing" AND "status" <> 'active'`

const PARTS = {
  events: partOf('AgentEvent', { column: 'data', key: 'seq' }),
  messages: partOf('AgentMessage', { column: 'content', key: 'itemId' }),
  checkpoints: partOf('AgentCheckpoint', { column: 'state', key: 'seq' }),
}

type Part = { readonly measure: Statement; readonly remove: Statement; readonly first: StepKey }

function partOf(table: string, { column, key }: { column: string; key: string }): Part {
  const isText = key === 'itemId'
  const bytes = `octet_length("${column}")`
  const search = `, unsearched AS (
      DELETE FROM "SessionSearch" AS x USING marked AS s, gone WHERE x."number" = s."number" AND x."seq" = gone."seq"
    )`
  return {
    first: isText ? '' : 0,
    measure: {
      name: `upkeep_measure_${table}`,
      text: `SELECT count(*) AS "count", coalesce(sum("bytes"), 0) AS "bytes", max("key") AS "last" FROM (
          SELECT "${key}" AS "key", ${bytes} AS "bytes" FROM "${table}"
          WHERE "sessionId" = $1 AND "${key}" > $2 ORDER BY "${key}" LIMIT ${READ_ROWS}
        ) AS page`,
    },
    remove: {
      name: `upkeep_remove_${table}`,
      text: `WITH page AS (
          SELECT "${key}" AS "key", ${bytes} AS "bytes", sum(${bytes}) OVER (ORDER BY "${key}") - ${bytes} AS "before"
          FROM "${table}" WHERE "sessionId" = $1 ORDER BY "${key}" LIMIT ${REMOVE_ROWS}
        ), chosen AS (SELECT "key", "bytes" FROM page WHERE "before" < ${REMOVE_BYTES}
        ), marked AS (SELECT "number" FROM "AgentSession" WHERE "id" = $1 AND ${IS_MARKED} FOR SHARE
        ), gone AS (
          DELETE FROM "${table}" AS t USING chosen, marked WHERE t."sessionId" = $1 AND t."${key}" = chosen."key" RETURNING t."seq"
        )${isText ? search : ''}
        SELECT (SELECT count(*) FROM chosen) AS "wanted", (SELECT count(*) FROM gone) AS "removed",
          (SELECT coalesce(sum("bytes"), 0) FROM chosen) AS "bytes"`,
    },
  }
}

const HAS_FORKS =
  'EXISTS (SELECT 1 FROM "AgentSession" AS fork WHERE fork."forkedFrom" = "AgentSession"."id")'

const SESSIONS = {
  name: 'upkeep_sessions',
  text: `SELECT "id", "title", "status" <> 'active' AS "isEnded", "pinned" AS "isPinned", "lastSeq",
      coalesce("endedAt", "updatedAt") AS "endedAt", ${HAS_FORKS} AS "hasForks"
    FROM "AgentSession" WHERE "id" > $1 AND ${ofMachine('$2', '$3')} ORDER BY "id" LIMIT ${READ_ROWS}`,
}
const MEDIA = {
  name: 'upkeep_media',
  text: `SELECT "number", "sha256", "sessionId", "byteLength" FROM "Media" WHERE "number" > $1 ORDER BY "number" LIMIT ${READ_ROWS}`,
}
const LOCK = {
  name: 'upkeep_lock',
  text: 'SELECT 1 FROM "AgentSession" WHERE "id" = $1 FOR UPDATE',
}
const MARK = {
  name: 'upkeep_mark',
  text: `UPDATE "AgentSession" SET "removing" = true
    WHERE "id" = $1 AND "status" <> 'active' AND (NOT "pinned" OR $2::boolean) AND ($3::int IS NULL OR "lastSeq" = $3)
      AND NOT ${HAS_FORKS}
    RETURNING "id"`,
}
const MARKED = {
  name: 'upkeep_marked',
  text: `SELECT "id" FROM "AgentSession" WHERE ${IS_MARKED} AND ${ofMachine('$1', '$2')}`,
}
/** Events that were stored while the others were removed go with it. */
const REMOVE_SESSION = {
  name: 'upkeep_remove_session',
  text: `WITH gone AS (DELETE FROM "AgentSession" WHERE "id" = $1 AND ${IS_MARKED} RETURNING "id", "number"),
      events AS (DELETE FROM "AgentEvent" AS t USING gone WHERE t."sessionId" = gone."id"),
      messages AS (DELETE FROM "AgentMessage" AS t USING gone WHERE t."sessionId" = gone."id"),
      checkpoints AS (DELETE FROM "AgentCheckpoint" AS t USING gone WHERE t."sessionId" = gone."id"),
      words AS (DELETE FROM "SessionSearch" AS t USING gone WHERE t."number" = gone."number"),
      media AS (DELETE FROM "Media" AS t USING gone WHERE t."sessionId" = gone."id" RETURNING t."sha256")
    SELECT DISTINCT "sha256" FROM media`,
}
