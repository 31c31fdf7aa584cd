import { beforeEach, expect, test } from 'vitest'
import { PrismaSqliteAdapterFactory } from '../src/store/prisma-adapter.js'
import { db, reader, useFreshStore } from './fresh-store.js'
import { insert, insertSamples, SAMPLES } from './store-fixture.js'

useFreshStore()

beforeEach(() => insertSamples(db))

const session = { extensionId: 'demo', repoId: 'r1' }

test('a transaction commits and rolls back', async () => {
  await reader.$transaction(async (tx) => {
    await tx.agentSession.create({ data: { ...session, id: 's2' } })
    expect(await tx.agentSession.count()).toBe(2)
  })
  await expect(
    reader.$transaction(async (tx) => {
      await tx.agentSession.create({ data: { ...session, id: 's3' } })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')

  expect(await reader.agentSession.count()).toBe(2)
  expect(db.isTransaction).toBe(false)
})

test('a batch is all or nothing', async () => {
  const create = (id: string) => reader.agentSession.create({ data: { ...session, id } })

  await expect(reader.$transaction([create('s2'), create('s1')])).rejects.toMatchObject({
    code: 'P2002',
  })
  expect(await reader.agentSession.count()).toBe(1)

  await reader.$transaction([create('s2'), create('s3')])
  expect(await reader.agentSession.count()).toBe(3)
})

test('a read outside waits for an open transaction and never sees half of it', async () => {
  let outside: Promise<number> | undefined
  await reader.$transaction(async (tx) => {
    await tx.agentSession.create({ data: { ...session, id: 's2' } })
    // Prisma sends nothing before somebody waits for it.
    outside = reader.agentSession.count().then((count) => count)
    await tx.agentSession.create({ data: { ...session, id: 's3' } })
  })

  expect(await outside).toBe(3)
})

test('transactions that start together run one after the other', async () => {
  const rename = (name: string) =>
    reader.$transaction(async (tx) => {
      const before = await tx.repo.findUniqueOrThrow({ where: { id: 'r1' } })
      await tx.repo.update({ where: { id: 'r1' }, data: { name: `${before.name} ${name}` } })
    })
  await Promise.all([rename('a'), rename('b'), rename('c')])

  expect((await reader.repo.findFirstOrThrow()).name).toBe('one a b c')
})

test('the writer cannot slip into an open transaction: its BEGIN fails and nothing is mixed', async () => {
  await reader.$transaction(async (tx) => {
    await tx.agentSession.create({ data: { ...session, id: 's2' } })
    expect(() => db.exec('BEGIN IMMEDIATE')).toThrow(/within a transaction/)
    await tx.agentSession.create({ data: { ...session, id: 's3' } })
  })

  expect(await reader.agentSession.count()).toBe(3)
  db.exec('BEGIN IMMEDIATE')
  insert(db, 'AgentEvent', { ...SAMPLES['AgentEvent'], seq: 2 })
  db.exec('COMMIT')
  expect(await reader.agentEvent.count()).toBe(2)
})

test('a transaction that takes too long is rolled back and frees the connection', async () => {
  const slow = reader.$transaction(
    async (tx) => {
      await tx.agentSession.create({ data: { ...session, id: 's2' } })
      // Waits for this very transaction, so only the timeout can end it.
      await reader.agentSession.count()
      await tx.agentSession.count()
    },
    { timeout: 50 },
  )

  await expect(slow).rejects.toMatchObject({ code: 'P2028' })
  expect(await reader.agentSession.count()).toBe(1)
  expect(db.isTransaction).toBe(false)
})

test('an isolation level that SQLite does not have is refused', async () => {
  const adapter = await new PrismaSqliteAdapterFactory(db).connect()

  await expect(adapter.startTransaction('READ COMMITTED')).rejects.toMatchObject({
    cause: { kind: 'InvalidIsolationLevel' },
  })
})

test('a commit that fails ends in a rollback and frees the connection', async () => {
  const adapter = await new PrismaSqliteAdapterFactory(db).connect()
  const transaction = await adapter.startTransaction()
  db.exec('PRAGMA defer_foreign_keys = ON; DELETE FROM AgentSession; DELETE FROM Repo')
  insert(db, 'AgentSession', { ...SAMPLES['AgentSession'] })

  await expect(transaction.commit()).rejects.toMatchObject({
    cause: { kind: 'ForeignKeyConstraintViolation' },
  })

  expect(db.isTransaction).toBe(false)
  expect(await adapter.executeRaw({ sql: 'DELETE FROM Media', args: [], argTypes: [] })).toBe(1)
})
