// The storage routes: disk use, the plan of a cleaning, and the cleaning.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storage } from '../src/api/storage.js'
import { Retention } from '../src/sessions/upkeep/retention.js'
import { openDatabase } from '../src/store/sqlite/database.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { makeData } from './backup-data.js'
import { serveCommands } from './command-server.js'
import { TempFolder } from './store-fixture.js'

test('disk use is reported by kind, a plan changes nothing, cleaning frees what was planned', async () => {
  using folder = new TempFolder()
  const dataDir = makeData(folder.file('data'), { name: 'shop' })
  mkdirSync(join(dataDir, 'wire'))
  writeFileSync(join(dataDir, 'wire', 'demo-1.jsonl'), '12345')
  const db = openDatabase(join(dataDir, 'quayside.db'), { durability: 'normal' })
  db.exec('UPDATE AgentSession SET endedAt = 1')
  const mediaFolder = join(dataDir, 'media')
  const snapshotsFolder = join(dataDir, 'snapshots')
  mkdirSync(join(snapshotsFolder, 'shop'), { recursive: true })
  writeFileSync(join(snapshotsFolder, 'shop', 'blob'), '1234567')
  const retention = new Retention({
    store: sqliteStore(db),
    mediaFolder,
    snapshotsFolder,
    isInUse: () => false,
  })
  await using server = await serveCommands({ api: storage({ dataDir, retention }) })
  const address = `${server.address}/api/storage`
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  const use = (await (await fetch(address)).json()) as Record<string, unknown>
  expect(use).toMatchObject({
    media: { files: 2, bytes: 12 },
    wire: { files: 1, bytes: 5 },
    backups: { files: 0 },
  })
  expect(use['freeBytes']).toBeGreaterThan(0)

  expect(await post('/plan', {})).toMatchObject({ status: 400 })
  expect(await post('/clean', { olderThan: 3 })).toMatchObject({ status: 400 })
  expect(await post('/plan', { olderThanDays: -1 })).toMatchObject({ status: 400 })

  const plan = await post('/plan', { olderThanDays: 30 })
  expect(plan.body).toMatchObject({
    sessions: [{ id: 'shop', endedAt: '1970-01-01T00:00:00.001Z' }],
    events: 10,
    media: { files: 2, bytes: 12 },
    workTrees: { files: 1, bytes: 7 },
  })
  expect((await post('/plan', { olderThanDays: 30 })).body).toEqual(plan.body)

  const cleaned = await post('/clean', { olderThanDays: 30 })
  expect(cleaned).toMatchObject({
    status: 200,
    body: {
      removed: ['shop'],
      kept: [],
      events: 10,
      media: { files: 2, bytes: 12 },
      workTrees: { files: 1, bytes: 7 },
    },
  })
  const after = (await (await fetch(address)).json()) as Record<string, unknown>
  expect(after).toMatchObject({ media: { files: 0, bytes: 0 } })
  db.close()
})
