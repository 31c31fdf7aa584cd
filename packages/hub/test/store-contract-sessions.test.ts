// The contract of SessionStore and SearchStore, for every engine: lists, positions in a log, and words.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_TOTAL, type SearchRequest } from '../src/store/search-store.js'
import type { MessageRange, SessionFilter } from '../src/store/session-store.js'
import type { Store } from '../src/store/store.js'
import {
  addRepo,
  addSession,
  batchOf,
  endSession,
  ENGINES,
  messagesOf,
  type OpenStore,
  textOf,
} from './store-engines.js'
import { NOON } from './store-fixture.js'

const ALL: SessionFilter = { scope: {}, statuses: undefined, archived: [false, true] }

describe.each(ENGINES)('sessions in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  let repoId: string

  beforeEach(async () => {
    opened = await open()
    store = opened.store
    repoId = await addRepo(store)
  })
  afterEach(() => opened.close())

  async function idsOf(filter: Partial<SessionFilter>): Promise<string[]> {
    const request = { filter: { ...ALL, ...filter }, limit: 10, offset: 0 }
    const rows = await store.sessions.page(request)
    expect(await store.sessions.pageWithTotal(request)).toEqual({ rows, total: rows.length })
    return rows.map(({ id }) => id)
  }

  test('pages are newest first; a cursor continues behind its row, whatever was added', async () => {
    const ids: string[] = []
    // Two of the same time are in the order of their ids.
    for (const at of [1, 2, 2, 3, 4]) ids.push(await addSession(store, { repoId, at }))
    const newestFirst = ids.toReversed()
    const first = await store.sessions.page({ filter: ALL, limit: 2, offset: 0 })
    expect(first.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2))
    await addSession(store, { repoId, at: 9 })
    const rest = await store.sessions.page({ filter: ALL, after: first[1], limit: 9, offset: 0 })
    expect(rest.map(({ id }) => id)).toEqual(newestFirst.slice(2))
    const moved = await store.sessions.page({ filter: ALL, limit: 2, offset: 3 })
    expect(moved.map(({ id }) => id)).toEqual(newestFirst.slice(2, 4))
    expect(moved[0]).toEqual(await store.sessions.findSummary(newestFirst[2]!))
    const some = await store.sessions.findSummaries([ids[0]!, 'unknown', ids[2]!])
    expect(some.map(({ id }) => id)).toEqual([ids[0], ids[2]])
  })

  test('filters are by repository, agent, status and archive, together too', async () => {
    const other = await addRepo(store, 'other')
    const active = await addSession(store, { repoId, at: 1 })
    const ended = await addSession(store, { repoId, at: 2, extensionId: 'gone' })
    const elsewhere = await addSession(store, { repoId: other, at: 3 })
    await endSession(store, ended)
    await store.events.commit([batchOf(elsewhere, { change: { archived: true } })])
    expect(await idsOf({})).toEqual([elsewhere, ended, active])
    expect(await idsOf({ archived: [false] })).toEqual([ended, active])
    expect(await idsOf({ archived: [true] })).toEqual([elsewhere])
    expect(await idsOf({ statuses: ['active'] })).toEqual([elsewhere, active])
    expect(await idsOf({ scope: { repoId } })).toEqual([ended, active])
    expect(await idsOf({ scope: { repoId, extensionId: 'gone' } })).toEqual([ended])
    expect(await idsOf({ scope: { repoId: other }, statuses: ['completed'] })).toEqual([])
    expect(await store.sessions.activeIds()).toEqual(expect.arrayContaining([active, elsewhere]))
    expect(await store.sessions.activeIds()).toHaveLength(2)
    expect(await store.sessions.extensionIds()).toEqual(['demo', 'gone'])
  })

  test('messages are in the order they began; changed ones and partial ones are read after a cursor', async () => {
    const messages = [
      textOf(4, 'second'),
      textOf(2, 'first', { updatedSeq: 6, updatedAt: NOON + 60 }),
      textOf(5, 'grows', { isPartial: true }),
    ]
    const id = await addSession(store, { repoId, messages })
    const seqs = async (range: Partial<MessageRange>) =>
      (await messagesOf(store, id, range)).map(({ seq }) => seq)
    expect(await seqs({})).toEqual([2, 4, 5])
    expect(await seqs({ after: 2, until: 4 })).toEqual([4])
    expect(await seqs({ changedAfter: { seq: 5 } })).toEqual([2, 5])
    expect(await seqs({ changedAfter: { seq: 5 }, after: 2 })).toEqual([5])
    expect(await seqs({ changedAfter: { at: NOON + 60 } })).toEqual([5])
  })

  test('prompts and messages are found backwards from an event', async () => {
    const prompt = (seq: number, turnId: string) =>
      textOf(seq, turnId, { turnId, itemId: `user:${turnId}` })
    const messages = [prompt(2, 'a'), textOf(3, 'answer'), prompt(5, 'b'), textOf(6, 'answer')]
    const id = await addSession(store, { repoId, messages })
    expect(await store.sessions.findPrompt(id, 'b')).toBe(5)
    expect(await store.sessions.findPrompt(id, 'c')).toBeUndefined()
    expect(await store.sessions.findPromptBack(id, 6, 1)).toBe(5)
    expect(await store.sessions.findPromptBack(id, 6, 2)).toBe(2)
    expect(await store.sessions.findPromptBack(id, 6, 3)).toBeUndefined()
    expect(await store.sessions.findMessageBefore(id, 6, 1)).toBe(5)
    expect(await store.sessions.findMessageBefore(id, 6, 3)).toBe(2)
    expect(await store.sessions.findMessageBefore(id, 6, 4)).toBeUndefined()
  })

  test('any text may be asked for as an id or a word', async () => {
    await addSession(store, { repoId, title: 'hello' })
    for (const text of ['\0', '\uD800', "'; --", '"', '%', 'é'.repeat(5_000)]) {
      expect(await store.sessions.find(text)).toBeUndefined()
      expect(await idsOf({ scope: { repoId: text } })).toEqual([])
      expect(await store.sessions.findPrompt(text, text)).toBeUndefined()
      expect([...(await store.sessions.scanMessages(text, 9, text))]).toEqual([])
      expect(await find('hello', { filter: { ...ALL, scope: { repoId: text } } })).toEqual([])
    }
    for (const word of ['\uE000r', '你好', 'AND', 'ﬃ', 'İ', '🙂'])
      expect(await find(word), word).toEqual([])
  })

  function request(q: string, more: Partial<SearchRequest> = {}): SearchRequest {
    const phrases = q.split(' ').map((phrase) => phrase.split('.'))
    const lastWordChars = phrases.at(-1)?.at(-1)?.length ?? 0
    return { phrases, mayBePrefix: true, lastWordChars, filter: ALL, limit: 10, ...more }
  }

  async function find(q: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
    const { hits, total } = await store.search.search(request(q, more))
    expect(total).toBe(hits.length)
    return hits.map(({ id }) => id)
  }

  test('words are found in titles, prompts and answers, newest session first', async () => {
    const named = await addSession(store, { repoId, title: 'Deploy the café' })
    const asked = await addSession(store, {
      repoId: await addRepo(store, 'other'),
      messages: [textOf(2, 'please deploy session.ts', { turnId: 't' }), textOf(3, 'deployed')],
    })
    expect(await find('deploy')).toEqual([asked, named])
    expect(await find('cafe')).toEqual([named])
    expect(await find('session.ts')).toEqual([asked])
    expect(await find('ts.session')).toEqual([])
    expect(await find('the deploy')).toEqual([named])
    expect(await find('depl')).toEqual([asked, named])
    expect(await find('depl', { mayBePrefix: false })).toEqual([])
    expect(await find('deploy', { filter: { ...ALL, scope: { repoId } } })).toEqual([named])
    const { hits } = await store.search.search(request('deploy', { mayBePrefix: false }))
    expect(hits).toMatchObject([
      { id: asked, seq: 2 },
      { id: named, seq: 0 },
    ])
    expect(await store.search.texts(hits)).toEqual(['please deploy session.ts', 'Deploy the café'])
  })

  test('a search continues below the last hit; a changed title is found by its new words only', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) ids.push(await addSession(store, { repoId, title: 'common' }))
    const first = await store.search.search(request('common', { limit: 2 }))
    expect(first).toMatchObject({ total: 5, hits: [{ id: ids[4] }, { id: ids[3] }] })
    const next = { below: first.hits[1]!.number, mode: first.mode, total: first.total }
    const second = await store.search.search(request('common', { next }))
    expect(second.hits.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]])
    await store.events.commit([
      batchOf(ids[0]!, { change: { title: 'rare' } }),
      batchOf(ids[1]!, { change: { title: null } }),
    ])
    expect(await find('rare')).toEqual([ids[0]])
    expect(await find('common')).toEqual([ids[4], ids[3], ids[2]])
    expect(MAX_TOTAL).toBeGreaterThan(5)
  })
})

describe.each(ENGINES)('the messages of one session in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('a scan goes backwards over all messages, with the content of those that may contain a text', async () => {
    const messages = [
      textOf(2, 'A 100% “Straße”'),
      textOf(3, 'other'),
      textOf(4, 'grows', { isPartial: true }),
      textOf(5, String.raw`a "quoted" back\slash`),
    ]
    const id = await addSession(store, { repoId: await addRepo(store), messages })
    const scan = async (wanted: string, before = 9) =>
      [...(await store.sessions.scanMessages(id, before, wanted))].map(
        ({ seq, content }) => `${seq}${content === null ? '' : '!'}`,
      )
    expect(await scan('nothing')).toEqual(['5', '4!', '3', '2'])
    expect(await scan('STRAßE')).toEqual(['5', '4!', '3', '2!'])
    expect(await scan('100%')).toEqual(['5', '4!', '3', '2!'])
    expect(await scan('1_0%')).toEqual(['5', '4!', '3', '2'])
    expect(await scan('"quoted" back\\S')).toEqual(['5!', '4!', '3', '2'])
    expect(await scan('other', 4)).toEqual(['3!', '2'])
  })

  test('a scan for edits has the contents of calls that change files', async () => {
    const call = (seq: number, kind: string) =>
      textOf(seq, '', { role: 'system', content: JSON.stringify({ type: 'tool', kind }) })
    const messages = [
      call(2, 'edit'),
      textOf(3, '{"kind":"edit"}'),
      call(4, 'read'),
      call(5, 'move'),
    ]
    const id = await addSession(store, { repoId: await addRepo(store), messages })
    const scanned = [...(await store.sessions.scanEdits(id, 9))]
    expect(scanned.map(({ seq, content }) => `${seq}${content === null ? '' : '!'}`)).toEqual([
      '5!',
      '4',
      '3',
      '2!',
    ])
    expect(scanned[0]?.at).toBe(NOON + 5)
    expect([...(await store.sessions.scanEdits(id, 3))]).toHaveLength(1)
  })
})
