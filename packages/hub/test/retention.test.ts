// Retention on a real database and real files: exactly the planned sessions are removed.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { EventBody } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { Retention } from '../src/sessions/upkeep/retention.js'
import { findCorruption } from '../src/store/sqlite/database.js'
import { MediaStore } from '../src/store/media.js'
import { SearchIndex } from '../src/store/sqlite/search/search-index.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { countRows, TestDatabase } from './store-fixture.js'

const DAY_MS = 86_400_000
const NOW = Date.now()

/** Sessions with a log, messages and media, written by the hub's own code. */
class Ground implements Disposable {
  readonly #database = new TestDatabase()
  readonly db = this.#database.db
  readonly mediaFolder = this.#database.folder.file('media')
  readonly snapshotsFolder = this.#database.folder.file('snapshots')
  readonly store = sqliteStore(this.db)
  readonly media = new MediaStore(this.store.media, this.mediaFolder)
  readonly inUse = new Set<string>()
  readonly eventLog = openEventLog(this.db).eventLog
  readonly retention = this.newRetention()

  newRetention(): Retention {
    const { store, mediaFolder, snapshotsFolder } = this
    const isInUse = (id: string): boolean => this.inUse.has(id)
    return new Retention({ store, mediaFolder, snapshotsFolder, isInUse })
  }

  async active(turns = 1): Promise<string> {
    const id = await newSession(this.db, this.eventLog)
    for (let turn = 1; turn <= turns; turn += 1)
      for (const body of turnEvents(`turn-${turn}`)) await this.eventLog.append(id, body)
    return id
  }

  async ended(daysAgo: number, turns = 1): Promise<string> {
    const id = await this.active(turns)
    const data = { status: 'completed', reason: 'user_request' } as const
    await this.eventLog.append(id, { type: 'session.ended', data })
    const at = NOW - daysAgo * DAY_MS
    this.db.prepare('UPDATE AgentSession SET endedAt = ? WHERE id = ?').run(at, id)
    return id
  }

  addMedia(sessionId: string, text: string): void {
    this.media.put({ sessionId, mimeType: 'text/plain', bytes: Buffer.from(text) })
  }

  keepWorkTree(sessionId: string, text: string): void {
    const folder = join(this.snapshotsFolder, sessionId, 'objects', '0a')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'blob'), text)
  }

  workTrees(): string[] {
    return readdirSync(this.snapshotsFolder)
  }

  files(): number {
    return readdirSync(this.mediaFolder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.length > 60,
    ).length
  }

  sessionIds(): string[] {
    const rows = this.db.prepare('SELECT id FROM AgentSession').all() as { id: string }[]
    return rows.map(({ id }) => id)
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]()
  }
}

function turnEvents(turnId: string): EventBody[] {
  const prompt = [{ type: 'text' as const, text: `question of ${turnId}` }]
  const update = {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `answer of ${turnId}` },
  }
  return [
    { type: 'turn.queued', data: { turnId, prompt, by: 'test' } },
    { type: 'turn.started', data: { turnId } },
    { type: 'acp.update', data: { turnId, update } },
    { type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } },
  ] as EventBody[]
}

test('the plan by age is exactly what is freed, and the rest is untouched', async () => {
  using ground = new Ground()
  const old = [await ground.ended(40), await ground.ended(31, 3)]
  const young = await ground.ended(29)
  const active = await ground.active()
  ground.addMedia(old[0]!, 'only of the old one')
  ground.addMedia(old[0]!, 'of two old ones')
  ground.addMedia(old[1]!, 'of two old ones')
  ground.addMedia(old[1]!, 'also of the young one')
  ground.addMedia(young, 'also of the young one')
  ground.keepWorkTree(old[1]!, 'of an old one')
  ground.keepWorkTree(young, 'of the young one')
  const before = { events: countRows(ground.db, 'AgentEvent') }

  const plan = await ground.retention.plan({ olderThanDays: 30 }, NOW)
  expect(countRows(ground.db, 'AgentEvent'), 'a plan changes nothing').toBe(before.events)
  expect(plan.sessions.map(({ id }) => id)).toEqual(old)
  expect(plan.media).toEqual({
    files: 2,
    bytes: 'only of the old one'.length + 'of two old ones'.length,
  })
  expect(plan.workTrees).toEqual({ files: 1, bytes: 'of an old one'.length })
  const cleaned = await ground.retention.apply(plan)

  const { sessions, ...freed } = plan
  expect(cleaned).toMatchObject({ ...freed, removed: sessions.map(({ id }) => id), kept: [] })
  expect(countRows(ground.db, 'AgentEvent')).toBe(before.events - plan.events)
  expect(plan.events).toBe(6 + 14)
  expect(ground.sessionIds().toSorted()).toEqual([young, active].toSorted())
  expect(ground.files()).toBe(1)
  expect(ground.workTrees()).toEqual([young])
  expect(findCorruption(ground.db)).toEqual([])
  expect(ground.db.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  expect((await ground.retention.plan({ olderThanDays: 30 }, NOW)).sessions).toEqual([])
})

test('by size the oldest go, and no more of them than needed', async () => {
  using ground = new Ground()
  const [oldest, middle] = [await ground.ended(9), await ground.ended(8)]
  const [newest, active] = [await ground.ended(7), await ground.active()]
  ground.addMedia(oldest, 'x'.repeat(10_000))
  ground.addMedia(middle, 'y'.repeat(10_000))
  ground.keepWorkTree(newest, 'z'.repeat(10_000))
  ground.addMedia(active, 'w'.repeat(10_000))

  const plan = await ground.retention.plan({ maxBytes: 25_000 }, NOW)
  expect(plan.sessions.map(({ id }) => id)).toEqual([oldest, middle])
  await ground.retention.apply(plan)

  expect((await ground.retention.plan({ maxBytes: 25_000 }, NOW)).sessions).toEqual([])
  // An active session is never removed, whatever the limit.
  const all = await ground.retention.plan({ maxBytes: 0, olderThanDays: 0 }, NOW)
  expect(all.sessions.map(({ id }) => id)).toEqual([newest])
})

test('pinned sessions stay, unless they are purged by name', async () => {
  using ground = new Ground()
  const id = await ground.ended(40)
  ground.db.prepare('UPDATE AgentSession SET pinned = 1').run()
  ground.keepWorkTree(id, 'kept')

  expect((await ground.retention.plan({ olderThanDays: 1 }, NOW)).sessions).toEqual([])

  expect(await ground.retention.purgeSession(id)).toMatchObject({ id, events: 6 })
  expect(ground.sessionIds()).toEqual([])
  expect(ground.workTrees()).toEqual([])
  expect(await ground.retention.purgeSession(id)).toBeUndefined()
})

test('a session that became active, is about to, was pinned or went on after the plan is kept', async () => {
  using ground = new Ground()
  const ids: string[] = []
  for (let days = 40; days < 44; days += 1) ids.push(await ground.ended(days))
  const [resumed, starting, pinned, changed] = ids as [string, string, string, string]
  const gone = await ground.ended(50)
  const plan = await ground.retention.plan({ olderThanDays: 30 }, NOW)
  expect(plan.sessions).toHaveLength(5)

  await ground.eventLog.append(resumed, { type: 'session.resumed', data: { by: 'test' } })
  ground.inUse.add(starting)
  ground.db.prepare('UPDATE AgentSession SET pinned = 1 WHERE id = ?').run(pinned)
  await ground.eventLog.append(changed, {
    type: 'session.updated',
    data: { title: 'still needed', by: 'test' },
  })
  const cleaned = await ground.retention.apply(plan)

  expect(cleaned.removed).toEqual([gone])
  expect(cleaned.kept.toSorted()).toEqual(ids.toSorted())
  expect(await ground.retention.purgeSession(resumed)).toBeUndefined()
  for (const id of [resumed, starting, pinned]) expect(ground.retention.isRemoved(id)).toBe(false)
  expect((await ground.eventLog.read(resumed, 0))[0]?.seq).toBe(1)
})

test('a session that becomes active in the middle of its removal loses no more rows', async () => {
  using ground = new Ground()
  const id = await ground.ended(40, 200)
  const removal = ground.retention.purgeSession(id)
  // The hub never does this: resuming checks isRemoved first.
  while (countRows(ground.db, 'AgentEvent') === 802) await setImmediate()
  expect(ground.retention.isRemoved(id)).toBe(true)
  await ground.eventLog.append(id, { type: 'session.resumed', data: { by: 'test' } })
  const left = countRows(ground.db, 'AgentEvent')

  await expect(removal).rejects.toMatchObject({ code: 'storage_failed' })

  expect(countRows(ground.db, 'AgentEvent')).toBe(left)
  expect(ground.sessionIds()).toEqual([id])
})

test('a removal that a crash interrupted is finished at the next start', async () => {
  using ground = new Ground()
  const id = await ground.ended(40, 200)
  ground.addMedia(id, 'only here')
  ground.keepWorkTree(id, 'kept')
  const mark = `UPDATE AgentSession SET metadata = '{"removing":true}' WHERE id = ?`
  ground.db.prepare(mark).run(id)
  ground.db.exec('DELETE FROM AgentEvent WHERE seq < 300')
  const restarted = ground.newRetention()

  const finished = restarted.finishRemovals()
  expect(restarted.isRemoved(id), 'known before anything else runs').toBe(true)

  expect(await finished).toMatchObject([{ id, media: { files: 1 }, workTree: { files: 1 } }])
  expect(ground.workTrees()).toEqual([])
  expect(ground.sessionIds()).toEqual([])
  expect(ground.files()).toBe(0)
})

test('files without a row are planned and removed; folders and half written files are not', async () => {
  using ground = new Ground()
  const id = await ground.ended(1)
  ground.addMedia(id, 'orphan')
  ground.addMedia(id, 'kept')
  ground.db.exec(`DELETE FROM Media WHERE byteLength = 6`)

  const plan = await ground.retention.plan({ olderThanDays: 30 }, NOW)
  expect(plan.unusedMedia).toEqual({ files: 1, bytes: 6 })
  expect((await ground.retention.apply(plan)).unusedMedia).toEqual(plan.unusedMedia)

  expect(ground.files()).toBe(1)
  expect(existsSync(join(ground.mediaFolder, 'incoming'))).toBe(true)
})

test('a large session goes in steps that leave the loop to others', async () => {
  using ground = new Ground()
  const id = await ground.ended(40)
  const text = 'x'.repeat(2_000)
  ground.db.exec('BEGIN')
  const insert = ground.db.prepare(
    `INSERT INTO AgentEvent (sessionId, seq, at, type, data) VALUES (?, ?, 1, 'acp.update', ?)`,
  )
  for (let seq = 100; seq < 20_100; seq += 1) insert.run(id, seq, `{"text":"${text}"}`)
  ground.db.exec('COMMIT')
  let ticks = 0
  const watch = setInterval(() => {
    ticks += 1
  }, 1)

  const plan = await ground.retention.plan({ olderThanDays: 30 }, NOW)
  const cleaned = await ground.retention.apply(plan)
  clearInterval(watch)

  expect(cleaned).toMatchObject({ events: 20_006, databaseBytes: plan.databaseBytes })
  expect(cleaned.reusableBytes).toBeGreaterThan(40_000_000)
  // A single DELETE of everything would block every timer.
  expect(ticks).toBeGreaterThan(5)
})

test('a removed session is no longer found by a search', async () => {
  using ground = new Ground()
  const id = await ground.ended(40)
  const kept = await ground.ended(1)
  await new SearchIndex(ground.db).catchUp()
  const search = ground.db.prepare(
    `SELECT count(*) AS found FROM SessionSearch WHERE SessionSearch MATCH 'question OR answer'`,
  )
  const before = (search.get() as { found: number }).found
  await ground.retention.purgeSession(id)
  expect((search.get() as { found: number }).found).toBe(before / 2)
  expect(ground.sessionIds()).toEqual([kept])
})
