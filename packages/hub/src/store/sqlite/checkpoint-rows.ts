// Checkpoints in SQLite. Those of new events are stored in the transaction of the events (event-rows.ts).
import type { Checkpoint, CheckpointStore } from '../checkpoint-store.js'
import type { Database } from './database.js'
import { LogParts } from './log-parts.js'
import { inTransaction } from './transaction.js'

export class CheckpointRows implements CheckpointStore {
  readonly #db: Database
  readonly #parts: LogParts
  readonly #statements

  constructor(db: Database, parts = new LogParts(db)) {
    this.#db = db
    this.#parts = parts
    this.#statements = {
      find: db.prepare(
        `SELECT seq, steps, state FROM AgentCheckpoint
         WHERE sessionId = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`,
      ),
      first: db.prepare(
        'SELECT min(seq) AS seq FROM AgentCheckpoint WHERE sessionId = ? AND steps = ? AND seq <= ?',
      ),
      insert: db.prepare(
        `INSERT INTO AgentCheckpoint (sessionId, seq, steps, state)
         SELECT id, ?, ?, ? FROM AgentSession WHERE id = ? ON CONFLICT DO NOTHING`,
      ),
    }
  }

  find(sessionId: string, seq: number): Checkpoint | undefined {
    for (const part of this.#parts.of(sessionId).toReversed()) {
      const found = this.#statements.find.get(part.sessionId, Math.min(seq, part.until))
      if (found) return found as Checkpoint
    }
    return undefined
  }

  firstSeqOf(sessionId: string, steps: number): number | undefined {
    for (const part of this.#parts.of(sessionId)) {
      const row = this.#statements.first.get(part.sessionId, steps, part.until)
      const { seq } = row as { seq: number | null }
      if (seq !== null) return seq
    }
    return undefined
  }

  add(sessionId: string, checkpoints: readonly Checkpoint[]): void {
    inTransaction(this.#db, () => this.insert(sessionId, checkpoints))
  }

  /** Inside of a transaction. */
  insert(sessionId: string, checkpoints: readonly Checkpoint[]): void {
    for (const { seq, steps, state } of checkpoints)
      this.#statements.insert.run(seq, steps, state, sessionId)
  }
}
