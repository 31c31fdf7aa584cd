// The event log against a real database: order, joins, commit before notification, and readers that come and go.
import { setMaxListeners } from 'node:events'
import type { EventBody, SessionEvent } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EventLog } from '../src/sessions/log/event-log.js'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
import type { EncodedEvent } from '../src/store/event-store.js'
import { EventRows } from '../src/store/sqlite/event-rows.js'
import { random } from './random.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

let store: TestDatabase
let eventLog: EventLog

beforeEach(() => {
  store = new TestDatabase()
  eventLog = openEventLog(store.db).eventLog
})
afterEach(() => store[Symbol.dispose]())

test('events are numbered from 1 without gaps, each session for itself', async () => {
  const [a, b] = await Promise.all([newSession(store.db, eventLog), newSession(store.db, eventLog)])
  const events = await Promise.all([
    eventLog.append(a, notice('a2')),
    eventLog.append(b, notice('b2')),
    eventLog.append(a, notice('a3')),
  ])
  expect(events.map(({ seq }) => seq)).toEqual([2, 2, 3])
  expect(parse(await eventLog.read(a, 0)).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('an event is in the database before its promise resolves', async () => {
  const id = await newSession(store.db, eventLog)
  const { seq } = await eventLog.append(id, notice('told'))
  const row = store.db
    .prepare('SELECT type FROM AgentEvent WHERE sessionId = ? AND seq = ?')
    .get(id, seq)
  expect(row).toMatchObject({ type: 'notice' })
})

test('text chunks that wait for the same commit become one valid update', async () => {
  const id = await newSession(store.db, eventLog)
  const events = await Promise.all(
    ['Hel', 'lo ', 'world'].map((text) => eventLog.append(id, chunk(text))),
  )
  expect(new Set(events.map(({ seq }) => seq)).size).toBe(1)
  expect(events[0]).toMatchObject({
    type: 'acp.update',
    data: { update: { sessionUpdate: 'agent_message_chunk', content: { text: 'Hello world' } } },
  })
})

test('chunks that come in different event-loop ticks stay events of their own', async () => {
  const id = await newSession(store.db, eventLog)
  const first = await eventLog.append(id, chunk('one'))
  const second = await eventLog.append(id, chunk('two'))
  expect(second.seq).toBe(first.seq + 1)
})

test('more events than one transaction takes keep every chunk', async () => {
  const id = await newSession(store.db, eventLog)
  const all = Array.from({ length: 5_000 }, (_, index) =>
    index % 2 === 0
      ? eventLog.append(id, notice(String(index)))
      : eventLog.append(id, chunk(`${index} `)),
  )
  await Promise.all(all)
  const events = await readAll(id)
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 5_001 }, (_, i) => i + 1))
})

test('a session that sends megabytes at once is stored in parts, and holds up no other session', async () => {
  const [flood, quiet] = [
    await newSession(store.db, eventLog),
    await newSession(store.db, eventLog),
  ]
  const stored: string[] = []
  eventLog.onChange((sessionId) => stored.push(sessionId))
  const text = 'x'.repeat(128 * 1024)
  const sent = Array.from({ length: 40 }, () => eventLog.append(flood, chunk(text)))
  await eventLog.append(quiet, chunk('a neighbour'))
  expect(stored).toEqual([flood, quiet])
  const seqs = (await Promise.all(sent)).map(({ seq }) => seq)
  expect(seqs).toEqual(Array.from({ length: 40 }, (_, index) => index + 2))
  expect(stored.filter((id) => id === flood)).toHaveLength(10)
})

test('a failed commit notifies no reader, and the log continues without a gap', async () => {
  const id = await newSession(store.db, eventLog)
  const seen = follow(id)
  store.db.exec(
    `CREATE TRIGGER no_more BEFORE INSERT ON AgentEvent WHEN NEW.type = 'option.set'
     BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  )
  const doomed = eventLog.append(id, {
    type: 'option.set',
    data: { optionId: 'model', value: 'x' },
  })
  await expect(doomed).rejects.toMatchObject({ code: 'storage_failed' })
  const { seq } = await eventLog.append(id, notice('after'))
  expect(seq).toBe(2)
  expect((await seen.until(2)).map(({ type }) => type)).toEqual(['session.created', 'notice'])
})

test('a follower far behind reads pages from the database and then the tail', async () => {
  const id = await newSession(store.db, eventLog)
  for (let i = 0; i < 30; i += 1)
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => eventLog.append(id, notice(`${i} ${n}`))),
    )
  const late = openEventLog(store.db).eventLog
  const pages: number[] = []
  for await (const page of late.follow(id, 0, new AbortController().signal)) {
    pages.push(page.length)
    if (page.at(-1)?.seq === 6_001) break
  }
  expect(pages.reduce((sum, length) => sum + length)).toBe(6_001)
  expect(Math.max(...pages)).toBeLessThanOrEqual(500)
})

const READERS = 40
const EVENTS = 3_000

test('the event loop turns between the pages of a replay', async () => {
  const id = await newSession(store.db, eventLog)
  await Promise.all(Array.from({ length: 4_000 }, (_, at) => eventLog.append(id, notice(`${at}`))))
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  let pages = 0
  const stop = new AbortController()
  for await (const page of eventLog.follow(id, 0, stop.signal)) {
    pages += 1
    if (page.at(-1)?.seq === 4_001) break
  }
  clearImmediate(next)
  expect(pages).toBeGreaterThan(5)
  expect(turns).toBeGreaterThanOrEqual(pages - 1)
})

test('clients that join together read each page of a replay once', async () => {
  const id = await newSession(store.db, eventLog)
  await Promise.all(Array.from({ length: 4_000 }, (_, at) => eventLog.append(id, notice(`${at}`))))
  const rows = new EventRows(store.db)
  const reads = vi.spyOn(rows, 'read')
  // A new log object, so that nothing comes from memory.
  const late = openEventLog(store.db, rows).eventLog
  const join = async (after: number): Promise<number> => {
    let pages = 0
    for await (const page of late.follow(id, after, new AbortController().signal)) {
      pages += 1
      if (page.at(-1)?.seq === 4_001) break
    }
    return pages
  }
  const [pages] = await Promise.all(Array.from({ length: 10 }, () => join(0)))
  expect(pages).toBeGreaterThan(5)
  expect(reads).toHaveBeenCalledTimes(pages!)
  reads.mockClear()
  await join(0)
  expect(reads, 'and they are not kept for later').toHaveBeenCalledTimes(pages!)
})

test('40 readers that join, drop and reconnect at random each see 1…3000 once, in order', async () => {
  const seen = await readAtRandom((sessionId, after, signal) =>
    eventLog.follow(sessionId, after, signal),
  )
  expect(seen.filter(isComplete)).toHaveLength(READERS)
})

test('the same harness goes red for a follower that subscribes after it reads', async () => {
  const seen = await readAtRandom(followWrongly)
  expect(seen.filter(isComplete).length).toBeLessThan(READERS)
})

function isComplete(seqs: readonly number[]): boolean {
  return seqs.length === EVENTS && seqs.every((seq, index) => seq === index + 1)
}

type Follow = (id: string, after: number, signal: AbortSignal) => AsyncIterable<EncodedEvent[]>

/** Appends while readers come and go. A reader that is still behind when all appends are done has lost a wake-up. */
async function readAtRandom(followWith: Follow): Promise<number[][]> {
  const next = random()
  const id = await newSession(store.db, eventLog)
  const finished = new AbortController()
  setMaxListeners(READERS, finished.signal)
  const readers = Array.from({ length: READERS }, () =>
    readWithDrops(id, followWith, finished.signal),
  )
  for (let seq = 1; seq < EVENTS;) {
    const burst = Math.min(1 + Math.floor(next() * 8), EVENTS - seq)
    seq += burst
    await Promise.all(Array.from({ length: burst }, () => eventLog.append(id, notice(String(seq)))))
  }
  // Enough event-loop ticks for every woken reader to finish.
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  finished.abort()
  return Promise.all(readers)
}

async function readWithDrops(
  id: string,
  followWith: Follow,
  finished: AbortSignal,
): Promise<number[]> {
  const next = random()
  const seqs: number[] = []
  while (!finished.aborted && seqs.length < EVENTS) {
    const dropAfter = 1 + Math.floor(next() * 300)
    const start = seqs.length
    for await (const page of followWith(id, seqs.at(-1) ?? 0, finished)) {
      for (const { seq } of page) seqs.push(seq)
      if (next() < 0.3) await new Promise((resolve) => setImmediate(resolve))
      if (seqs.length - start >= dropAfter || seqs.length >= EVENTS) break
    }
  }
  return seqs
}

/** The mutant: reads first, hands over the page, and only then listens for new events. */
async function* followWrongly(id: string, after: number, signal: AbortSignal) {
  while (!signal.aborted) {
    const page = await eventLog.read(id, after)
    if (page.length > 0) yield page
    after = page.at(-1)?.seq ?? after
    await new Promise((resolve) => setImmediate(resolve))
    const live = eventLog.follow(id, await eventLog.lastSeq(id), signal)[Symbol.asyncIterator]()
    const { value, done } = await live.next()
    await live.return?.(undefined)
    if (done) return
    yield value
    after = value.at(-1)?.seq ?? after
  }
}

function follow(id: string) {
  const stop = new AbortController()
  const events: SessionEvent[] = []
  const pages = eventLog.follow(id, 0, stop.signal)
  return {
    async until(seq: number): Promise<SessionEvent[]> {
      for await (const page of pages) {
        events.push(...parse(page))
        if (events.at(-1)!.seq >= seq) break
      }
      return events
    },
  }
}

async function readAll(id: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for (let page = await eventLog.read(id, 0); page.length > 0;) {
    events.push(...parse(page))
    page = await eventLog.read(id, page.at(-1)!.seq)
  }
  return events
}

function parse(page: readonly EncodedEvent[]): SessionEvent[] {
  return page.map(decodeEvent)
}

function notice(message: string): EventBody {
  return { type: 'notice', data: { severity: 'info', code: 'test', message } }
}

function chunk(text: string): EventBody {
  const content = { type: 'text', text }
  return { type: 'acp.update', data: { update: { sessionUpdate: 'agent_message_chunk', content } } }
}
