// The contract of UpkeepStore, for every engine: sessions are measured and removed in steps, and only ended ones.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../src/store/store.js'
import {
  addRepo,
  addSession,
  batchOf,
  endSession,
  ENGINES,
  eventOf,
  messagesOf,
  type OpenStore,
  textOf,
} from './store-engines.js'
import { NOON, TempFolder } from './store-fixture.js'

describe.each(ENGINES)('upkeep in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  let repoId: string
  let folder: TempFolder
  let file: string

  beforeEach(async () => {
    folder = new TempFolder()
    file = folder.write('media', 'bytes')
    opened = await open()
    store = opened.store
    repoId = await addRepo(store)
  })
  afterEach(async () => {
    await opened.close()
    folder[Symbol.dispose]()
  })

  async function addEnded(): Promise<string> {
    const id = await addSession(store, {
      repoId,
      messages: [textOf(2, 'needle'), textOf(3, 'hay')],
    })
    await endSession(store, id)
    return id
  }

  test('a marked session is removed in steps; the others stay', async () => {
    const [id, other] = [await addEnded(), await addEnded()]
    const media = { mimeType: 'text/plain', byteLength: 3 }
    store.media.add({ ...media, sha256: 'aa', sessionId: id }, file)
    store.media.add({ ...media, sha256: 'bb', sessionId: other }, file)
    await store.checkpoints.add(id, [{ seq: 3, steps: 2, state: '{}' }])
    expect(await store.upkeep.mark(id, {})).toBe(true)
    expect(await store.upkeep.marked()).toEqual([id])
    const size = await store.upkeep.measure('events', id)
    expect(size).toMatchObject({ count: 3, next: undefined })
    expect(await store.upkeep.removeRows('events', id)).toEqual({ count: 3, bytes: size.bytes })
    expect(await store.upkeep.removeRows('events', id)).toEqual({ count: 0, bytes: 0 })
    expect(await store.upkeep.removeRows('messages', id)).toMatchObject({ count: 2 })
    expect(await store.upkeep.measure('checkpoints', id)).toMatchObject({ count: 1, bytes: 2 })
    expect(await store.upkeep.removeRows('checkpoints', id)).toEqual({ count: 1, bytes: 2 })
    expect(await store.upkeep.removeSession(id)).toEqual(['aa'])
    expect(await store.media.isUsed('aa')).toBe(false)
    await store.media.removeUnused('aa')
    expect(await store.media.load('aa')).toBeUndefined()
    expect(await store.sessions.find(id)).toBeUndefined()
    expect(await messagesOf(store, other)).toHaveLength(2)
    const filter = { scope: {}, statuses: undefined, archived: [false] }
    const words = { phrases: [['needle']], mayBePrefix: false, lastWordChars: 6 }
    const { hits } = await store.search.search({ ...words, filter, limit: 9 })
    expect(hits).toMatchObject([{ id: other, seq: 2 }])
    const behind = await store.sessions.pageWithTotal({ filter, limit: 1, offset: 1 })
    expect(behind).toEqual({ rows: [], total: 1 })
  })

  test('no session is marked that is active, pinned, changed since or unknown', async () => {
    const active = await addSession(store, { repoId })
    const ended = await addEnded()
    await store.events.commit([batchOf(ended, { change: { pinned: true } })])
    expect(await store.upkeep.mark(active, { evenPinned: true })).toBe(false)
    expect(await store.upkeep.mark(ended, {})).toBe(false)
    expect(await store.upkeep.mark(ended, { evenPinned: true, lastSeq: 2 })).toBe(false)
    expect(await store.upkeep.mark('unknown', {})).toBe(false)
    expect(await store.upkeep.marked()).toEqual([])
    expect(await store.upkeep.mark(ended, { evenPinned: true, lastSeq: 3 })).toBe(true)
  })

  test('a session that was resumed loses no row', async () => {
    const id = await addEnded()
    await store.upkeep.mark(id, {})
    const state = { status: 'active', metadata: '{}', endedAt: null } as const
    await store.events.commit([batchOf(id, { events: [eventOf(id, 4)], change: { state } })])
    expect(await store.upkeep.removeRows('events', id)).toBeUndefined()
    expect(await store.upkeep.removeRows('messages', id)).toBeUndefined()
    expect(await store.upkeep.removeSession(id)).toEqual([])
    expect(await store.events.lastSeq(id)).toBe(4)
    expect(await messagesOf(store, id)).toHaveLength(2)
  })

  test('sessions, sizes and media uses are listed with the key of the next step, if there is one', async () => {
    const id = await addEnded()
    const media = { sha256: 'cc', mimeType: 'image/png', byteLength: 5 }
    store.media.add({ ...media, sessionId: id }, file)
    store.media.add({ ...media, sessionId: null }, file)
    const { rows, next } = await store.upkeep.sessions()
    expect(rows).toMatchObject([
      { id, title: null, isEnded: true, isPinned: false, endedAt: NOON, lastSeq: 3 },
    ])
    expect(next).toBeUndefined()
    expect((await store.upkeep.mediaUses()).rows).toMatchObject([
      { sha256: 'cc', sessionId: id, byteLength: 5 },
      { sha256: 'cc', sessionId: null, byteLength: 5 },
    ])
    const bytes = Buffer.byteLength(textOf(2, 'needle').content + textOf(3, 'hay').content)
    expect(await store.upkeep.measure('messages', id)).toMatchObject({ count: 2, bytes })
    expect(await store.upkeep.reusableBytes()).toBeGreaterThanOrEqual(0)
  })
})
