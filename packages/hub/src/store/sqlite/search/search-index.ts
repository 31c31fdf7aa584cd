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
/** About as long as a slice: the pages that one step of a merge writes. */
const MERGE_PAGES = 64
/** A step that changed fewer rows had nothing to merge: https://sqlite.org/fts5.html#the_merge_command */
const MERGED_CHANGES = 2
/** A search waits this long for the index; then it finds the rest the next time. */
const CATCH_UP_MS = 500
/** A search finds only the beginning of a long text: one more text must not block the loop. */
const MAX_TEXT_CHARS = 64 * 1024

export class SearchIndex {
  readonly #db: Database
  readonly #statements
  /** True when texts may be queued, by this process or an earlier one. */
  #isBehind = true
  /** True when parts of the index may be left to merge. */
  #isInParts = true
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
    if (!this.#hasWork() || !this.#db.isOpen) return
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
    if (this.#isBehind)
      return this.#workUntil(performance.now() + CATCH_UP_MS, () => this.#isBehind)
  }

  async #follow(): Promise<void> {
    const isBusy = performance.now() - this.#queuedAt < BUSY_MS
    await this.#workUntil(performance.now() + (isBusy ? 0 : LAG_MS), () => this.#hasWork())
    this.followLater()
  }

  #hasWork(): boolean {
    return this.#isBehind || this.#isInParts
  }

  /** A slice of texts and a step of merging in turn, each in an event-loop tick of its own. */
  async #workUntil(deadline: number, hasWork: () => boolean): Promise<void> {
    while (this.#tryWork(() => this.#indexSlice())) {
      await setImmediate()
      if (!this.#tryWork(() => this.#mergeStep())) return
      if (!hasWork() || performance.now() >= deadline) return
      await setImmediate()
    }
  }

  /** False when the disk is full: then the texts stay queued. */
  #tryWork(work: () => void): boolean {
    if (!this.#db.isOpen) return false
    try {
      inTransaction(this.#db, work)
      return true
    } catch {
      this.#isBehind = true
      return false
    }
  }

  #mergeStep(): void {
    const { merge, changes } = this.#statements
    const before = changes.get() as { total: number }
    merge.run(MERGE_PAGES)
    const after = changes.get() as { total: number }
    this.#isInParts = after.total - before.total >= MERGED_CHANGES
  }

  #indexSlice(): void {
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
    this.#isBehind = indexed === SLICE_TEXTS || indexed < queued.length
    if (indexed > 0) this.#isInParts = true
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
    merge: db.prepare(`INSERT INTO SessionSearch (SessionSearch, rank) VALUES ('merge', ?)`),
    changes: db.prepare('SELECT total_changes() AS total'),
    done: db.prepare('DELETE FROM SearchQueue WHERE id = ? << 32 | ?'),
  }
}
