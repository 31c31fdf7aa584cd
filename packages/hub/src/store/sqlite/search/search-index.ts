// The writing side of SessionSearch: titles, prompts and answers. A commit only queues them, and the index follows in slices,
// so that a flood does not wait for it. The queue is a table: after a crash the index continues with it.
// A trigger removes a session's rows with the session; search-rows.ts reads.
import { setImmediate } from 'node:timers/promises'
import type { MaybePromise } from '../../maybe-promise.js'
import type { Database } from '../database.js'
import { inTransaction } from '../transaction.js'

/** The first character of a made-up word that stands for a repository. No search contains it: a search keeps letters and digits only. */
const REPO_MARK = '\uE000'

/** The word that MATCH finds in the column `repo`. Clients may send any id, so only its letters and digits are used. */
export function repoWord(repoId: string): string {
  return REPO_MARK + repoId.replaceAll('-', '').replaceAll(/[^\p{L}\p{N}]/gu, ' ')
}

/** The index is behind by this at most, unless texts arrive faster than one slice in this time. */
const LAG_MS = 1_000
/** A session that wrote less than this ago may be flooding, and goes first. */
const BUSY_MS = 200
/** Other work runs after this much of indexing. */
const SLICE_MS = 4
const SLICE_TEXTS = 500
/** A search waits this long for the index; then it finds the rest the next time. */
const CATCH_UP_MS = 500
/** A search finds only the beginning of a long text: one more text must not block the loop. */
const MAX_TEXT_CHARS = 64 * 1024

export class SearchIndex {
  readonly #db: Database
  readonly #statements
  /** True when texts may be queued, by this process or an earlier one. */
  #isBehind = true
  #queuedAt = 0
  #isScheduled = false

  constructor(db: Database) {
    this.#db = db
    this.#statements = indexStatements(db)
    this.followLater()
  }

  /** Queues the title (0), and the texts that begin with these events, in the transaction that changes them. */
  queue(sessionId: string, seqs: readonly number[]): void {
    if (seqs.length === 0) return
    this.#statements.queue.run(JSON.stringify(seqs), sessionId)
    this.#isBehind = true
  }

  /** Called after a commit. */
  followLater(): void {
    if (!this.#isBehind || !this.#db.isOpen) return
    this.#queuedAt = performance.now()
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      void this.#follow()
    }, LAG_MS).unref()
  }

  /** Indexes the texts that are queued, so that a search finds them. */
  catchUp(): MaybePromise<void> {
    if (this.#isBehind) return this.#indexUntil(performance.now() + CATCH_UP_MS)
  }

  async #follow(): Promise<void> {
    const isBusy = performance.now() - this.#queuedAt < BUSY_MS
    await this.#indexUntil(performance.now() + (isBusy ? 0 : LAG_MS))
    this.followLater()
  }

  async #indexUntil(deadline: number): Promise<void> {
    while (this.#db.isOpen && this.#tryIndexSlice() && performance.now() < deadline)
      await setImmediate()
  }

  /** False when no text is left, or when the disk is full: then the texts stay queued. */
  #tryIndexSlice(): boolean {
    try {
      this.#isBehind = inTransaction(this.#db, () => this.#indexSlice())
      return this.#isBehind
    } catch {
      return false
    }
  }

  /** True when more texts may be queued. */
  #indexSlice(): boolean {
    const { next, removeText, putTitle, putText, done } = this.#statements
    const until = performance.now() + SLICE_MS
    const queued = next.all(SLICE_TEXTS) as { number: number; seq: number }[]
    let indexed = 0
    for (const { number, seq } of queued) {
      removeText.run(number, seq)
      if (seq === 0) putTitle.run(number)
      else putText.run(number, seq)
      done.run(number, seq)
      indexed += 1
      if (performance.now() > until) break
    }
    return indexed === SLICE_TEXTS || indexed < queued.length
  }
}

function indexStatements(db: Database) {
  const put = `INSERT INTO SessionSearch (rowid, text, repo)`
  const repo = `'${REPO_MARK}' || replace(repoId, '-', '')`
  return {
    queue: db.prepare(
      `INSERT OR IGNORE INTO SearchQueue (id) SELECT number << 32 | value
       FROM json_each(?) CROSS JOIN AgentSession WHERE AgentSession.id = ? AND number IS NOT NULL`,
    ),
    next: db.prepare(
      'SELECT id >> 32 AS number, id & 4294967295 AS seq FROM SearchQueue ORDER BY id LIMIT ?',
    ),
    removeText: db.prepare('DELETE FROM SessionSearch WHERE rowid = ? << 32 | ?'),
    putTitle: db.prepare(
      `${put} SELECT number << 32, title, ${repo}
       FROM AgentSession WHERE number = ? AND title IS NOT NULL`,
    ),
    // One event begins at most one text.
    putText: db.prepare(
      `${put} SELECT number << 32 | seq, substr(json_extract(content, '$.text'), 1, ${MAX_TEXT_CHARS}), ${repo}
       FROM AgentSession CROSS JOIN AgentMessage ON sessionId = AgentSession.id
       WHERE number = ? AND seq = ?
         AND role IN ('user', 'agent') AND json_extract(content, '$.type') = 'text'`,
    ),
    done: db.prepare('DELETE FROM SearchQueue WHERE id = ? << 32 | ?'),
  }
}
