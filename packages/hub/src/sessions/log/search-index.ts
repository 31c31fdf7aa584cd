// The writing side of SessionSearch: titles, prompts and answers, in the transaction of the rows they are in.
// A session's rows go with it by a trigger; session-search.ts reads.
import type { Database } from '../../store/database.js'
import { KEPT_CHARS } from './long-texts.js'

/** The first character of a made-up word that stands for a repository. It is in no search: a search keeps letters and digits only. */
const REPO_MARK = '\uE000'

/** What MATCH looks for in the column `repo`. Anybody may ask for any id, so nothing of it but letters and digits is let through. */
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

  /** `seq` is that of the message: one event begins at most one text. Of a long one the beginning is found: more would hold up everybody. */
  putText(sessionId: string, seq: number, text: string): void {
    this.#put.run({ sessionId, seq, text: text.slice(0, KEPT_CHARS) })
  }
}
