// The database as another process sees it: a child, because its connection must be gone before the next kill.
// Usage: node read-store.mjs <database>; the ids of the sessions to read in full come as JSON on stdin.
import { text } from 'node:stream/consumers'
import { DatabaseSync } from '@photostructure/sqlite'

const ids = JSON.parse(await text(process.stdin))
const db = new DatabaseSync(process.argv[2], { readOnly: true, timeout: 5_000 })
const all = (sql, ...values) => db.prepare(sql).all(...values)

// One transaction: everything is of the same moment.
db.exec('BEGIN')
const snapshot = {
  damage: all('PRAGMA integrity_check')
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok'),
  sessions: all(`
    SELECT id, status, metadata, lastSeq, title,
      (SELECT count(*) FROM AgentEvent WHERE sessionId = AgentSession.id) AS events,
      (SELECT count(*) FROM AgentMessage WHERE sessionId = AgentSession.id AND partial) AS partials
    FROM AgentSession`),
  strayEvents: all(
    'SELECT DISTINCT sessionId FROM AgentEvent WHERE sessionId NOT IN (SELECT id FROM AgentSession)',
  ),
  logs: ids.map((id) => ({
    id,
    events: all(
      'SELECT seq, at, type, data FROM AgentEvent WHERE sessionId = ? ORDER BY seq',
      id,
    ).map(toJson(id)),
    messages: all(
      `SELECT itemId, turnId, role, content, seq, updatedSeq FROM AgentMessage
       WHERE sessionId = ? ORDER BY seq, itemId`,
      id,
    ),
  })),
}
db.exec('COMMIT')
process.stdout.write(JSON.stringify(snapshot))

/** The envelope as every reader gets it, around the stored text. */
function toJson(id) {
  return ({ seq, at, type, data }) =>
    `{"sessionId":"${id}","seq":${seq},"at":${at},"type":"${type}","data":${data}}`
}
