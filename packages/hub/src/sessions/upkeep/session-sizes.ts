// How much each session holds: its events and messages in bytes, and the media that nobody else uses. Reads in small steps,
// so that the hub's event loop goes on.
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../store/database.js'

export type StoredSession = {
  readonly id: string
  readonly title: string | null
  readonly isEnded: boolean
  readonly isPinned: boolean
  /** Milliseconds since 1970: when it ended, or last changed. */
  readonly endedAt: number
  readonly lastSeq: number
}

export type SessionSize = {
  readonly events: number
  readonly messages: number
  /** Of the events' data and the messages' content. */
  readonly bytes: number
}

/** About two milliseconds. */
const ROWS_PER_STEP = 1_000

export class SessionSizes {
  readonly #statements

  constructor(db: Database) {
    const step = ({ table, column, key }: Measured) =>
      db.prepare(
        `SELECT count(*) AS count, sum(bytes) AS bytes, max(key) AS last FROM (
           SELECT ${key} AS key, octet_length(${column}) AS bytes FROM ${table}
           WHERE sessionId = ? AND ${key} > ? ORDER BY ${key} LIMIT ${ROWS_PER_STEP})`,
      )
    this.#statements = {
      sessions: db.prepare(
        `SELECT id, title, status <> 'active' AS isEnded, pinned AS isPinned, lastSeq,
                coalesce(endedAt, updatedAt) AS endedAt
         FROM AgentSession WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_STEP}`,
      ),
      events: step({ table: 'AgentEvent', column: 'data', key: 'seq' }),
      messages: step({ table: 'AgentMessage', column: 'content', key: 'itemId' }),
      media: db.prepare(
        `SELECT rowid AS at, sha256, sessionId, byteLength FROM Media
         WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_STEP}`,
      ),
    }
  }

  async sessions(): Promise<StoredSession[]> {
    const all: StoredSession[] = []
    for (let after = ''; ;) {
      const page = this.#statements.sessions.all(after) as SessionRow[]
      all.push(
        ...page.map((row) => ({
          ...row,
          isEnded: row.isEnded === 1,
          isPinned: row.isPinned === 1,
        })),
      )
      const last = page.at(-1)
      if (last === undefined || page.length < ROWS_PER_STEP) return all
      after = last.id
      await setImmediate()
    }
  }

  async sizeOf(sessionId: string): Promise<SessionSize> {
    const events = await this.#sum(this.#statements.events, sessionId, 0)
    const messages = await this.#sum(this.#statements.messages, sessionId, '')
    return {
      events: events.count,
      messages: messages.count,
      bytes: events.bytes + messages.bytes,
    }
  }

  async media(): Promise<MediaUses> {
    const uses = new MediaUses()
    for (let after = 0; ;) {
      const page = this.#statements.media.all(after) as MediaRow[]
      for (const row of page) uses.add(row)
      const last = page.at(-1)
      if (last === undefined || page.length < ROWS_PER_STEP) return uses
      after = last.at
      await setImmediate()
    }
  }

  async #sum(
    statement: Statement,
    sessionId: string,
    first: Key,
  ): Promise<{ count: number; bytes: number }> {
    let count = 0
    let bytes = 0
    for (let after = first; ;) {
      const step = statement.get(sessionId, after) as StepRow
      count += step.count
      bytes += step.bytes ?? 0
      if (step.last === null || step.count < ROWS_PER_STEP) return { count, bytes }
      after = step.last
      await setImmediate()
    }
  }
}

type Statement = ReturnType<Database['prepare']>
/** The key is what the table's index has after the session: without it each step would sort all of the session's rows. */
type Measured = { readonly table: string; readonly column: string; readonly key: string }
type Key = number | string
type StepRow = { count: number; bytes: number | null; last: Key | null }
type SessionRow = Omit<StoredSession, 'isEnded' | 'isPinned'> & {
  isEnded: number
  isPinned: number
}
type MediaRow = { at: number; sha256: string; sessionId: string | null; byteLength: number }

/** Which sessions use which file. A file is free when the last of them lets go. */
export class MediaUses {
  readonly #users = new Map<string, { readonly bytes: number; readonly sessions: Set<string> }>()
  readonly #hashes = new Map<string, Set<string>>()

  add({ sha256, sessionId, byteLength }: Omit<MediaRow, 'at'>): void {
    // What belongs to no session has a user that never lets go.
    const user = sessionId ?? ''
    const file = this.#users.get(sha256) ?? { bytes: byteLength, sessions: new Set() }
    this.#users.set(sha256, file)
    file.sessions.add(user)
    const hashes = this.#hashes.get(user) ?? new Set()
    this.#hashes.set(user, hashes)
    hashes.add(sha256)
  }

  get totalBytes(): number {
    return [...this.#users.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Takes a session away and returns what nobody uses any more. */
  release(sessionId: string): { files: number; bytes: number } {
    let files = 0
    let bytes = 0
    for (const sha256 of this.#hashes.get(sessionId) ?? []) {
      const file = this.#users.get(sha256)
      file?.sessions.delete(sessionId)
      if (file === undefined || file.sessions.size > 0) continue
      files += 1
      bytes += file.bytes
      this.#users.delete(sha256)
    }
    this.#hashes.delete(sessionId)
    return { files, bytes }
  }
}
