import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../src/store/database.js'
import { db, reader, useFreshStore } from './fresh-store.js'
import { insert, insertSamples, NOON, SAMPLES } from './store-fixture.js'

useFreshStore()

const MINUTE = 60_000

beforeEach(() => {
  insertSamples(db)
  for (const minute of [1, 2, 10, 3]) {
    insert(db, 'AgentSession', {
      ...SAMPLES['AgentSession'],
      id: `later${minute}`,
      createdAt: NOON + minute * MINUTE,
    })
  }
})

test.each([
  ['equality', { equals: new Date(NOON + MINUTE) }, ['later1']],
  [
    'equality with an ISO string of another zone',
    { equals: '2026-11-15T13:01:00+01:00' },
    ['later1'],
  ],
  ['gte', { gte: new Date(NOON + 2 * MINUTE) }, ['later2', 'later3', 'later10']],
  ['gt', { gt: new Date(NOON + 2 * MINUTE) }, ['later3', 'later10']],
  ['lt', { lt: new Date(NOON + 2 * MINUTE) }, ['s1', 'later1']],
  ['lte', { lte: new Date(NOON + 2 * MINUTE) }, ['s1', 'later1', 'later2']],
  ['one millisecond before', { gte: new Date(NOON + 10 * MINUTE - 1) }, ['later10']],
  ['in', { in: [new Date(NOON), new Date(NOON + 3 * MINUTE)] }, ['s1', 'later3']],
  ['not', { not: new Date(NOON), lt: new Date(NOON + 2 * MINUTE) }, ['later1']],
])('%s selects and sorts by time', async (_name, createdAt, expected) => {
  const sessions = await reader.agentSession.findMany({
    where: { createdAt },
    orderBy: { createdAt: 'asc' },
    select: { id: true },
  })

  expect(sessions.map(({ id }) => id)).toEqual(expected)
})

test('newest first', async () => {
  const sessions = await reader.agentSession.findMany({ orderBy: { createdAt: 'desc' } })

  expect(sessions.map(({ id }) => id)).toEqual(['later10', 'later3', 'later2', 'later1', 's1'])
})

test('null is found and not found', async () => {
  insert(db, 'AgentSession', { ...SAMPLES['AgentSession'], id: 'ended', endedAt: NOON })

  expect(await reader.agentSession.count({ where: { endedAt: null } })).toBe(5)
  expect(await reader.agentSession.findMany({ where: { endedAt: { not: null } } })).toMatchObject([
    { id: 'ended', endedAt: new Date(NOON) },
  ])
})

test('aggregates are dates', async () => {
  const times = await reader.agentSession.aggregate({
    _min: { createdAt: true },
    _max: { createdAt: true },
  })

  expect(times).toEqual({
    _min: { createdAt: new Date(NOON) },
    _max: { createdAt: new Date(NOON + 10 * MINUTE) },
  })
})

test('what Prisma writes are integers of milliseconds, in every column of every table', async () => {
  const now = new Date(NOON + 1)
  await reader.repo.create({ data: { id: 'r2', path: '/code/two', name: 'two' } })
  await reader.agentSession.create({
    data: { id: 's2', repoId: 'r2', extensionId: 'demo', endedAt: now },
  })
  await reader.agentSession.update({ where: { id: 's1' }, data: { endedAt: now.toISOString() } })
  await reader.credential.create({
    data: { id: 'c2', kind: 'cookie', name: 'b', hash: 'h2', scope: 'all', lastUsedAt: now },
  })
  await reader.agentEvent.create({
    data: { sessionId: 's2', seq: 1, at: now, type: 'notice', data: '{}' },
  })

  expect(textDatesIn(db)).toEqual([])
  expect(db.prepare(`SELECT endedAt FROM AgentSession WHERE id = 's1'`).get()).toEqual({
    endedAt: NOON + 1,
  })
})

test('raw queries take and give dates', async () => {
  const rows = await reader.$queryRaw`
    SELECT id, createdAt, lastSeq, missing_ AS missing, count(*) AS total
    FROM (SELECT *, false AS missing_ FROM AgentSession) WHERE createdAt > ${new Date(NOON + 3 * MINUTE)}`

  expect(rows).toEqual([
    { id: 'later10', createdAt: new Date(NOON + 10 * MINUTE), lastSeq: 0, missing: 0, total: 1 },
  ])
})

/** Every DATETIME value of the database that is not an integer. */
function textDatesIn(database: Database): unknown[] {
  const columns: { name: string; column: string }[] = database
    .prepare(
      `SELECT t.name, c.name AS column FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = 'DATETIME'`,
    )
    .all()
  expect(columns.length).toBeGreaterThan(12)
  return columns.flatMap(({ name, column }) => {
    const rows: unknown[] = database
      .prepare(
        `SELECT "${column}" FROM "${name}" WHERE typeof("${column}") NOT IN ('integer', 'null')`,
      )
      .all()
    return rows
  })
}
