// Long sessions against a real database: opening, loading and recovering one reads a bounded part of its log.
import { type EventBody, foldEvents, inReadingOrder, type Item } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
import { EventLog } from '../src/sessions/log/event-log.js'
import { Projection } from '../src/sessions/log/projection.js'
import { SessionLister } from '../src/sessions/reading/session-list.js'
import { Timelines } from '../src/sessions/reading/timeline.js'
import { Recovery } from '../src/sessions/upkeep/recovery.js'
import type { EncodedEvent } from '../src/store/event-store.js'
import { EventRows } from '../src/store/sqlite/event-rows.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { newSession } from './new-session.js'
import { TestDatabase } from './store-fixture.js'

/** Events that one step may read: a part of the log with the way to it from a checkpoint. */
const FEW_EVENTS = 3_500
const MAX_PAGE_BYTES = 300 * 1024

let database: TestDatabase
let hub: ReturnType<typeof openHub>
let id: string
beforeEach(async () => {
  database = new TestDatabase()
  hub = openHub()
  id = await newSession(database.db, hub.eventLog)
})
afterEach(() => database[Symbol.dispose]())

/** Counts the events that are read, and may be full. */
class CountedRows extends EventRows {
  events = 0
  isFull = false

  override commit(...batch: Parameters<EventRows['commit']>): void {
    if (this.isFull) throw new Error('database or disk is full')
    super.commit(...batch)
  }

  override read(...range: Parameters<EventRows['read']>): EncodedEvent[] {
    const rows = [...super.read(...range)]
    this.events += rows.length
    return rows
  }
}

/** As after a start: with nothing in memory. */
function openHub() {
  const log = createLog('silent')
  const reads = new CountedRows(database.db)
  const store = { ...sqliteStore(database.db), events: reads }
  const projection = new Projection(store)
  const eventLog = new EventLog({ store: reads, projection, log })
  const recovery = new Recovery({ store: store.sessions, eventLog, projection, log })
  return { store, projection, eventLog, recovery, timelines: new Timelines(store), reads }
}

async function append(bodies: readonly EventBody[]): Promise<void> {
  await Promise.all(bodies.map((body) => hub.eventLog.append(id, body)))
}

function update(fields: { readonly sessionUpdate: string }, turnId = 't1'): EventBody {
  return { type: 'acp.update', data: { turnId, update: fields } }
}

function calls(count: number, turnId = 't1'): EventBody[] {
  return Array.from({ length: count }, (_, call) => [
    update(toolCall('tool_call', `c${call}`, 'pending'), turnId),
    update(toolCall('tool_call_update', `c${call}`, 'completed'), turnId),
  ]).flat()
}

function toolCall(sessionUpdate: string, toolCallId: string, status: string) {
  return { sessionUpdate, toolCallId, title: `Read ${toolCallId}`, status }
}

function says(text: string, messageId = 'm1'): EventBody {
  const content = { type: 'text', text }
  return update({ sessionUpdate: 'agent_message_chunk', content, messageId } as never)
}

function queued(turnId: string): EventBody {
  return { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: turnId }] } }
}

const started = (turnId: string): EventBody => ({ type: 'turn.started', data: { turnId } })
const ended = (turnId: string): EventBody => ({ type: 'turn.ended', data: { turnId } })

async function wholeItems(): Promise<readonly Item[]> {
  const events = [...hub.store.events.read(id, 0, 1e6)].map(decodeEvent)
  return inReadingOrder(foldEvents(events).items)
}

/** Reads all parts, each within its limits, and merges them as a client does. */
async function readParts(limit = 200): Promise<{ items: readonly Item[]; parts: number }> {
  const items = new Map<string, Item>()
  let parts = 0
  for (let before: number | undefined; parts === 0 || before !== undefined; parts += 1) {
    hub.reads.events = 0
    const page = await hub.timelines.read(id, limit, before)
    expect(hub.reads.events).toBeLessThan(FEW_EVENTS)
    expect(JSON.stringify(page).length).toBeLessThan(MAX_PAGE_BYTES)
    expect(page.items.length).toBeLessThan(limit + 10)
    expect(page.before ?? 0).toBeLessThan(before ?? Infinity)
    for (const item of page.items) if (!items.has(item.id)) items.set(item.id, item)
    before = page.before
  }
  return { items: inReadingOrder([...items.values()]), parts }
}

test('a single turn of thousands of events is opened at its end, and its parts are the whole', async () => {
  await append([queued('t1'), started('t1'), ...calls(2_000)])
  const { items } = await readParts()
  expect(items).toEqual(await wholeItems())
})

test('turns whose queue was never empty are opened at their end', async () => {
  const turns = Array.from({ length: 8 }, (_, turn) => turn + 1)
  await append([
    queued('t1'),
    ...turns.flatMap((turn) => [
      started(`t${turn}`),
      ...calls(150, `t${turn}`),
      queued(`t${turn + 1}`),
      ...calls(150, `t${turn}`),
      ended(`t${turn}`),
    ]),
  ])
  const { items } = await readParts()
  expect(items).toEqual(await wholeItems())
})

test('a part of large items has few of them', async () => {
  const text = 'line '.repeat(2_000)
  await append([queued('t1'), started('t1')])
  for (let part = 0; part < 200; part += 1) await append([says(text, `m${part}`)])
  const { items } = await readParts()
  expect(items).toEqual(await wholeItems())
})

test('a long text is shown with its beginning and its end, and is in few parts', async () => {
  await append([queued('t1'), started('t1')])
  let written = ''
  for (let part = 0; part < 1_500; part += 1) {
    const text = `${part} ${'and so on '.repeat(100)}`
    written += text
    await append([says(text)])
  }
  const { items, parts } = await readParts()
  expect(parts).toBeLessThan(5)
  const [item] = items.filter(({ type }) => type === 'text')
  if (item?.type !== 'text' || item.omitted === undefined) throw new Error('no long text')
  const { at, chars } = item.omitted
  expect(item.text.slice(0, at)).toBe(written.slice(0, at))
  expect(item.text.slice(at)).toBe(written.slice(at + chars))
})

test('a session is loaded from its last checkpoint, and recovered from there', async () => {
  await append([queued('t1'), started('t1'), ...calls(2_000), says('in the middle')])
  const running = hub.projection.findLive(id)
  hub = openHub()
  const loaded = await hub.projection.load(id)
  expect(hub.reads.events).toBeLessThan(1_500)
  expect(loaded.turn).toMatchObject({ turnId: 't1' })
  expect(loaded.run).toEqual(running?.run)

  hub = openHub()
  await hub.recovery.find()
  const { store, projection, recovery } = hub
  const lister = new SessionLister({
    store,
    projection,
    isUnclosed: (at) => recovery.isUnclosed(at),
    whenAllClosed: () => recovery.whenAllClosed(),
  })
  const crashed = { status: 'error', metadata: { reason: 'hub_crash' } }
  expect(store.sessions.find(id)).toMatchObject({ status: 'active' })
  expect(await lister.find(id)).toMatchObject(crashed)
  const active = { status: ['active' as const], archived: 'any' as const, limit: 10, offset: 0 }
  expect(await lister.list(active)).toMatchObject({ sessions: [], total: 0 })
  expect(await lister.find(id)).toMatchObject(crashed)
  await hub.recovery.whenClosed(id)
  expect(hub.recovery.isUnclosed(id)).toBe(false)
  expect(hub.reads.events).toBeLessThan(1_500)
  expect(hub.store.sessions.find(id)).toMatchObject({ status: 'error' })
  const { items } = await hub.timelines.read(id, 5)
  expect(items.map((item) => item.type).slice(-3)).toEqual(['text', 'turn_end', 'notice'])
  expect(items.at(-2)).toMatchObject({ error: { code: 'hub_crash' }, empty: false })
})

test('after a crash an idle session is told from one that was interrupted', async () => {
  await append([queued('t1'), started('t1'), says('done')])
  await append([{ type: 'turn.ended', data: { turnId: 't1', stopReason: 'end_turn' } }])
  hub = openHub()
  await hub.recovery.find()
  await hub.recovery.run()
  const row = hub.store.sessions.find(id)
  expect(JSON.parse(row!.metadata)).toEqual({ reason: 'hub_crash', wasIdle: true })
  const { items } = await hub.timelines.read(id, 5)
  expect(items.at(-1)).toMatchObject({ type: 'notice', severity: 'info' })
})

test('an end that cannot be stored is stored when its session is asked for again', async () => {
  await append([queued('t1'), started('t1')])
  hub = openHub()
  const { events, recovery, store } = { ...hub, events: hub.reads }
  await recovery.find()
  events.isFull = true
  await recovery.run()
  await expect(recovery.whenClosed(id)).rejects.toMatchObject({ code: 'storage_failed' })
  expect(recovery.isUnclosed(id)).toBe(true)
  events.isFull = false
  await recovery.whenClosed(id)
  expect(recovery.isUnclosed(id)).toBe(false)
  expect(store.sessions.find(id)).toMatchObject({ status: 'error' })
})

test('a log without checkpoints gets them when it is first read', async () => {
  await append([queued('t1'), started('t1'), ...calls(6_000)])
  database.db.exec('DELETE FROM AgentCheckpoint')
  await hub.timelines.read(id, 60)
  expect(hub.reads.events).toBeGreaterThan(12_000)
  hub.reads.events = 0
  await hub.timelines.read(id, 60)
  expect(hub.reads.events).toBeLessThan(FEW_EVENTS)
})
