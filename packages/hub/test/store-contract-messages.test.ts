// The contract of EventStore's message rows, for every engine: each begins once, and changes only as its item does.
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

describe.each(ENGINES)('message rows in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  let repoId: string

  beforeEach(async () => {
    opened = await open()
    store = opened.store
    repoId = await addRepo(store)
  })
  afterEach(() => opened.close())

  test('a batch of many events and messages is stored in order, and each new message is counted once', async () => {
    const id = await addSession(store, { repoId, messages: [textOf(2, 'known')] })
    const seqs = Array.from({ length: 40 }, (_, index) => index + 3)
    const prompts = seqs.slice(0, 20).map((seq) => textOf(seq, 'hello', { turnId: `t${seq}` }))
    const texts = [2, ...seqs.slice(20)].map((seq) => textOf(seq, `text ${seq}`))
    const events = seqs.map((seq) => eventOf(id, seq))
    await store.events.commit([batchOf(id, { events, messages: [...texts, ...prompts] })])

    const read = await store.events.read(id, 2, 100)
    expect([...read].map(({ seq }) => seq)).toEqual(seqs)
    const stored = await messagesOf(store, id)
    expect(stored.map(({ seq }) => seq)).toEqual([2, ...seqs])
    expect(stored[0]?.content).toContain('known')
    const counts = { turnCount: 20, messageCount: 41, lastSeq: 42 }
    expect(await store.sessions.findSummary(id)).toMatchObject(counts)
  })

  test('a message with a row is updated; a new one whose row exists leaves it as it is', async () => {
    const first = textOf(2, 'begin', { isPartial: true, isSearched: false })
    const id = await addSession(store, { repoId, messages: [first] })
    const done = { ...textOf(2, 'whole'), hasRow: true, updatedSeq: 5, updatedAt: NOON + 5 }
    await store.events.commit([batchOf(id, { events: [eventOf(id, 3)], messages: [done] })])
    const late = textOf(2, 'late', { updatedSeq: 9 })
    await store.events.commit([batchOf(id, { events: [eventOf(id, 4)], messages: [late] })])
    expect(await messagesOf(store, id)).toMatchObject([
      { id: first.id, seq: 2, updatedSeq: 5, partial: false, content: done.content },
    ])
    expect(await store.sessions.findSummary(id)).toMatchObject({ messageCount: 1, lastSeq: 4 })
  })
})
