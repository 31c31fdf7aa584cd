// The writing side of SessionSearch: titles, prompts and answers, in the transaction of the rows they are in.
// A trigger removes a session's rows with the session; search-rows.ts reads.
import type { Database } from './database.js'

/** The first character of a made-up word that stands for a repository. No search contains it: a search keeps letters and digits only. */
const REPO_MARK = '\uE000'

/** The word that MATCH finds in the column `repo`. Clients may send any id, so only its letters and digits are used. */
export function repoWord(repoId: string): string {
  return REPO_MARK + repoId.replaceAll('-', '').replaceAll(/[^\p{L}\p{N}]/gu, ' ')
}

export class SearchIndex {
  readonly #remove
  readonly #put

  constructor(db: Database) {
    this.#remove = db.prepare(
      `DELETE FROM SessionSearch
       WHERE rowid = (SELECT number << 32 | :seq FROM AgentSession WHERE id = :sessionId)`,
    )
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO SessionSearch (rowid, text, repo)
       SELECT number << 32 | :seq, :text, '${REPO_MARK}' || replace(repoId, '-', '')
       FROM AgentSession WHERE id = :sessionId AND number IS NOT NULL`,
    )
  }

  putTitle(sessionId: string, title: string | null): void {
    if (title === null) this.#remove.run({ sessionId, seq: 0 })
    else this.#put.run({ sessionId, seq: 0, text: title })
  }

  /** `seq` is the message's: one event begins at most one text. */
  putText(sessionId: string, seq: number, text: string): void {
    this.#put.run({ sessionId, seq, text })
  }
}
