// Checkpoints in PostgreSQL. Those of new events are stored with the events (event-sql.ts).
import type { Checkpoint, CheckpointStore } from '../checkpoint-store.js'
import type { Connections } from './connections.js'

export class CheckpointRows implements CheckpointStore {
  readonly #db: Connections

  constructor(db: Connections) {
    this.#db = db
  }

  find(sessionId: string, seq: number): Promise<Checkpoint | undefined> {
    return this.#db.readOne(FIND, [sessionId, seq])
  }

  async firstSeqOf(sessionId: string, steps: number): Promise<number | undefined> {
    const row = await this.#db.readOne<{ seq: number | null }>(FIRST, [sessionId, steps])
    return row?.seq ?? undefined
  }

  async add(sessionId: string, checkpoints: readonly Checkpoint[]): Promise<void> {
    const columns = [
      checkpoints.map(({ seq }) => seq),
      checkpoints.map(({ steps }) => steps),
      checkpoints.map(({ state }) => state),
    ]
    await this.#db.write(ADD, [sessionId, ...columns])
  }
}

const FIND = {
  name: 'checkpoint_find',
  text: `SELECT c."seq", c."steps", c."state" FROM "logParts"($1) AS p CROSS JOIN LATERAL (
      SELECT * FROM "AgentCheckpoint" WHERE "sessionId" = p."owner" AND "seq" <= least($2, p."until") ORDER BY "seq" DESC LIMIT 1
    ) AS c ORDER BY c."seq" DESC LIMIT 1`,
}
const FIRST = {
  name: 'checkpoint_first',
  text: `SELECT min(c."seq") AS "seq" FROM "logParts"($1) AS p JOIN "AgentCheckpoint" AS c
    ON c."sessionId" = p."owner" AND c."seq" <= p."until" WHERE c."steps" = $2`,
}
const ADD = {
  name: 'checkpoint_add',
  text: `INSERT INTO "AgentCheckpoint" ("sessionId", "seq", "steps", "state")
    SELECT s."id", c.* FROM "AgentSession" AS s, unnest($2::int[], $3::int[], $4::text[]) AS c WHERE s."id" = $1
    ON CONFLICT DO NOTHING`,
}
