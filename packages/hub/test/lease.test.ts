// A hub trusts its lease for 0.6 of it. Then its agents end, also when the hub itself is stopped, and it starts over under a new id.
import { expect, test, vi } from 'vitest'
import { LeaseHub } from './lease-hub.js'
import { isRunning } from './orphans-fixture.js'
import { Connections } from '../src/store/postgres/connections.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { PostgresProxy } from './postgres-proxy.js'
import { EXTENSIONS, startTestHub, TOKEN, type TestHub, type TestSession } from './test-hub.js'

/** The database is asked in the four tenths of it after the agents have ended, also on a busy machine. */
const LEASE_MS = 15_000

// A lease lapses, and an end that could not be stored is retried after up to five seconds.
vi.setConfig({ testTimeout: 120_000 })

type HubState = { id: string; dead: boolean; isOver: boolean }

function hubsIn(url: string): Promise<HubState[]> {
  return query<HubState>(
    url,
    `SELECT "id", "dead", "leaseUntil" < clock_timestamp() AS "isOver" FROM "Hub" ORDER BY "startedAt"`,
  )
}

async function agentOf(session: TestSession): Promise<number> {
  const { data } = await session.feed.until('agent.started')
  return data.pid!
}

function promptAt(hub: TestHub, { path }: TestSession): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = '{"text":"echo late"}'
  return fetch(`${hub.hub.address}${path}/prompt`, { method: 'POST', headers, body })
}

test('without its database for too long, a hub ends its agents while its lease still holds, and starts over when it is back', async () => {
  const direct = await newPostgresDatabase()
  const { proxy, url } = await PostgresProxy.open(direct)
  const env = { QUAYSIDE_DATABASE_URL: url }
  await using hub = await startTestHub({ env, leaseMs: LEASE_MS })
  try {
    const session = await hub.createSession()
    const pid = await agentOf(session)
    await session.prompt('slow 600')
    await session.feed.until('turn.started')
    const [before] = await hubsIn(direct)
    proxy.down()
    const waiting = promptAt(hub, session)
    await expect.poll(() => isRunning(pid), { interval: 20 }).toBe(false)
    expect(await hubsIn(direct), 'no other hub may take over yet').toMatchObject([
      { isOver: false },
    ])
    expect((await waiting).status).toBe(503)
    proxy.up()
    const ended = await session.feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'error', reason: 'lease_lost' })
    const turn = await session.feed.until('turn.ended')
    expect(turn.data.error).toMatchObject({ code: 'lease_lost' })
    const [first, second] = await hubsIn(direct)
    expect(first).toMatchObject({ id: before?.id, dead: true })
    expect(second).toMatchObject({ dead: false, isOver: false })
    expect((await hub.post(`${session.path}/resume`, {})).status).toBe(200)
    await session.run('echo again')
    const epochs = await query(direct, 'SELECT DISTINCT "epoch" FROM "AgentEvent"')
    expect(epochs).toHaveLength(2)
  } finally {
    proxy.close()
  }
})

test('the watchdog ends the agents of a hub that is stopped; the hub ends its sessions when it goes on', async () => {
  const url = await newPostgresDatabase()
  await using hub = await LeaseHub.start({ name: 'studio', url, leaseMs: LEASE_MS })
  const session = await hub.createSession()
  const pid = await agentOf(session)
  await session.prompt('slow 600')
  await session.feed.until('turn.started')
  hub.process.kill('SIGSTOP')
  await expect.poll(() => isRunning(pid), { interval: 20 }).toBe(false)
  expect(await hubsIn(url), 'no other hub may take over yet').toMatchObject([{ isOver: false }])
  hub.process.kill('SIGCONT')
  const ended = await session.feed.until('session.ended')
  expect(ended.data).toMatchObject({ status: 'error', reason: 'lease_lost' })
  expect(await hubsIn(url)).toMatchObject([{ dead: true }, { dead: false }])
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(200)
  await session.run('echo again')
})

test('a session that is created while the lease lapses ends, also when it has no agent yet', async () => {
  const url = await newPostgresDatabase()
  const env = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_EXTENSIONS: EXTENSIONS }
  await using hub = await startTestHub({ env, leaseMs: LEASE_MS })
  const holder = new Connections(url)
  const { created } = await holder.inTransaction(async (client) => {
    await client.query('LOCK TABLE "AgentEvent" IN SHARE MODE')
    const created = hub.createSession('lazy-text-only')
    const waiting = async () => (await client.query(WAITING)).rowCount
    await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0)
    await query(url, 'UPDATE "Hub" SET "dead" = true')
    await expect
      .poll(() => hubsIn(url), { interval: 20 })
      .toMatchObject([{ dead: true }, { dead: false }])
    return { created }
  })
  await holder.close()
  const { feed } = await created
  expect((await feed.until('session.ended')).data).toMatchObject({ reason: 'lease_lost' })
})
const WAITING = 'SELECT 1 FROM pg_locks WHERE NOT granted'
