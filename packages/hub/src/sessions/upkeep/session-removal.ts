// Removes one ended session: first it is marked, in the step that makes sure it has ended; then its rows go in small
// transactions; last its kept work tree, the session itself and the files that nobody uses. A mark that a crash left is found at the next start.
import { rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { HubError } from '../../errors.js'
import { mediaPath } from '../../store/data-files.js'
import type { Database } from '../../store/database.js'
import { type DiskPart, measurePath } from '../../store/disk-use.js'

export type Removed = {
  readonly id: string
  readonly events: number
  readonly messages: number
  /** Of the events' data and the messages' content. */
  readonly bytes: number
  readonly media: DiskPart
  /** Kept to tell what the session changed. */
  readonly workTree: DiskPart
}

export type RemovalOptions = {
  readonly db: Database
  readonly mediaFolder: string
  /** Where each session's work tree is kept, in a folder named by its id. */
  readonly snapshotsFolder: string
  /** Whether the session is live or about to be; its row may not say so yet. */
  isInUse(sessionId: string): boolean
  /** Its row is gone. */
  onRemoved?(sessionId: string): void
}

/** What may go: any ended session, or only the one that was planned, as it was then. */
export type Condition = { readonly lastSeq?: number; readonly evenPinned?: boolean }

/** One step takes a few milliseconds: rows may be large, and their pages are all visited. */
const ROWS_PER_STEP = 128
const BYTES_PER_STEP = 128 * 1024

export class SessionRemoval {
  readonly #options: RemovalOptions
  readonly #statements
  /** Also those that are gone: whoever read their row a moment ago must not act on it. */
  readonly #removed = new Set<string>()
  readonly #working = new Set<string>()

  constructor(options: RemovalOptions) {
    this.#options = options
    this.#statements = prepareStatements(options.db)
  }

  /** True from the moment its removal is certain. Such a session must not be resumed or changed. */
  isRemoved(sessionId: string): boolean {
    return this.#removed.has(sessionId)
  }

  /** Resolves with what is gone, or with nothing when the session may not go. Throws `storage_failed`; then `finish` goes on. */
  async remove(sessionId: string, condition: Condition = {}): Promise<Removed | undefined> {
    return this.#mark(sessionId, condition) ? this.#removeMarked(sessionId) : undefined
  }

  /** What a crash or a full disk interrupted. Synchronous up to its first step, so that nobody can resume those sessions. */
  async finish(): Promise<Removed[]> {
    const rows = this.#statements.findMarked.all() as { id: string }[]
    const interrupted = rows.map(({ id }) => id).filter((id) => !this.#working.has(id))
    for (const id of interrupted) this.#removed.add(id)
    const removed: Removed[] = []
    for (const id of interrupted) removed.push(await this.#removeMarked(id))
    return removed
  }

  /** Removes the file unless a row refers to it, and returns its size. In one turn of the loop, so that no `put` comes between. */
  removeFileIfUnused(sha256: string): number | undefined {
    const path = mediaPath(this.#options.mediaFolder, sha256)
    if (this.#statements.isUsed.get(sha256) !== undefined) return undefined
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    rmSync(path, { force: true })
    return found.size
  }

  #mark(sessionId: string, { lastSeq, evenPinned = false }: Condition): boolean {
    if (this.#removed.has(sessionId) || this.#options.isInUse(sessionId)) return false
    const seq = lastSeq ?? null
    const { changes } = this.#statements.mark.run(sessionId, evenPinned ? 1 : 0, seq, seq)
    if (changes !== 1) return false
    this.#removed.add(sessionId)
    return true
  }

  async #removeMarked(id: string): Promise<Removed> {
    this.#working.add(id)
    try {
      // What was appended to it before the mark is committed by then, and goes too.
      await setImmediate()
      const events = await this.#empty(id, this.#statements.events)
      const messages = await this.#empty(id, this.#statements.messages)
      // Before its row: as long as that is marked, a crash leaves nothing behind that nobody knows of.
      const workTree = await this.#removeWorkTree(id)
      const hashes = this.#removeSession(id)
      this.#options.onRemoved?.(id)
      const media = await this.#removeFiles(hashes)
      const bytes = events.bytes + messages.bytes
      return { id, events: events.count, messages: messages.count, bytes, media, workTree }
    } catch (error) {
      throw new HubError('storage_failed', { sessionId: id }, { cause: error })
    } finally {
      this.#working.delete(id)
    }
  }

  async #removeWorkTree(id: string): Promise<DiskPart> {
    const folder = join(this.#options.snapshotsFolder, id)
    const size = await measurePath(folder)
    await rm(folder, { recursive: true, force: true })
    return size
  }

  async #removeFiles(hashes: readonly string[]): Promise<Removed['media']> {
    let files = 0
    let bytes = 0
    for (const sha256 of hashes) {
      const size = this.#removeFileAfterRow(sha256)
      files += size === undefined ? 0 : 1
      bytes += size ?? 0
      await setTimeout(0)
    }
    return { files, bytes }
  }

  #removeFileAfterRow(sha256: string): number | undefined {
    try {
      return this.removeFileIfUnused(sha256)
    } catch {
      // The session is gone; a file that cannot be removed now is found again as one without a row.
      return undefined
    }
  }

  async #empty(id: string, table: Table): Promise<{ count: number; bytes: number }> {
    let count = 0
    let bytes = 0
    for (;;) {
      const startedAt = performance.now()
      const step = nextStep(table.read.all(id) as RowSize[])
      if (step.rows.length === 0) return { count, bytes }
      if (!this.#removeRows(id, table, step.rows)) {
        this.#removed.delete(id)
        throw new Error(`session ${id} became active while it was removed`)
      }
      count += step.rows.length
      bytes += step.bytes
      // Half of the time belongs to the sessions that run.
      await setTimeout(performance.now() - startedAt)
    }
  }

  #removeRows(id: string, table: Table, rows: readonly number[]): boolean {
    return this.#inTransaction(() => {
      const list = JSON.stringify(rows)
      table.removeFromSearch?.run(list)
      return table.remove.run(list, id).changes === rows.length
    })
  }

  /** Media rows go with it. Returns their hashes. */
  #removeSession(id: string): string[] {
    return this.#inTransaction(() => {
      const rows = this.#statements.hashes.all(id) as { sha256: string }[]
      this.#statements.removeSession.run(id)
      return rows.map(({ sha256 }) => sha256)
    })
  }

  #inTransaction<T>(work: () => T): T {
    const { db } = this.#options
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

type Statement = ReturnType<Database['prepare']>
type Table = {
  readonly read: Statement
  readonly remove: Statement
  readonly removeFromSearch?: Statement
}
type RowSize = { at: number; bytes: number }

function nextStep(page: readonly RowSize[]): { rows: number[]; bytes: number } {
  const rows: number[] = []
  let bytes = 0
  for (const row of page) {
    if (rows.length > 0 && bytes + row.bytes > BYTES_PER_STEP) break
    rows.push(row.at)
    bytes += row.bytes
  }
  return { rows, bytes }
}

/** Resuming clears the mark, so even then no row of an active session goes. */
const IS_MARKED = `status <> 'active' AND json_extract(metadata, '$.removing') = 1`

function prepareStatements(db: Database) {
  const table = (name: string, column: string): Table => ({
    read: db.prepare(
      `SELECT rowid AS at, octet_length(${column}) AS bytes FROM ${name}
       WHERE sessionId = ? LIMIT ${ROWS_PER_STEP}`,
    ),
    remove: db.prepare(
      `DELETE FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM AgentSession WHERE id = ? AND ${IS_MARKED})`,
    ),
  })
  return {
    events: table('AgentEvent', 'data'),
    messages: {
      ...table('AgentMessage', 'content'),
      // A trigger would take them all at once with the session.
      removeFromSearch: db.prepare(
        `DELETE FROM SessionSearch WHERE rowid IN (
           SELECT number << 32 | seq FROM AgentMessage JOIN AgentSession ON AgentSession.id = sessionId
           WHERE AgentMessage.rowid IN (SELECT value FROM json_each(?)))`,
      ),
    },
    mark: db.prepare(
      `UPDATE AgentSession SET metadata = json_set(metadata, '$.removing', json('true'))
       WHERE id = ? AND status <> 'active' AND (pinned = 0 OR ? = 1) AND (? IS NULL OR lastSeq = ?)`,
    ),
    findMarked: db.prepare(`SELECT id FROM AgentSession WHERE ${IS_MARKED}`),
    hashes: db.prepare('SELECT DISTINCT sha256 FROM Media WHERE sessionId = ?'),
    removeSession: db.prepare(`DELETE FROM AgentSession WHERE id = ? AND ${IS_MARKED}`),
    isUsed: db.prepare('SELECT 1 FROM Media WHERE sha256 = ? LIMIT 1'),
  }
}
