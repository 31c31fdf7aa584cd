// Seed 003, "Session Listing and Filtering", on a real hub.
import { sessionListSchema } from '@quayside/protocol/schemas'
import { expect, test } from 'vitest'
import { idsOf, list, startHubWith, type StoredSession } from './listing-fixture.js'
import { startTestHub, type TestSession } from './test-hub.js'

// Three sessions share each second, so that ids decide their order.
const FORTY_FIVE: readonly StoredSession[] = Array.from({ length: 45 }, (_, index) => ({
  id: `s${String(index).padStart(3, '0')}`,
  repoId: index % 5 === 0 ? 'r2' : 'r1',
  status: ['completed', 'completed', 'cancelled', 'error'][index % 4] as string,
  at: Math.floor(index / 3),
}))
const NEWEST_FIRST = FORTY_FIVE.map(({ id }) => id).toReversed()

test('List all sessions', async () => {
  await using hub = await startHubWith(FORTY_FIVE)
  const first = await list(hub)

  expect(sessionListSchema.parse(first)).toEqual(first)
  expect(first).toMatchObject({ total: 45, limit: 20, offset: 0 })
  expect(idsOf(first)).toEqual(NEWEST_FIRST.slice(0, 20))
  expect(first.sessions[0]).toMatchObject({
    id: 's044',
    repoId: 'r1',
    status: 'completed',
    createdAt: '2026-11-15T12:00:14.000Z',
    pinned: false,
    archived: false,
    turnCount: 0,
    messageCount: 0,
  })
  expect(first.sessions[0]).not.toHaveProperty('messages')

  const last = await list(hub, '?limit=20&offset=40')
  expect(idsOf(last)).toEqual(NEWEST_FIRST.slice(40))
  expect(last).not.toHaveProperty('nextCursor')
  expect(idsOf(await list(hub, '?offset=1000'))).toEqual([])
})

test('Filter sessions by repository', async () => {
  await using hub = await startHubWith(FORTY_FIVE)
  const ofRepo = NEWEST_FIRST.filter((id) => Number(id.slice(1)) % 5 === 0)

  const page = await list(hub, '?repoId=r2&limit=4')
  expect(page.total).toBe(9)
  expect(idsOf(page)).toEqual(ofRepo.slice(0, 4))
  const next = await list(hub, `?repoId=r2&limit=4&cursor=${page.nextCursor}`)
  expect(idsOf(next)).toEqual(ofRepo.slice(4, 8))
  expect(await list(hub, '?repoId=nowhere')).toMatchObject({ sessions: [], total: 0 })
})

test('sessions of one agent are listed, counted and paged, also inside a repository', async () => {
  const stored = FORTY_FIVE.map((session, index) => ({
    ...session,
    extensionId: index % 2 === 0 ? 'gemini' : 'gone',
  }))
  await using hub = await startHubWith(stored)
  const ofAgent = NEWEST_FIRST.filter((id) => Number(id.slice(1)) % 2 === 0)

  const page = await list(hub, '?extensionId=gemini&limit=9')
  expect(page.total).toBe(23)
  expect(idsOf(page)).toEqual(ofAgent.slice(0, 9))
  const next = await list(hub, `?extensionId=gemini&limit=9&cursor=${page.nextCursor}`)
  expect(idsOf(next)).toEqual(ofAgent.slice(9, 18))
  const both = await list(hub, '?extensionId=gemini&repoId=r2')
  expect(idsOf(both)).toEqual(ofAgent.filter((id) => Number(id.slice(1)) % 5 === 0))
  expect(both.total).toBe(5)
  expect(await list(hub, '?extensionId=gemini&repoId=r2&status=completed')).toMatchObject({
    total: 3,
  })
  expect(await list(hub, "?extensionId=gemini'--")).toMatchObject({ sessions: [], total: 0 })
  expect((await hub.fetch('/api/sessions?extensionId=')).status).toBe(400)

  await hub.createSession()
  expect((await list(hub, '?repoId=r2&limit=1')).extensionIds).toEqual(['demo', 'gemini', 'gone'])
  expect(await list(hub, '?extensionId=demo')).toMatchObject({ total: 1 })
})

test('Filter sessions by status', async () => {
  await using hub = await startHubWith(FORTY_FIVE)
  const live = await hub.createSession()

  expect(idsOf(await list(hub, '?status=active'))).toEqual([live.id])
  const both = await list(hub, '?status=cancelled,error&limit=100')
  const wanted = NEWEST_FIRST.filter((id) => [2, 3].includes(Number(id.slice(1)) % 4))
  expect(idsOf(both)).toEqual(wanted)
  expect(both.total).toBe(wanted.length)
  const narrow = await list(hub, '?status=error&repoId=r2')
  expect(idsOf(narrow)).toEqual(wanted.filter((id) => ['s015', 's035'].includes(id)))
  expect(narrow.total).toBe(2)
  expect((await hub.fetch('/api/sessions?status=idle')).status).toBe(400)
})

test('pages by cursor show every session once, whatever is added meanwhile', async () => {
  await using hub = await startHubWith(FORTY_FIVE)
  const seen: string[] = []
  for (let cursor = ''; ;) {
    const page = await list(hub, `?limit=7&status=completed,cancelled,error${cursor}`)
    seen.push(...idsOf(page))
    if (page.nextCursor === undefined) break
    cursor = `&cursor=${page.nextCursor}`
    const added = await hub.createSession()
    await hub.fetch(added.path, { method: 'DELETE' })
  }

  expect(seen).toEqual(NEWEST_FIRST)
})

test('a cursor of another list, or an invalid one, is refused', async () => {
  await using hub = await startHubWith([{ id: 's1', at: 0, text: 'word' }])
  const search = Buffer.from('["q",5,"exact",1]').toString('base64url')
  for (const query of [
    'cursor=x',
    `cursor=${search}`,
    'cursor=WzEsMl0',
    'q=word&cursor=WzEsImEiXQ',
  ])
    expect((await hub.fetch(`/api/sessions?${query}`)).status, query).toBe(400)
  expect((await hub.fetch('/api/sessions?offset=5&cursor=WzEsImEiXQ')).status).toBe(400)
})

test('archived sessions are left out unless they are asked for; pinned ones keep their place', async () => {
  await using hub = await startTestHub({ sharesAgent: true })
  const [first, second, third] = [
    await hub.createSession(),
    await hub.createSession(),
    await hub.createSession(),
  ]
  await change(first, { pinned: true })
  await change(second, { archived: true })

  const shown = await list(hub)
  expect(idsOf(shown)).toEqual([third.id, first.id])
  expect(shown).toMatchObject({ total: 2, sessions: [{ pinned: false }, { pinned: true }] })
  expect(await list(hub, '?archived=true')).toMatchObject({
    total: 1,
    sessions: [{ id: second.id, archived: true, status: 'active' }],
  })
  expect(idsOf(await list(hub, '?archived=any'))).toEqual([third.id, second.id, first.id])
  expect((await hub.fetch('/api/sessions?archived=yes')).status).toBe(400)

  await hub.fetch(second.path, { method: 'DELETE' })
  await change(second, { archived: false, title: 'Back again' })
  expect(await list(hub, '?status=cancelled')).toMatchObject({
    total: 1,
    sessions: [{ id: second.id, title: 'Back again', archived: false }],
  })
})

test('a session counts its turns and messages', async () => {
  await using hub = await startTestHub({ sharesAgent: true })
  const session = await hub.createSession()
  await session.run('echo one')
  await session.run('tools')
  const messages = await hub.get<unknown[]>(`${session.path}/messages`)

  expect(await session.summaryNow()).toMatchObject({
    turnCount: 2,
    messageCount: messages.length,
  })
})

async function change(session: TestSession, body: unknown): Promise<void> {
  const response = await session.hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(await response.text())
}
