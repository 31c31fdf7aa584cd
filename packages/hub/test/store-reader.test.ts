import { beforeEach, describe, expect, test, vi } from 'vitest'
import { db, reader, useFreshStore } from './fresh-store.js'
import { countRows, insert, insertSamples, NOON, SAMPLES } from './store-fixture.js'

useFreshStore()

describe('reading what plain SQL has written', () => {
  test('every column comes back as its type', async () => {
    insertSamples(db)

    expect(await reader.repo.findMany()).toEqual([
      {
        id: 'r1',
        path: '/code/one',
        name: 'one',
        createdAt: new Date(NOON),
        lastSeenAt: new Date(NOON),
        missing: false,
        trustedHash: null,
      },
    ])
    expect(await reader.agentEvent.findFirst()).toEqual({
      id: 1n,
      sessionId: 's1',
      seq: 1,
      at: new Date(NOON),
      type: 'session.created',
      data: '{}',
    })
    expect(await reader.agentMessage.findFirst()).toMatchObject({ partial: false, turnId: 't1' })
    expect(await reader.agentSession.findFirst()).toMatchObject({ title: null, endedAt: null })
  })

  test('a nested include brings repo, messages, events and their count', async () => {
    insertSamples(db)
    insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], seq: 2, at: NOON + 5 })

    const session = await reader.agentSession.findUniqueOrThrow({
      where: { id: 's1' },
      include: {
        repo: { include: { sessions: { select: { id: true, createdAt: true } } } },
        messages: { orderBy: { seq: 'asc' } },
        events: { orderBy: { seq: 'desc' } },
        _count: { select: { events: true, media: true } },
      },
    })

    expect(session.repo.sessions).toEqual([{ id: 's1', createdAt: new Date(NOON) }])
    expect(session.messages.map(({ id, timestamp }) => [id, timestamp])).toEqual([
      ['m1', new Date(NOON)],
    ])
    expect(session.events.map(({ seq, at }) => [seq, at.getTime()])).toEqual([
      [2, NOON + 5],
      [1, NOON],
    ])
    expect(session).toMatchObject({ _count: { events: 2, media: 1 } })
  })

  test('reading never opens a transaction, so it cannot meet the writer', async () => {
    insertSamples(db)
    const exec = vi.spyOn(db, 'exec')

    await reader.agentSession.findMany({ include: { repo: true, messages: true, events: true } })
    await reader.agentSession.count({ where: { status: { in: ['active', 'error'] } } })
    await reader.agentEvent.groupBy({ by: ['type'], _count: true })

    expect(exec).not.toHaveBeenCalled()
  })

  test('a transaction of the writer is read whole or not at all', async () => {
    insertSamples(db)

    const counts = Promise.all(Array.from({ length: 20 }, () => reader.agentEvent.count()))
    await Promise.resolve()
    db.exec('BEGIN IMMEDIATE')
    insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], seq: 2 })
    insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], seq: 3 })
    db.exec('COMMIT')

    expect((await counts).every((count) => count === 1 || count === 3)).toBe(true)
    expect(await reader.agentEvent.count()).toBe(3)
  })

  test('ids beyond 2^53 stay exact', async () => {
    insertSamples(db)
    const id = 2n ** 53n + 1n
    insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], id, seq: 2 })
    insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], id: 2n ** 40n, seq: 3 })

    const ids = await reader.agentEvent.findMany({ select: { id: true }, orderBy: { id: 'desc' } })
    expect(ids.map((event) => event.id)).toEqual([id, 2n ** 40n, 1n])
    expect(await reader.agentEvent.findUnique({ where: { id } })).toMatchObject({ id, seq: 2 })
  })
})

describe('lists', () => {
  beforeEach(() => {
    insertSamples(db)
    for (let seq = 2; seq <= 25; seq += 1) {
      const type = seq % 5 === 0 ? 'notice' : 'acp.update'
      insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], seq, at: NOON + seq, type })
    }
  })

  test('pages by cursor meet every row once', async () => {
    const seen: number[] = []
    for (let cursor = 0n; ;) {
      const page = await reader.agentEvent.findMany({
        take: 10,
        orderBy: [{ at: 'asc' }, { id: 'asc' }],
        ...(cursor > 0n && { cursor: { id: cursor }, skip: 1 }),
      })
      seen.push(...page.map(({ seq }) => seq))
      const last = page.at(-1)
      if (last === undefined) break
      cursor = last.id
    }

    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
  })

  test('a cursor can be the unique pair', async () => {
    const page = await reader.agentEvent.findMany({
      cursor: { sessionId_seq: { sessionId: 's1', seq: 20 } },
      skip: 1,
      take: 2,
      orderBy: { seq: 'asc' },
    })

    expect(page.map(({ seq }) => seq)).toEqual([21, 22])
  })

  test('limit, offset and total', async () => {
    const where = { sessionId: 's1', type: { not: 'notice' } }
    const page = await reader.agentEvent.findMany({
      where,
      skip: 3,
      take: 2,
      orderBy: { seq: 'asc' },
    })

    expect(page.map(({ seq }) => seq)).toEqual([4, 6])
    expect(await reader.agentEvent.count({ where })).toBe(20)
  })

  test('groupBy counts and takes the extremes', async () => {
    const groups = await reader.agentEvent.groupBy({
      by: ['type'],
      _count: true,
      _max: { seq: true, at: true, id: true },
      orderBy: { type: 'asc' },
    })

    expect(groups).toEqual([
      { type: 'acp.update', _count: 19, _max: { seq: 24, at: new Date(NOON + 24), id: 24n } },
      { type: 'notice', _count: 5, _max: { seq: 25, at: new Date(NOON + 25), id: 25n } },
      { type: 'session.created', _count: 1, _max: { seq: 1, at: new Date(NOON), id: 1n } },
    ])
  })

  test('a long list of values is one query', async () => {
    const seqs = Array.from({ length: 5_000 }, (_, index) => index + 20)

    expect(await reader.agentEvent.count({ where: { seq: { in: seqs } } })).toBe(6)
  })

  test('text is searched without regard to case', async () => {
    db.exec(`UPDATE AgentSession SET title = 'Fix the Harbour light 🚢'`)

    expect(await reader.agentSession.count({ where: { title: { contains: 'harbour' } } })).toBe(1)
    expect(await reader.agentSession.count({ where: { title: { contains: '🚢' } } })).toBe(1)
    expect(await reader.agentSession.count({ where: { title: { contains: '%' } } })).toBe(1)
  })
})

test('the connection stays open when the reader disconnects', async () => {
  await reader.$disconnect()

  expect(db.isOpen).toBe(true)
  expect(countRows(db, 'Repo')).toBe(0)
  expect(await reader.repo.count()).toBe(0)
})
