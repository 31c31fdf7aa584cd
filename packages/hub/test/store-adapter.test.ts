import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { PrismaSqliteAdapterFactory } from '../src/store/prisma-adapter.js'
import { db, reader, store, useFreshStore } from './fresh-store.js'
import { countRows, HUB_FOLDER, insertSamples, NOON } from './store-fixture.js'

useFreshStore()

beforeEach(() => insertSamples(db))

const session = { extensionId: 'demo', repoId: 'r1' }
const event = { type: 'notice', data: '{}', at: new Date(NOON) }

describe('writes', () => {
  test('create with nested rows', async () => {
    const repo = await reader.repo.create({
      data: {
        id: 'r2',
        path: '/code/two',
        name: 'two',
        missing: true,
        sessions: {
          create: { id: 's2', extensionId: 'demo', events: { create: { ...event, seq: 1 } } },
        },
      },
      include: { sessions: { include: { events: true } } },
    })

    expect(repo).toMatchObject({
      missing: true,
      sessions: [{ status: 'active', events: [{ seq: 1 }] }],
    })
    expect(
      db.prepare(`SELECT missing, typeof(missing) AS type FROM Repo WHERE id = 'r2'`).get(),
    ).toEqual({
      missing: 1,
      type: 'integer',
    })
    expect(db.isTransaction).toBe(false)
  })

  test('createMany, updateMany and deleteMany count', async () => {
    const data = Array.from({ length: 300 }, (_, index) => ({
      ...event,
      sessionId: 's1',
      seq: index + 2,
    }))

    expect(await reader.agentEvent.createMany({ data })).toEqual({ count: 300 })
    expect(
      await reader.agentEvent.updateMany({ where: { seq: { gt: 100 } }, data: { type: 'x' } }),
    ).toEqual({ count: 201 })
    expect(await reader.agentEvent.deleteMany({ where: { type: 'x' } })).toEqual({ count: 201 })
    expect(await reader.agentEvent.count()).toBe(100)
  })

  test('upsert inserts, then updates', async () => {
    const upsert = (name: string) =>
      reader.repo.upsert({
        where: { path: '/code/two' },
        create: { id: 'r2', path: '/code/two', name },
        update: { name },
      })

    expect((await upsert('first')).name).toBe('first')
    expect(await upsert('second')).toMatchObject({ id: 'r2', name: 'second' })
    expect(countRows(db, 'Repo')).toBe(2)
  })

  test('updatedAt follows an update', async () => {
    const updated = await reader.agentSession.update({
      where: { id: 's1' },
      data: { title: 'new' },
    })

    expect(updated.updatedAt.getTime()).not.toBe(NOON)
    expect(updated.createdAt.getTime()).toBe(NOON)
  })

  test('bytes go in and out', async () => {
    const bytes = Uint8Array.from([0, 1, 254, 255])
    await reader.$executeRaw`CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB)`
    await reader.$executeRaw`INSERT INTO blobs (bytes) VALUES (${bytes})`

    expect(await reader.$queryRaw`SELECT bytes, length(bytes) AS size FROM blobs`).toEqual([
      { bytes, size: 4 },
    ])
  })
})

describe('errors have the codes of Prisma', () => {
  test('P2002 names the fields that are not unique', async () => {
    await expect(
      reader.agentEvent.create({ data: { ...event, sessionId: 's1', seq: 1 } }),
    ).rejects.toMatchObject({
      code: 'P2002',
      meta: expect.objectContaining({ modelName: 'AgentEvent' }),
    })
    await expect(
      reader.repo.create({ data: { id: 'r2', path: '/code/one', name: 'one' } }),
    ).rejects.toThrow(/Unique constraint failed on the fields: \(`path`\)/)
  })

  test('P2003 for a parent that does not exist or still has children', async () => {
    await expect(
      reader.agentSession.create({ data: { ...session, id: 's2', repoId: 'r9' } }),
    ).rejects.toMatchObject({ code: 'P2003' })
    await expect(reader.repo.delete({ where: { id: 'r1' } })).rejects.toMatchObject({
      code: 'P2003',
    })
  })

  test('P2025 for a row that does not exist', async () => {
    await expect(
      reader.repo.update({ where: { id: 'r9' }, data: { name: 'x' } }),
    ).rejects.toMatchObject({ code: 'P2025' })
    await expect(reader.repo.findUniqueOrThrow({ where: { id: 'r9' } })).rejects.toMatchObject({
      code: 'P2025',
    })
  })

  test('P2011 for a missing value, P2021 for a missing table', async () => {
    db.exec(
      `CREATE TRIGGER forget AFTER UPDATE ON Repo BEGIN UPDATE AgentSession SET extensionId = NULL; END`,
    )
    await expect(
      reader.repo.update({ where: { id: 'r1' }, data: { name: 'x' } }),
    ).rejects.toMatchObject({ code: 'P2011' })

    db.exec('DROP TABLE Credential')
    await expect(reader.credential.count()).rejects.toMatchObject({ code: 'P2021' })
  })

  test('a CHECK says which', async () => {
    await expect(
      reader.agentSession.update({ where: { id: 's1' }, data: { status: 'idle' } }),
    ).rejects.toThrow(/AgentSession_status_known/)
  })

  test('P1008 when another process holds the database', async () => {
    db.exec('PRAGMA busy_timeout = 0')
    const other = new DatabaseSync(store.folder.file('hub.sqlite'))
    other.exec('BEGIN IMMEDIATE')

    await expect(
      reader.repo.update({ where: { id: 'r1' }, data: { name: 'x' } }),
    ).rejects.toMatchObject({ code: 'P1008' })

    other.exec('ROLLBACK')
    other.close()
    expect((await reader.repo.update({ where: { id: 'r1' }, data: { name: 'x' } })).name).toBe('x')
  })

  test('a closed connection is an error, not a hang', async () => {
    db.close()

    await expect(reader.repo.count()).rejects.toThrow()
  })
})

test('more statements than the cache holds work', async () => {
  for (let length = 1; length <= 450; length += 1) {
    const ids = Array.from({ length }, (_, index) => `s${index}`)
    expect(await reader.agentSession.count({ where: { id: { in: ids } } })).toBe(length > 1 ? 1 : 0)
  }
})

test('a script runs all its statements', async () => {
  const adapter = await new PrismaSqliteAdapterFactory(db).connect()

  await adapter.executeScript('CREATE TABLE a (id TEXT); INSERT INTO a VALUES (1), (2);')

  expect(countRows(db, 'a')).toBe(2)
})

test('loading the reader module does not load Prisma', () => {
  const source = readFileSync(join(HUB_FOLDER, 'src/store/reader.ts'), 'utf8')
  const imports = source.split('\n').filter((line) => line.startsWith('import '))

  expect(imports.length).toBeGreaterThan(0)
  for (const line of imports) expect(line).toMatch(/^import type /)
})
