// The state of a session that does not work, for a report.
import { query } from '../../postgres-fixture.js'
import type { Stage } from './stage.js'

const LAST_EVENTS = 25
const LOG_CHARS = 1_500

export async function stateOf(sessionId: string, { url, hubs }: Stage): Promise<string> {
  const rows = await query(
    url(),
    `SELECT s."status", s."lastSeq", s."epoch", h."name", h."dead", h."leaseUntil" < clock_timestamp() AS "isOver"
     FROM "AgentSession" AS s LEFT JOIN "Hub" AS h ON h."id" = s."owner" WHERE s."id" = '${sessionId}'`,
  )
  const events = await query<{ seq: number; epoch: number; type: string; data: string }>(
    url(),
    `SELECT "seq", "epoch", "type", left("data", 150) AS "data" FROM "AgentEvent" WHERE "sessionId" = '${sessionId}'
     AND "type" <> 'acp.update' ORDER BY "seq" DESC LIMIT ${LAST_EVENTS}`,
  )
  const logs = hubs.map(({ name, logs }) => `${name} logged …${logs.join('').slice(-LOG_CHARS)}`)
  return [
    `session ${sessionId} is ${JSON.stringify(rows[0])}`,
    ...events.toReversed().map(({ seq, epoch, type, data }) => `${seq}@${epoch} ${type} ${data}`),
    ...logs,
  ].join('\n')
}
