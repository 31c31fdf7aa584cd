// The attempts of a hub that is no longer the owner of a session, with the built modules of the hub and, if one is named, with a fault
// in them (see mutants.mjs). Usage: node fence.mjs <case>=<address of a database> …. Prints the results as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createLog } from '../../../dist/log.js'
import { EventLog } from '../../../dist/sessions/log/event-log.js'
import { Projection } from '../../../dist/sessions/log/projection.js'
import { openPostgres } from '../../../dist/store/postgres/postgres-store.js'

/** The parent cuts the connection when the answer to this comes. */
const LOST = 'the answer to this is lost'

const CASES = {
  /** A batch that arrives after another hub has claimed the session, and before that one has stored anything. */
  async late({ query, append, count }) {
    await query(
      `INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil")
       VALUES ('b', 'b', 'b', '0', 0, clock_timestamp() + interval '1 h')`,
    )
    await query(`UPDATE "AgentSession" SET "owner" = 'b', "epoch" = "epoch" + 1`)
    await append('late').catch(() => undefined)
    return { events: await count() }
  },
  /** A hub that was declared dead never comes back under the same id. */
  async buried({ query, store, id }) {
    const before = store.cluster.hubId
    const [{ until }] = await query(
      `UPDATE "Hub" SET "dead" = true WHERE "id" = '${before}' RETURNING "leaseUntil"::text AS "until"`,
    )
    const renewed = `SELECT 1 FROM "Hub" WHERE "id" = '${before}' AND "leaseUntil" > '${until}'`
    while (store.cluster.hubId === before && (await query(renewed)).length === 0) await sleep(20)
    return { isSame: store.cluster.hubId === before, owns: store.cluster.owns(id) }
  },
  /** An event of a session that began under an earlier registration of this hub. */
  async stale({ append, count }) {
    await append('stale', { hubId: 'earlier' }).catch(() => undefined)
    return { events: await count() }
  },
  /** A batch that was stored, and whose answer did not arrive. */
  async 'lost-answer'({ append, count }) {
    await append(LOST)
    await append('after it')
    return { events: await count() }
  },
}

const results = {}
for (const argument of process.argv.slice(2)) {
  const [name, ...url] = argument.split('=')
  results[name] = await run(name, url.join('='))
}
process.stdout.write(JSON.stringify(results))

async function run(name, url) {
  const { store, close } = await openPostgres(url, { machineId: 'a', name: 'a' })
  const eventLog = new EventLog({
    store: store.events,
    projection: new Projection(store),
    log: createLog('silent'),
  })
  const client = new Client(url)
  await client.connect()
  const id = await begin(store)
  const query = async (sql) => (await client.query(sql)).rows
  const append = (message, only) => {
    const data = { severity: 'info', code: 'test', message }
    return eventLog.append(id, { type: 'notice', data }, only)
  }
  const count = async () => {
    const rows = await query('SELECT count(*)::int AS "events" FROM "AgentEvent"')
    return rows[0].events
  }
  try {
    return await CASES[name]({ store, id, query, append, count })
  } finally {
    await client.end()
    await close()
  }
}

/** A session with one event. */
async function begin(store) {
  const at = Date.now()
  const repoId = await store.repos.remember({ id: 'r', name: 'r', path: '/r' }, at)
  const created = { repoId, extensionId: 'demo', title: null, settings: '{}', workspace: '{}', at }
  const data = Buffer.from(JSON.stringify({ repoId, extensionId: 'demo', cwd: '/r' }))
  const events = [{ seq: 1, at, type: 'session.created', bytes: data, data }]
  const part = { sessionId: 's', created, events, change: {}, messages: new Map(), checkpoints: [] }
  await store.events.commit([part])
  return 's'
}
