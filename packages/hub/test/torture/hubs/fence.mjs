// The attempts of a hub that is no longer the owner of a session, with the built modules of the hub and, if one is named, with a fault
// in them (see mutants.mjs). Usage: node fence.mjs <case> <address of the database>. Prints the result as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createLog } from '../../../dist/log.js'
import { EventLog } from '../../../dist/sessions/log/event-log.js'
import { Projection } from '../../../dist/sessions/log/projection.js'
import { openPostgres } from '../../../dist/store/postgres/postgres-store.js'

const [name, url] = process.argv.slice(2)
/** The parent cuts the connection when the answer to this comes. */
const LOST = 'the answer to this is lost'
const RENEWED_MS = 5_000

const { store, close } = await openPostgres(url, { machineId: 'a', name: 'a' })
const eventLog = new EventLog({
  store: store.events,
  projection: new Projection(store),
  log: createLog('silent'),
})
const client = new Client(url)
await client.connect()
const id = await begin()

const CASES = {
  /** A batch that arrives after another hub has claimed the session, and before that one has stored anything. */
  async late() {
    await query(
      `INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil")
       VALUES ('b', 'b', 'b', '0', 0, clock_timestamp() + interval '1 h')`,
    )
    await query(`UPDATE "AgentSession" SET "owner" = 'b', "epoch" = "epoch" + 1`)
    await append('late').catch(() => undefined)
    return { events: await count() }
  },
  /** A hub that was declared dead never comes back under the same id. */
  async buried() {
    const before = store.cluster.hubId
    await query(`UPDATE "Hub" SET "dead" = true WHERE "id" = '${before}'`)
    const giveUpAt = performance.now() + RENEWED_MS
    while (store.cluster.hubId === before && performance.now() < giveUpAt) await sleep(20)
    return { isSame: store.cluster.hubId === before, owns: store.cluster.owns(id) }
  },
  /** A batch that was stored, and whose answer did not arrive. */
  async 'lost-answer'() {
    await append(LOST)
    await append('after it')
    return { events: await count() }
  },
}

process.stdout.write(JSON.stringify(await CASES[name]()))
await client.end()
await close()

function append(message) {
  const data = { severity: 'info', code: 'test', message }
  return eventLog.append(id, { type: 'notice', data })
}

/** A session with one event. */
async function begin() {
  const at = Date.now()
  const repoId = await store.repos.remember({ id: 'r', name: 'r', path: '/r' }, at)
  const created = { repoId, extensionId: 'demo', title: null, settings: '{}', workspace: '{}', at }
  const data = Buffer.from(JSON.stringify({ repoId, extensionId: 'demo', cwd: '/r' }))
  const events = [{ seq: 1, at, type: 'session.created', bytes: data, data }]
  const part = { sessionId: 's', created, events, change: {}, messages: new Map(), checkpoints: [] }
  await store.events.commit([part])
  return 's'
}

async function count() {
  const rows = await query('SELECT count(*)::int AS "events" FROM "AgentEvent"')
  return rows[0].events
}

async function query(sql) {
  return (await client.query(sql)).rows
}
