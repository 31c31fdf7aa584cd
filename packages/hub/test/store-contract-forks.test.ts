// The contract of forks, for every engine: the log, messages and checkpoints of a fork begin with those of the session that was forked.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
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
import { NOON } from './store-fixture.js'

describe.each(ENGINES)('forks in $name', ({ open }) => {
  let opened: OpenStore
  let store: Store
  let parent: string

  beforeEach(async () => {
    opened = await open()
    store = opened.store
    parent = await addSession(store, {
      repoId: await addRepo(store),
      messages: [
        textOf(2, 'first prompt', { turnId: 'one', updatedSeq: 3 }),
        textOf(3, 'first answer'),
        textOf(4, 'second prompt', { turnId: 'two', updatedSeq: 6 }),
        textOf(5, 'edited since', { updatedSeq: 7 }),
        textOf(6, 'later'),
        textOf(7, 'last'),
      ],
    })
  })
  afterEach(() => opened.close())

  async function fork(id: string, seq: number, from = parent): Promise<string> {
    const { repoId = '', extensionId = '' } = (await store.sessions.find(from)) ?? {}
    const texts = { title: null, settings: '{}', workspace: '{}' }
    const forkedFrom = { sessionId: from, seq, turnId: 'one' }
    const created = { repoId, extensionId, ...texts, at: NOON, forkedFrom }
    const events = [eventOf(id, seq + 1, { type: 'session.created' }), eventOf(id, seq + 2)]
    const messages = [textOf(seq + 2, `of ${id}`)]
    await store.events.commit([batchOf(id, { created, events, messages })])
    return id
  }

  async function textsOf(id: string): Promise<unknown[]> {
    const rows = await messagesOf(store, id)
    return rows.map(({ content }) => (JSON.parse(content) as { text: string }).text)
  }

  async function seqsOf(id: string, after = 0, limit = 100): Promise<number[]> {
    const events = [...(await store.events.read(id, after, limit))].map(decodeEvent)
    expect(events.every(({ sessionId }) => sessionId === id)).toBe(true)
    return events.map(({ seq }) => seq)
  }

  test('its log continues the shared events, in pages of any size', async () => {
    const id = await fork('fork', 5)
    expect(await seqsOf(id)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await seqsOf(id, 3, 3)).toEqual([4, 5, 6])
    expect(await seqsOf(id, 5, 1)).toEqual([6])
    expect(await store.events.lastSeq(id)).toBe(7)
    expect(await store.events.lastSeqUntil(id, NOON + 4)).toBe(4)
    expect(await store.sessions.findSummary(id)).toMatchObject({
      forkedFrom: parent,
      forkedSeq: 5,
      forkedTurn: 'one',
      lastSeq: 7,
      turnCount: 1,
      messageCount: 4,
    })
  })

  test('its messages are the shared ones without a prompt that waited, and its own', async () => {
    const id = await fork('fork', 5)
    const shared = ['first prompt', 'first answer', 'edited since']
    expect(await textsOf(id)).toEqual([...shared, 'of fork'])
    const scanned = [...(await store.sessions.scanMessages(id, 100, 'first'))]
    expect(scanned.map(({ seq }) => seq)).toEqual([7, 5, 3, 2])
    expect(await store.sessions.findPrompt(id, 'one')).toBe(2)
    expect(await store.sessions.findPrompt(id, 'two')).toBeUndefined()
    expect(await store.sessions.findPromptBack(id, 100, 1)).toBe(2)
    const back: (number | undefined)[] = []
    for (const count of [1, 2, 4, 5])
      back.push(await store.sessions.findMessageBefore(id, 9, count))
    expect(back).toEqual([7, 5, 2, undefined])
  })

  test('a fork of a fork shares what it can see, also from before the first fork', async () => {
    const id = await fork('fork', 5)
    const later = await fork('later', 7, id)
    expect(await seqsOf(later)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const earlier = await fork('earlier', 3, id)
    expect(await seqsOf(earlier)).toEqual([1, 2, 3, 4, 5])
    expect(await textsOf(earlier)).toEqual(['first prompt', 'first answer', 'of earlier'])
    expect(await store.sessions.findSummary(earlier)).toMatchObject({ messageCount: 3 })
  })

  test('checkpoints and turns of the shared part are found, later ones are not', async () => {
    const state = '{}'
    await store.checkpoints.add(parent, [
      { seq: 3, steps: 1, state },
      { seq: 6, steps: 2, state },
    ])
    const events = [8, 9].map((seq) => {
      const type = seq === 8 ? 'turn.started' : 'turn.ended'
      return eventOf(parent, seq, { type, data: { turnId: 'three' } })
    })
    await store.events.commit([batchOf(parent, { events })])
    const id = await fork('fork', 8)
    await store.checkpoints.add(id, [{ seq: 9, steps: 3, state }])
    const found: (number | undefined)[] = []
    for (const seq of [2, 5, 8, 9]) found.push((await store.checkpoints.find(id, seq))?.seq)
    expect(found).toEqual([undefined, 3, 6, 9])
    expect(await store.checkpoints.firstSeqOf(id, 2)).toBe(6)
    expect(await store.events.findTurn(id, 'three')).toEqual({ turnId: 'three', startedSeq: 8 })
    expect(await store.events.findLastTurn(await fork('before', 7))).toBeUndefined()
  })

  test('a session with forks stays, and one that is being removed cannot be forked', async () => {
    await fork('fork', 5)
    await endSession(store, parent)
    await fork('of an ended one', 5)
    expect(await store.upkeep.mark(parent, {})).toBe(false)
    const { rows } = await store.upkeep.sessions()
    expect(rows.filter(({ hasForks }) => hasForks).map(({ id }) => id)).toEqual([parent])
    await endSession(store, 'fork')
    expect(await store.upkeep.mark('fork', {})).toBe(true)
    await expect(async () => fork('late', 6, 'fork')).rejects.toThrow('is being removed')
    expect(await store.sessions.find('late')).toBeUndefined()
  })
})
