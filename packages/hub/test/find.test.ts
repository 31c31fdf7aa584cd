// Finds a text in the whole conversation of a session: over a real hub, and in a long log.
import type { FoundPlaces } from '@quayside/protocol'
import { foundPlacesSchema } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Projection } from '../src/sessions/log/projection.js'
import { PlaceFinder } from '../src/sessions/reading/place-finder.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { addRepo, addSession, textOf } from './store-engines.js'
import { TestDatabase } from './store-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

describe('a conversation', () => {
  let hub: TestHub
  let session: TestSession
  beforeAll(async () => {
    hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
    session = await hub.createSession()
    await session.run('echo The Crêperie of Zoë\nsells 100%_real "galettes", and galettes only')
    await session.run('think periwinkle')
    await session.run('tools')
  })
  afterAll(() => hub[Symbol.asyncDispose]())

  async function find(q: string, more = ''): Promise<FoundPlaces> {
    const found = await hub.get(`${session.path}/find?q=${encodeURIComponent(q)}${more}`)
    return foundPlacesSchema.parse(found)
  }
  const textsOf = async (q: string): Promise<string[]> =>
    (await find(q)).places.map(({ excerpt }) => excerpt.map(({ text }) => text).join(''))

  test.each(['alette', 'CRÊPERIE of zoë', 'of Zoë sells', '100%_real "gal', ' galettes", '])(
    'is found by %o, in the prompt and in the answer, newest first',
    async (q) => {
      const { places, nextCursor } = await find(q)
      expect(places.map(({ type, itemId }) => `${type} ${itemId.split(':')[0]}`)).toEqual([
        'text text',
        'text user',
      ])
      expect(places[0]!.seq).toBeGreaterThan(places[1]!.seq)
      expect(nextCursor).toBeUndefined()
    },
  )

  test('counts the words of a text, and its excerpt begins near the first of them', async () => {
    const [answer] = (await find('GALETTES')).places
    expect(answer).toMatchObject({ count: 2 })
    expect(answer?.excerpt.filter(({ match }) => match)).toEqual([
      { text: 'galettes', match: true },
      { text: 'galettes', match: true },
    ])
    expect(answer?.excerpt[0]).toEqual({ text: '…sells 100%_real "', match: false })
  })

  test('is found by thoughts, by titles of tools and by their output', async () => {
    expect((await find('periwink')).places.map(({ type }) => type)).toEqual([
      'text',
      'thought',
      'text',
    ])
    expect(await textsOf('Fetch c')).toEqual(['Fetch c c'])
  })

  test.each(['toolCallId', 'galettesx', '100% real', '', '   ', 'completed"'])(
    'is not found by %o',
    async (q) => expect(await find(q)).toEqual({ places: [] }),
  )

  test('is read in pages, also over the WebSocket', async () => {
    const first = await find('e', '&limit=2')
    const rest = await find('e', `&cursor=${first.nextCursor}`)
    const all = await find('e')
    expect(first.places).toHaveLength(2)
    expect([...first.places, ...rest.places]).toEqual(all.places)
    const answer = await session.feed.call('session/find', { sessionId: session.id, q: 'e' })
    expect(answer).toMatchObject({ result: all })
    const refused = await hub.fetch(`${session.path}/find?q=e&cursor=WzFd`)
    expect(refused.status).toBe(400)
    expect((await hub.fetch('/api/sessions/unknown/find?q=e')).status).toBe(404)
  })

  test('is found by an answer that still grows', async () => {
    const { turnId } = await session.prompt('drip 1000 30')
    await session.feed.until('acp.update', ({ update }) =>
      JSON.stringify(update).includes('drop 3'),
    )
    const { places } = await find('drop 3')
    expect(places.map(({ turnId }) => turnId)).toEqual([turnId])
    expect(places[0]!.updatedSeq).toBeGreaterThan(places[0]!.seq)
    await hub.post(`${session.path}/cancel`, {})
    await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  })
})

test('a long log is scanned with other work in between, and in pages that end in time', async () => {
  using database = new TestDatabase()
  const store = sqliteStore(database.db)
  const text = 'some words about the work that was done. '.repeat(40)
  const messages = Array.from({ length: 8_000 }, (_, index) =>
    textOf(index + 2, index === 0 ? 'the needle' : text, { isSearched: false }),
  )
  const id = await addSession(store, { repoId: await addRepo(store), messages })
  const finder = new PlaceFinder({ store: store.sessions, projection: new Projection(store) })
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 1)
  let found = await finder.find(id, { q: 'needle', limit: 10 })
  while (found.nextCursor !== undefined && found.places.length === 0)
    found = await finder.find(id, { q: 'needle', limit: 10, cursor: found.nextCursor })
  clearInterval(ticking)
  expect(found.places.map(({ itemId }) => itemId)).toEqual(['text:2'])
  expect(ticks).toBeGreaterThan(2)
})
