// Hubs on one PostgreSQL: a session has one owner, a hub that lost a session stores nothing of it, and a batch whose answer was lost is
// stored once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { appendMissingEnds, lostEnds, storeEnd } from '../src/sessions/log/close-log.js'
import { EventLog } from '../src/sessions/log/event-log.js'
import { Projection } from '../src/sessions/log/projection.js'
import { migrateDown, migrateUp } from '../src/store/postgres/migrations.js'
import { Connections } from '../src/store/postgres/connections.js'
import type { Lease } from '../src/store/postgres/lease.js'
import { Ownership } from '../src/store/postgres/ownership.js'
import type { Volume } from '../src/store/postgres/repos/disks.js'
import { NotOwnedError } from '../src/store/storage-error.js'
import { openPostgres, type PostgresStore } from '../src/store/postgres/postgres-store.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { PostgresProxy } from './postgres-proxy.js'
import { addRepo, addSession, batchOf, endSession, eventOf } from './store-engines.js'

let url: string
let opened: PostgresStore[]
let proxies: PostgresProxy[]

beforeEach(async () => {
  url = await newPostgresDatabase()
  opened = []
  proxies = []
})
afterEach(async () => {
  for (const one of opened) await one.close()
  for (const proxy of proxies) proxy.close()
})

async function openHub(machineId: string, { address = url, volumes = [] as Volume[] } = {}) {
  const hub = await openPostgres(address, { machineId, name: machineId, volumes })
  opened.push(hub)
  return hub.store
}

function append(id: string, seq: number, message = 'x') {
  return [batchOf(id, { events: [eventOf(id, seq, { data: { message } })] })]
}

/** The event is the end of the session. */
function appendEnd(id: string, seq: number) {
  const state = { status: 'error', metadata: '{}', endedAt: 1 } as const
  return [batchOf(id, { events: [eventOf(id, seq)], change: { state } })]
}

function die(machineId: string) {
  return query(
    url,
    `UPDATE "Hub" SET "dead" = true, "leaseUntil" = clock_timestamp() WHERE "machineId" = '${machineId}'`,
  )
}

function openLog(store: PostgresStore['store']) {
  const projection = new Projection(store)
  const eventLog = new EventLog({ store: store.events, projection, log: createLog('silent') })
  return { projection, eventLog }
}

/** Each event with the epoch of its owner. */
async function logOf(id: string): Promise<string> {
  const rows = await query<{ seq: number; epoch: number }>(
    url,
    `SELECT "seq", "epoch" FROM "AgentEvent" WHERE "sessionId" = '${id}' ORDER BY "seq"`,
  )
  return rows.map(({ seq, epoch }) => `${seq}@${epoch}`).join(' ')
}

test('another hub cannot write a session while its owner lives, and neither side loses or doubles an event', async () => {
  const [a, b] = [await openHub('a'), await openHub('b')]
  const id = await addSession(a, { repoId: await addRepo(a) })
  await expect(b.events.commit(append(id, 2))).rejects.toThrow(NotOwnedError)
  await a.events.commit(append(id, 2))
  await expect(a.events.commit(append(id, 2)), 'again').rejects.toThrow(NotOwnedError)
  await expect(a.events.commit(append(id, 4)), 'with a gap').rejects.toThrow(NotOwnedError)
  expect(await b.events.lastSeq(id)).toBe(2)
  expect(await a.sessions.activeIds()).toEqual([id])
  expect(await b.sessions.activeIds(), 'of a hub that lives').toEqual([])
})

test('a hub that was started again takes its sessions over; the earlier one stores nothing more', async () => {
  const before = await openHub('a')
  const repoId = await addRepo(before)
  const [id, other] = [await addSession(before, { repoId }), await addSession(before, { repoId })]
  const after = await openHub('a')
  expect(await after.sessions.activeIds()).toHaveLength(2)
  await after.events.commit(appendEnd(id, 2))
  const late = [...append(id, 3), ...append(other, 2)]
  await expect(before.events.commit(late)).rejects.toThrow(NotOwnedError)
  expect(await logOf(other), 'of the same batch').toBe('1@1')
  expect(await logOf(id)).toBe('1@1 2@2')
})

test('a hub that starts or cleans up leaves the sessions of another machine alone, also when that one is dead', async () => {
  const a = await openHub('a')
  const id = await addSession(a, { repoId: await addRepo(a) })
  await query(url, 'UPDATE "Hub" SET "dead" = true')
  const b = await openHub('b')
  expect(await b.sessions.activeIds()).toEqual([])
  expect((await b.upkeep.sessions()).rows).toEqual([])
  const after = await openHub('a')
  expect(await after.sessions.activeIds()).toEqual([id])
  expect((await after.upkeep.sessions()).rows).toMatchObject([{ id }])
})

test('a hub whose lease has run out loses its sessions to one that wants them, and never comes back as the same', async () => {
  const [b, db] = [await openHub('b'), new Connections(url)]
  const id = await addSession(b, { repoId: await addRepo(b) })
  const a = new Ownership(db, { machineId: 'a', name: 'a' })
  await a.lease.register()
  await a.claim([id], [id])
  expect(a.epochOf(id), 'its owner lives').toBe(0)
  const lapse = (machineId: string) =>
    query(
      url,
      `UPDATE "Hub" SET "leaseUntil" = clock_timestamp() - interval '1 s' WHERE "machineId" = '${machineId}'`,
    )
  await lapse('b')
  await a.claim([id], [])
  expect(a.epochOf(id), 'it is active').toBe(0)
  await a.claim([id], [id])
  expect(a.epochOf(id)).toBe(2)
  await expect(b.events.commit(append(id, 2))).rejects.toThrow(NotOwnedError)
  const before = a.hubId
  await lapse('a')
  await a.lease.renew()
  expect(a.hubId, 'nobody has declared it dead').toBe(before)
  await query(url, `UPDATE "Hub" SET "dead" = true WHERE "id" = '${before}'`)
  await a.lease.renew()
  expect(a.hubId).not.toBe(before)
  expect(a.epochOf(id)).toBe(0)
  await a.claim([id], [id])
  expect(a.epochOf(id)).toBe(3)
  await a.leave()
  await db.close()
})

test('a session that began before the lease lapsed writes nothing behind the events of another hub that died meanwhile', async () => {
  const a = await openHub('a')
  const { eventLog } = openLog(a)
  const { hubId } = eventLog
  const id = await addSession(a, { repoId: await addRepo(a) })
  const data = { severity: 'info', code: 'test', message: 'x' } as const
  await eventLog.append(id, { type: 'notice', data }, { hubId })
  await die('a')
  const c = await openHub('c')
  await c.events.commit(appendEnd(id, 3))
  await die('c')
  await (a.cluster!.lease as Lease).renew()
  expect(eventLog.hubId, 'a has registered again').not.toBe(hubId)
  const late = eventLog.append(id, { type: 'notice', data }, { hubId })
  const written = new Promise((onNotStored) =>
    eventLog.write(id, { type: 'notice', data }, { hubId, onNotStored }),
  )
  await expect(late).rejects.toMatchObject({ cause: { name: 'NotOwnedError' } })
  await written
  expect(await logOf(id)).toBe('1@1 2@1 3@2')
  await eventLog.append(id, { type: 'notice', data }, { after: 3 })
  expect(await logOf(id)).toBe('1@1 2@1 3@2 4@3')
})

test('an edit of an active session whose hub is dead is refused, and hinders neither the takeover nor later edits', async () => {
  const disk = { volumes: [{ name: 'code', path: '/code' }] }
  const [a, b] = [await openHub('a', disk), await openHub('b', disk)]
  const id = await addSession(a, { repoId: await addRepo(a) })
  const asleep = await addSession(a, { repoId: await addRepo(a) })
  await endSession(a, asleep)
  await die('a')
  const { eventLog } = openLog(b)
  const edit = { type: 'session.updated', data: { title: 'renamed', by: 'a person' } } as const
  await expect(eventLog.append(id, edit)).rejects.toMatchObject({ code: 'hub_unreachable' })
  expect(await b.cluster!.lostSessions()).toMatchObject([{ id }])
  await eventLog.append(asleep, edit)
  const ended = { status: 'error', reason: 'hub_lost' } as const
  await eventLog.append(id, { type: 'session.ended', data: ended })
  await eventLog.append(id, edit)
  expect(await logOf(id)).toBe('1@1 2@2 3@2')
  expect(await logOf(asleep)).toBe('1@1 2@2')
})

test('the late end of a session that another hub has resumed meanwhile is not stored, also when that hub is dead', async () => {
  const [a, c] = [await openHub('a'), await openHub('c')]
  const id = await addSession(a, { repoId: await addRepo(a) })
  await die('a')
  const there = openLog(c)
  const lost = { status: 'error', reason: 'hub_lost' } as const
  await there.eventLog.append(id, { type: 'session.ended', data: lost })
  await there.eventLog.append(id, { type: 'session.resumed', data: { by: 'takeover' } })
  await die('c')
  await (a.cluster!.lease as Lease).renew()
  const ends = {
    ended: { status: 'error', reason: 'lease_lost' },
    exited: { reason: 'stopped' },
    hasGaps: true,
  } as const
  let late: Promise<void> | undefined
  await new Promise<void>((onEnd) => {
    const append = () => Promise.reject(new Error('the lease has lapsed'))
    const closing = new AbortController().signal
    late = storeEnd({ ...openLog(a), id, append, closing, log: createLog('silent'), onEnd }, ends)
    late.catch(() => undefined)
  })
  await expect(late).rejects.toThrow()
  expect(await logOf(id)).toBe('1@1 2@2 3@2')
})

test('a hub that came second to end a session of a dead hub reads what others write later, also after an event behind its end', async () => {
  const [a, b, c] = [await openHub('a'), await openHub('b'), await openHub('c')]
  const id = await addSession(c, { repoId: await addRepo(c) })
  await die('c')
  const [here, there] = [openLog(a), openLog(b)]
  const ended = { status: 'error', reason: 'hub_lost' } as const
  await there.eventLog.append(id, { type: 'session.ended', data: ended })
  const notice = { severity: 'warning', code: 'not_resumed', message: 'No.' } as const
  await there.eventLog.append(id, { type: 'notice', data: notice })
  expect(there.projection.findLive(id)).toBeUndefined()
  expect(await appendMissingEnds(here, id, lostEnds('It is gone.'))).toBe(false)
  await there.eventLog.append(id, { type: 'session.resumed', data: { by: 'a person' } })
  expect(await here.projection.load(id)).toMatchObject({ status: 'active' })
})

test('a hub whose address names two servers works with the one that can be written, and with its successor', async () => {
  const ways = [await PostgresProxy.open(url), await PostgresProxy.open(url)] as const
  const [first, second] = ways.map(({ proxy }) => proxy) as [PostgresProxy, PostgresProxy]
  proxies.push(first, second)
  const address = new URL(url)
  const hosts = ways.map((way) => new URL(way.url).searchParams.get('host'))
  address.searchParams.set('host', hosts.join(','))
  first.down()
  const a = await openHub('a', { address: address.href })
  const id = await addSession(a, { repoId: await addRepo(a) })
  first.up()
  second.down()
  await a.events.commit(append(id, 2))
  expect(await a.sessions.activeIds()).toEqual([id])
  expect(await logOf(id)).toBe('1@1 2@1')
  second.up()
  const lost = first.cutOnce('answer', 'transaction_read_only')
  await openHub('b', { address: address.href })
  await lost
  const name = address.pathname.slice(1)
  await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await expect(openHub('c', { address: address.href })).rejects.toMatchObject({
    cause: { message: 'none of the servers in the address can be written' },
  })
})

test('a write that waits for a takeover is refused', async () => {
  const a = await openHub('a')
  const id = await addSession(a, { repoId: await addRepo(a) })
  const taker = new Connections(url)
  let late: Promise<unknown> | undefined
  await taker.inTransaction(async (client) => {
    await client.query(`UPDATE "AgentSession" SET "owner" = 'b', "epoch" = 2 WHERE "id" = $1`, [id])
    late = Promise.resolve(a.events.commit(append(id, 2))).catch((error: unknown) => error)
    await expect
      .poll(async () => (await client.query(WAITING)).rowCount, { interval: 10 })
      .toBeGreaterThan(0)
  })
  expect(await late).toBeInstanceOf(NotOwnedError)
  expect(await logOf(id)).toBe('1@1')
  await taker.close()
})
const WAITING = 'SELECT 1 FROM pg_locks WHERE NOT granted'

test.each(['request', 'answer'] as const)(
  'a batch whose %s was lost is stored once',
  async (lost) => {
    const { proxy, url: throughProxy } = await PostgresProxy.open(url)
    proxies.push(proxy)
    const a = await openHub('a', { address: throughProxy })
    const id = await addSession(a, { repoId: await addRepo(a) })
    const cut = proxy.cutOnce(lost, 'the one that is lost')
    await Promise.all([a.events.commit(append(id, 2, 'the one that is lost')), cut])
    await a.events.commit(append(id, 3))
    expect(await logOf(id)).toBe('1@1 2@1 3@1')
    const repoId = await addRepo(a)
    const created = proxy.cutOnce(lost, 'a title that is lost')
    const [second] = await Promise.all([
      addSession(a, { repoId, title: 'a title that is lost' }),
      created,
    ])
    expect(await a.sessions.find(second)).toMatchObject({ title: 'a title that is lost' })
    expect(await logOf(second)).toBe('1@1')
  },
)

test('connections that the server ends are opened again', async () => {
  const a = await openHub('a')
  const id = await addSession(a, { repoId: await addRepo(a) })
  expect(await a.events.lastSeq(id)).toBe(1)
  await query(
    url,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await a.events.commit(append(id, 2))
  expect(await a.events.lastSeq(id)).toBe(2)
})

test('migrations run once when hubs start together, go down and up again, and leave foreign tables alone', async () => {
  const db = new Connections(url)
  const runs = await Promise.all([migrateUp(db), migrateUp(db)])
  expect(
    runs.filter(({ length }) => length > 0),
    'one of them',
  ).toHaveLength(1)
  await migrateDown(db, runs.flat().length)
  await query(url, 'CREATE TABLE theirs (id int); DROP TABLE schema_migration')
  await expect(migrateUp(db)).rejects.toThrow(/not made by Quayside .*"theirs"/)
  await query(url, 'DROP TABLE theirs')
  expect(await migrateUp(db)).toEqual(runs.flat())
  await db.close()
})
