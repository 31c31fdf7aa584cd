// Full-text search over titles, prompts and answers, over a real hub.
import type { ListedSession } from '@quayside/protocol'
import { sessionListSchema } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idsOf, list, startHubWith } from './listing-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

describe('the texts of a session', () => {
  let hub: TestHub
  let session: TestSession
  beforeAll(async () => {
    hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
    session = await hub.createSession()
    await session.run('echo The crêperie of Zoë sells galettes')
    await session.run('think periwinkle')
    await session.run('tools')
  })
  afterAll(() => hub[Symbol.asyncDispose]())

  const find = async (q: string) => idsOf(await list(hub, `?q=${encodeURIComponent(q)}`))

  test.each(['galettes', 'GALETTES sells', 'creperie', 'zoe', 'galet', '  sells  galet'])(
    'is found by %o',
    async (q) => expect(await find(q)).toEqual([session.id]),
  )

  test.each(['sell galettes', 'alettes', 'galettes unicorn'])('is not found by %o', async (q) =>
    expect(await find(q)).toEqual([]),
  )

  test('is shown with the words marked, as plain text', async () => {
    const page = await list(hub, '?q=zoe%20galet')
    expect(sessionListSchema.parse(page)).toEqual(page)
    expect(page).toMatchObject({ total: 1 })
    expect(page.sessions[0]?.excerpt).toEqual([
      { text: 'The crêperie of ', match: false },
      { text: 'Zoë', match: true },
      { text: ' sells ', match: false },
      { text: 'galettes', match: true },
    ])
  })

  test('does not hold what tools printed', async () => {
    expect(await find('command not found')).toEqual([])
  })

  test('is found by the beginning of a text that is very long', async () => {
    const other = await hub.createSession()
    await other.run(`echo kohlrabi ${'and so on '.repeat(30_000)} rutabaga`)
    expect(await find('kohlrabi')).toEqual([other.id])
    expect(await find('rutabaga')).toEqual([])
  })

  test('is found by its new title and no longer by the old one', async () => {
    const other = await hub.createSession()
    await rename(other, 'Kumquat harvest')
    expect(await find('kumquat')).toEqual([other.id])
    await rename(other, 'Loquat harvest')
    expect(await find('kumquat')).toEqual([])
    await hub.fetch(other.path, { method: 'DELETE' })
    await rename(other, 'Quince harvest')
    expect(await find('quince')).toEqual([other.id])
    expect(marked((await list(hub, '?q=quin')).sessions[0])).toEqual(['Quince'])
  })

  test('is searched together with filters', async () => {
    const { repoId, extensionId } = session.summary
    const all = `repoId=${repoId}&extensionId=${extensionId}&status=active`
    expect(idsOf(await list(hub, `?q=galettes&${all}`))).toEqual([session.id])
    for (const filter of [
      'repoId=other',
      'extensionId=other',
      'status=error',
      'archived=true',
      'repoId=%00%22%20OR',
    ])
      expect(await list(hub, `?q=galettes&${filter}`), filter).toMatchObject({
        sessions: [],
        total: 0,
      })
  })
})

// Addresses up to ten thousand bytes; Node itself refuses more than sixteen thousand.
test('a hostile search is a search', async () => {
  await using hub = await startHubWith([{ id: 's1', at: 0, text: 'AND "quoted" text NEAR you' }])
  const queries = [
    '"',
    '""',
    '"unclosed',
    '*',
    'AND',
    'OR NOT NEAR',
    'NEAR(a b, 3)',
    'text:you',
    '{text repo}: you',
    '^you',
    'you)',
    '((((((',
    '-you',
    'a + b',
    'text\u0000you',
    '\u0000',
    '🙂',
    '👩‍👩‍👧 you',
    '\uD800 you',
    '\uE000r1',
    'é'.repeat(1_700),
    'w '.repeat(2_500),
    '"'.repeat(3_400),
    "'; DROP TABLE AgentSession; --",
    '%',
    '\u0301\u0301',
    '你好 世界',
    'ﬃ ß İ',
  ]
  for (const q of queries) {
    const response = await hub.fetch(`/api/sessions?q=${encodeURIComponent(toWellFormed(q))}`)
    expect(response.status, q.slice(0, 40)).toBe(200)
    const found = sessionListSchema.parse(await response.json())
    expect(found.sessions.length, q.slice(0, 40)).toBeLessThanOrEqual(1)
  }
  expect(idsOf(await list(hub, '?q=AND%20NEAR'))).toEqual(['s1'])
  expect(idsOf(await list(hub, '?q=%20'))).toEqual(['s1'])
  expect(idsOf(await list(hub, '?q=%2A'))).toEqual([])
})

test('a search with very many results reports so, and continues page by page, newest first', async () => {
  const sessions = Array.from({ length: 1_100 }, (_, index) => ({
    id: `s${String(index).padStart(4, '0')}`,
    repoId: index === 3 ? 'rare' : 'r1',
    extensionId: index % 4 === 0 ? 'often' : index === 5 ? 'seldom' : 'demo',
    at: index,
    text: index === 7 ? 'a needle in the haystack' : 'more hay for the haystack',
  }))
  await using hub = await startHubWith(sessions)
  const newest = sessions.map(({ id }) => id).toReversed()

  const first = await list(hub, '?q=haystack&limit=100')
  expect(first).toMatchObject({ total: 1_000, totalIsCapped: true })
  const seen = idsOf(first)
  for (let { nextCursor } = first; nextCursor !== undefined;) {
    const page = await list(hub, `?q=haystack&limit=100&cursor=${nextCursor}`)
    expect(page).toMatchObject({ total: 1_000, totalIsCapped: true })
    seen.push(...idsOf(page))
    nextCursor = page.nextCursor
  }
  expect(seen).toEqual(newest)
  expect(idsOf(await list(hub, '?q=haystack&limit=5&offset=50'))).toEqual(newest.slice(50, 55))

  expect(await list(hub, '?q=need')).toMatchObject({ total: 1, sessions: [{ id: 's0007' }] })
  expect(await list(hub, '?q=haystack&repoId=rare')).toMatchObject({
    total: 1,
    sessions: [{ id: 's0003' }],
  })
  expect(await list(hub, '?q=haystack&extensionId=seldom')).toMatchObject({
    total: 1,
    sessions: [{ id: 's0005' }],
  })
  const often = await list(hub, '?q=haystack&extensionId=often&limit=100')
  expect(often.total).toBe(275)
  expect(idsOf(often)).toEqual(newest.filter((id) => Number(id.slice(1)) % 4 === 0).slice(0, 100))
})

test('a session with many texts that match is found once', async () => {
  await using hub = await startTestHub()
  const older = await hub.createSession()
  await older.run('echo marmalade')
  const session = await hub.createSession()
  for (let turn = 0; turn < 40; turn += 1) await session.run(`echo marmalade ${turn}`)

  const page = await list(hub, '?q=marmalade')
  expect(idsOf(page)).toEqual([session.id, older.id])
  expect(page.total).toBe(2)
  expect(page.sessions[0]?.excerpt?.map(({ text }) => text).join('')).toBe('marmalade 39')
})

function marked(session: ListedSession | undefined): string[] {
  return (session?.excerpt ?? []).filter(({ match }) => match).map(({ text }) => text)
}

function toWellFormed(text: string): string {
  return Buffer.from(text).toString()
}

async function rename(session: TestSession, title: string): Promise<void> {
  const response = await session.hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}
