// The contract of EventStore, for every engine: a batch is stored whole or not at all, and read as it was written.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../src/store/store.js'
import {
  addRepo,
  addSession,
  batchOf,
  ENGINES,
  eventOf,
  messagesOf,
  type OpenStore,
  textOf,
} from './store-engines.js'
import { NOON } from './store-fixture.js'

describe.each(ENGINES)('events in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  let repoId: string

  beforeEach(async () => {
    opened = await open()
    store = opened.store
    repoId = await addRepo(store)
  })
  afterEach(() => opened.close())

  async function readAll(id: string, after = 0, limit = 100): Promise<string[]> {
    const events = await store.events.read(id, after, limit)
    return [...events].map(({ bytes }) => Buffer.from(bytes).toString())
  }

  test('a batch of several sessions is stored with its rows', async () => {
    const [a, b] = ['a', 'b']
    const created = {
      repoId,
      extensionId: 'demo',
      title: 'Greetings',
      settings: '{"x":1}',
      workspace: '{}',
      at: NOON,
    }
    const prompt = textOf(2, 'hello', { turnId: 't1', itemId: 'user:t1' })
    await store.events.commit([
      batchOf(a, {
        created,
        events: [
          eventOf(a, 1, { type: 'session.created' }),
          eventOf(a, 2, { data: { text: 'ä€😀' } }),
        ],
        messages: [prompt, textOf(3, 'hi')],
      }),
      batchOf(b, { created, events: [eventOf(b, 1)] }),
    ])
    expect(await store.sessions.find(a)).toMatchObject({
      id: a,
      repoId,
      extensionId: 'demo',
      status: 'active',
      title: 'Greetings',
      settings: '{"x":1}',
      acpSessionId: null,
      metadata: '{}',
      pinned: false,
      archived: false,
      lastSeq: 2,
      turnCount: 1,
      messageCount: 2,
      createdAt: NOON,
      updatedAt: NOON + 2,
    })
    expect(await readAll(a)).toEqual([
      `{"sessionId":"a","seq":1,"at":${NOON + 1},"type":"session.created","data":{}}`,
      `{"sessionId":"a","seq":2,"at":${NOON + 2},"type":"notice","data":{"text":"ä€😀"}}`,
    ])
    expect(await store.events.lastSeq(b)).toBe(1)
  })

  test('a batch that cannot be stored leaves nothing behind, of no session', async () => {
    const id = await addSession(store, { repoId })
    const created = {
      repoId,
      extensionId: 'demo',
      title: null,
      settings: '{}',
      workspace: '{}',
      at: NOON,
    }
    const commit = async () =>
      store.events.commit([
        batchOf('new', { created, events: [eventOf('new', 1)], messages: [textOf(1, 'lost')] }),
        // There is such an event.
        batchOf(id, { events: [eventOf(id, 1)], change: { title: 'lost' } }),
      ])
    await expect(commit()).rejects.toThrow()
    expect(await store.sessions.find('new')).toBeUndefined()
    expect(await messagesOf(store, 'new')).toEqual([])
    expect(await store.events.lastSeq('new')).toBe(0)
    expect(await store.sessions.findSummary(id)).toMatchObject({ title: null, lastSeq: 1 })
    await store.events.commit([batchOf(id, { events: [eventOf(id, 2)] })])
    expect(await store.events.lastSeq(id)).toBe(2)
  })

  test('events are read after a cursor, at most as many as asked for, each session for itself', async () => {
    const id = await addSession(store, { repoId })
    const other = await addSession(store, { repoId })
    const seqs = [2, 3, 4, 5]
    await store.events.commit([batchOf(id, { events: seqs.map((seq) => eventOf(id, seq)) })])
    const read = [...(await store.events.read(id, 2, 2)), ...(await store.events.read(id, 5, 2))]
    expect(read.map(({ seq }) => seq)).toEqual([3, 4])
    const [one, two] = await Promise.all([readAll(id), readAll(other)])
    expect([one.length, two.length]).toEqual([5, 1])
  })

  test('the last event until a time is found, also between and beyond events', async () => {
    const id = await addSession(store, { repoId })
    const events = [2, 3, 4, 5].map((seq) => eventOf(id, seq, { at: NOON + 10 * seq }))
    await store.events.commit([batchOf(id, { events })])
    const found: number[] = []
    for (const at of [NOON - 1, NOON + 20, NOON + 39, NOON + 40, NOON + 99])
      found.push(await store.events.lastSeqUntil(id, at))
    expect(found).toEqual([0, 2, 3, 4, 5])
    expect(await store.events.lastSeqUntil('unknown', NOON)).toBe(0)
  })

  test('only the columns that a batch names are changed', async () => {
    const id = await addSession(store, { repoId, title: 'before' })
    await store.events.commit([
      batchOf(id, { change: { pinned: true, acpSessionId: 'acp', snapshot: '{"at":1}' } }),
    ])
    await store.events.commit([batchOf(id, { change: { archived: true, settings: '{"y":2}' } })])
    expect(await store.sessions.find(id)).toMatchObject({
      title: 'before',
      status: 'active',
      pinned: true,
      archived: true,
      acpSessionId: 'acp',
      settings: '{"y":2}',
    })
    expect(await store.sessions.findSnapshot(id)).toBe('{"at":1}')
    const state = { status: 'error', metadata: '{"reason":"x"}', endedAt: NOON + 9 } as const
    await store.events.commit([batchOf(id, { change: { state, title: null, pinned: false } })])
    expect(await store.sessions.find(id)).toMatchObject({ ...state, title: null, pinned: false })
  })
})
