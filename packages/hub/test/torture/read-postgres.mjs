// The same as read-store.mjs, of a PostgreSQL database.
// Usage: node read-postgres.mjs <address>; the ids of the sessions to read in full come as JSON on stdin.
import { text } from 'node:stream/consumers'
import { Client, types } from 'pg'

const INT8 = 20
types.setTypeParser(INT8, Number)
const ids = JSON.parse(await text(process.stdin))
const client = new Client(process.argv[2])
await client.connect()
const all = async (sql, values = []) => (await client.query(sql, values)).rows

// One transaction: everything is of the same moment.
await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
const logs = []
for (const id of ids) {
  const events = await all(
    'SELECT "seq", "at", "type", "data" FROM "AgentEvent" WHERE "sessionId" = $1 ORDER BY "seq"',
    [id],
  )
  const messages = await all(
    `SELECT "itemId", "turnId", "role", "content", "seq", "updatedSeq" FROM "AgentMessage"
     WHERE "sessionId" = $1 ORDER BY "seq", "itemId"`,
    [id],
  )
  logs.push({ id, events: events.map(toJson(id)), messages })
}
const snapshot = {
  damage: [],
  sessions: await all(`
    SELECT "id", "status", "metadata", "lastSeq", "title",
      (SELECT count(*) FROM "AgentEvent" WHERE "sessionId" = s."id") AS "events",
      (SELECT count(*) FROM "AgentMessage" WHERE "sessionId" = s."id" AND "partial") AS "partials"
    FROM "AgentSession" AS s`),
  strayEvents: await all(
    'SELECT DISTINCT "sessionId" FROM "AgentEvent" WHERE "sessionId" NOT IN (SELECT "id" FROM "AgentSession")',
  ),
  logs,
}
await client.end()
process.stdout.write(JSON.stringify(snapshot))

/** The envelope as every reader gets it, around the stored text. */
function toJson(id) {
  return ({ seq, at, type, data }) =>
    `{"sessionId":"${id}","seq":${seq},"at":${at},"type":"${type}","data":${data}}`
}
