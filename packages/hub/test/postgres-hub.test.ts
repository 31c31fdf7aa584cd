// A whole hub on PostgreSQL: sessions, search, tokens, media and removal, also after a restart. Its address is never printed.
import type { CreatedToken, Media, SessionList } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../src/config/config.js'
import { createHub } from '../src/hub.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { PostgresProxy } from './postgres-proxy.js'
import { TempFolder } from './store-fixture.js'
import { startTestHub, type TestHub, TOKEN } from './test-hub.js'

let url: string
let hub: TestHub
let proxy: PostgresProxy

beforeAll(async () => {
  const opened = await PostgresProxy.open(await newPostgresDatabase())
  ;({ proxy, url } = opened)
  hub = await startTestHub({ env: { QUAYSIDE_DATABASE_URL: url }, sharesAgent: true })
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  proxy.close()
})

async function restart(): Promise<void> {
  await hub.hub.stop()
  const { folder } = hub
  hub = await startTestHub({ folder, env: { QUAYSIDE_DATABASE_URL: url }, sharesAgent: true })
}

test('a session is created, prompted, found and listed, also after a restart, and resumed', async () => {
  const session = await hub.createSession(undefined, { title: 'Lighthouse' })
  await session.run('echo Übermut')
  const find = async (q: string) => (await hub.get<SessionList>(`/api/sessions?q=${q}`)).sessions
  expect(await find('ubermut')).toMatchObject([{ id: session.id, title: 'Lighthouse' }])
  const events = session.feed.types()
  await restart()
  const { sessions } = await hub.get<SessionList>('/api/sessions')
  expect(sessions).toMatchObject([{ id: session.id, turnCount: 1, status: 'cancelled' }])
  expect(await find('lightho')).toMatchObject([{ id: session.id }])
  const feed = await hub.follow(session.id)
  await feed.until('session.ended')
  expect(feed.types().slice(0, events.length)).toEqual(events)
  const { length } = feed.events
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(200)
  const answer = await hub.post(`${session.path}/prompt`, { text: 'echo again' })
  const { turnId } = (await answer.json()) as { turnId: string }
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  expect(feed.events.map(({ seq }) => seq)).toEqual(feed.events.map((_, index) => index + 1))
  expect(feed.events.length).toBeGreaterThan(length)
  const rows = await query<{ epoch: number }>(url, 'SELECT DISTINCT "epoch" FROM "AgentEvent"')
  expect(rows, 'each start of the hub has its own').toHaveLength(2)
})

test('a prompt that is sent twice at the same time is one, also in a resumed session', async () => {
  const session = await hub.createSession()
  await hub.post(`${session.path}/complete`, {})
  await hub.post(`${session.path}/resume`, {})
  const feed = await hub.follow(session.id)
  const input = { sessionId: session.id, id: 'the-same', text: 'echo once' }
  const [first, second] = await Promise.all([
    feed.call('session/prompt', input),
    feed.call('session/prompt', input),
  ])
  expect(first.result).toMatchObject({ turnId: 'the-same' })
  expect(second.result).toEqual(first.result)
  await feed.until('turn.ended', (data) => data.turnId === 'the-same')
  const queued = feed.events.filter(({ type }) => type === 'turn.queued')
  expect(queued).toHaveLength(1)
})

test('a token works until it is revoked, and a picture is served, also after a restart', async () => {
  const created = await hub.post('/api/tokens', { name: 'ci', scope: 'write' })
  const { id, token } = (await created.json()) as CreatedToken
  const asCi = { headers: { authorization: `Bearer ${token}` } }
  const upload = { method: 'POST', headers: { 'content-type': 'image/png' }, body: PNG }
  const { url: picture } = (await (await hub.fetch('/api/media', upload)).json()) as Media
  await restart()
  expect((await hub.fetch(picture, asCi)).status).toBe(200)
  expect(Buffer.from(await (await hub.fetch(picture)).arrayBuffer())).toEqual(PNG)
  expect((await hub.fetch(`/api/tokens/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await hub.fetch('/api/sessions', asCi)).status).toBe(401)
})
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

test('an ended session is removed with all of its rows', async () => {
  const session = await hub.createSession()
  await session.run('echo removed')
  const removed = await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
  expect(removed.status).toBe(200)
  expect((await hub.fetch(session.path)).status).toBe(404)
  const left = `SELECT count(*)::int AS "rows" FROM "AgentEvent" WHERE "sessionId" = '${session.id}'`
  expect(await query(url, left)).toEqual([{ rows: 0 }])
})

test('while the database is away, reads are refused and a prompt waits; both work when it is back', async () => {
  const session = await hub.createSession()
  proxy.down()
  // Any command may fail so, as by a full disk: it is not documented for each.
  const get = (path: string) =>
    fetch(`${hub.hub.address}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const refused = await get('/api/sessions')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({ error: { code: 'database_unavailable' } })
  const prompted = session.run('echo patience')
  const isOver = prompted.then(() => 'over')
  const asked = await Promise.race([isOver, get(session.path).then(({ status }) => status)])
  proxy.up()
  expect(asked).toBe(503)
  await prompted
  expect((await hub.fetch('/api/sessions')).status).toBe(200)
  const seqs = session.feed.events.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
})

test('an address that cannot be used is reported without its password', async () => {
  using folder = new TempFolder()
  const missing = new URL(url)
  missing.pathname = '/missing'
  missing.password = 'secret'
  const env = { QUAYSIDE_DATA_DIR: folder.file('data'), QUAYSIDE_DATABASE_URL: missing.href }
  const started = createHub(loadConfig({ port: '0' }, env, folder.path))
  const message = await started.then(String, (error: Error) => error.message)
  expect(message).toMatch(/database "missing" does not exist.*Check --database/)
  expect(message).not.toContain('secret')
})
