// The event log on a store that answers later, as an engine on another machine does: one commit at a time, no event lost.
import { setImmediate } from 'node:timers/promises'
import type { EventBody } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendMissingEnds, lostEnds } from '../src/sessions/log/close-log.js'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
import type { EventLog } from '../src/sessions/log/event-log.js'
import type { Projection } from '../src/sessions/log/projection.js'
import type { EncodedEvent, EventStore, SessionBatch, TurnRange } from '../src/store/event-store.js'
import { EventRows } from '../src/store/sqlite/event-rows.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

/** SQLite's answers, a few event-loop ticks later. */
class LaterStore implements EventStore {
  readonly #rows: EventRows
  readonly commits: number[] = []
  /** The next commit is stored and reported as failed. */
  losesAnswer = false
  #isCommitting = false

  constructor(database: TestDatabase) {
    this.#rows = new EventRows(database.db)
  }

  async commit(batch: readonly SessionBatch[]): Promise<void> {
    expect(this.#isCommitting, 'one commit at a time').toBe(false)
    this.#isCommitting = true
    try {
      await later()
      this.#rows.commit(batch)
      if (this.losesAnswer) {
        this.losesAnswer = false
        throw new Error('no answer')
      }
      this.commits.push(batch.reduce((sum, { events }) => sum + events.length, 0))
    } finally {
      this.#isCommitting = false
    }
  }

  async read(sessionId: string, after: number, limit: number): Promise<EncodedEvent[]> {
    await later()
    return [...this.#rows.read(sessionId, after, limit)]
  }

  async lastSeq(sessionId: string): Promise<number> {
    await later()
    return this.#rows.lastSeq(sessionId)
  }

  async lastSeqUntil(sessionId: string, at: number): Promise<number> {
    await later()
    return this.#rows.lastSeqUntil(sessionId, at)
  }

  async findTurn(sessionId: string, turnId: string): Promise<TurnRange | undefined> {
    await later()
    return this.#rows.findTurn(sessionId, turnId)
  }

  async findLastTurn(sessionId: string, until?: number): Promise<TurnRange | undefined> {
    await later()
    return this.#rows.findLastTurn(sessionId, until)
  }
}

async function later(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate()
}

let database: TestDatabase
let store: LaterStore
let eventLog: EventLog
let projection: Projection

beforeEach(() => {
  database = new TestDatabase()
  store = new LaterStore(database)
  ;({ eventLog, projection } = openEventLog(database.db, store))
})
afterEach(() => database[Symbol.dispose]())

test('events that arrive during a commit are the next one, numbered without gaps', async () => {
  const ids = [await newSession(database.db, eventLog), await newSession(database.db, eventLog)]
  const appended = Array.from({ length: 60 }, async (_, index) => {
    for (let turn = 0; turn < index % 7; turn += 1) await setImmediate()
    return eventLog.append(ids[index % 2]!, notice(String(index)))
  })
  const seqs = (await Promise.all(appended)).map(({ sessionId, seq }) => `${sessionId} ${seq}`)
  expect(new Set(seqs).size).toBe(60)
  for (const id of ids)
    expect(await readSeqs(id)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
  expect(store.commits.length, 'gathered').toBeLessThan(20)
})

test('an agent that outruns the store waits for room in the next commit, and one that writes little does not', async () => {
  const flood = await newSession(database.db, eventLog)
  const drip = await newSession(database.db, eventLog)
  const options = { hubId: undefined, onNotStored: () => undefined }
  for (let count = 0; count < 2_000; count += 1) eventLog.write(flood, notice('x'), options)
  eventLog.write(drip, notice('x'), options)
  expect(eventLog.whenRoom(drip)).toBeUndefined()
  await eventLog.whenRoom(flood)
  expect(eventLog.whenRoom(flood), 'taken into commits').toBeUndefined()
  const text = 'x'.repeat(64 * 1024)
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  for (let count = 0; count < 8; count += 1)
    eventLog.write(drip, { type: 'acp.update', data: { update: chunk } }, options)
  expect(eventLog.whenRoom(drip), 'long texts').toBeDefined()
})

test('the events of many agents that outrun the store do not pile up', async () => {
  const options = { hubId: undefined, onNotStored: () => undefined }
  let written = 0
  let most = 0
  const floods = Array.from({ length: 6 }, async () => {
    const id = await newSession(database.db, eventLog)
    for (let read = 0; read < 20; read += 1) {
      for (let count = 0; count < 300; count += 1) eventLog.write(id, notice('x'), options)
      written += 300
      most = Math.max(most, written - store.commits.reduce((sum, count) => sum + count, 0))
      await eventLog.whenRoom(id)
      await setImmediate()
    }
  })
  await Promise.all(floods)
  // A read of each, and the batch that is being stored.
  expect(most).toBeLessThan(6 * 300 + 2 * 500)
})

test('a follower is notified after the commit, and reads what another log stored', async () => {
  const id = await newSession(database.db, eventLog)
  await Promise.all(
    Array.from({ length: 900 }, (_, index) => eventLog.append(id, notice(`${index}`))),
  )
  const late = openEventLog(database.db, new LaterStore(database)).eventLog
  const seqs: number[] = []
  const reading = (async () => {
    for await (const page of late.follow(id, 0, new AbortController().signal)) {
      for (const { seq } of page) seqs.push(seq)
      if (seqs.at(-1) === 902) return
    }
  })()
  await late.append(id, notice('last'))
  await reading
  expect(seqs).toEqual(Array.from({ length: 902 }, (_, index) => index + 1))
})

test('a session that cannot be stored fails alone, and is folded again from its rows', async () => {
  const [id, other] = [
    await newSession(database.db, eventLog),
    await newSession(database.db, eventLog),
  ]
  database.db.exec(
    `CREATE TRIGGER no_more BEFORE INSERT ON AgentEvent WHEN NEW.type = 'option.set'
     BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  )
  const doomed = eventLog.append(id, { type: 'option.set', data: { optionId: 'm', value: 'x' } })
  const stored = eventLog.append(other, notice('stored'))
  await expect(doomed).rejects.toMatchObject({ code: 'storage_failed' })
  expect(await stored).toMatchObject({ seq: 2 })
  expect(projection.findLive(id)).toBeUndefined()
  expect(await eventLog.append(id, notice('after'))).toMatchObject({ seq: 2 })
  expect(projection.findLive(id)).toMatchObject({ seq: 2 })
  expect(await readSeqs(id)).toEqual([1, 2])
})

test('a log whose store stored a batch and lost the answer continues behind it, and followers see it', async () => {
  const id = await newSession(database.db, eventLog)
  const seqs: number[] = []
  const following = (async () => {
    for await (const page of eventLog.follow(id, 0, new AbortController().signal)) {
      for (const { seq } of page) seqs.push(seq)
      if (seqs.at(-1) === 3) return
    }
  })()
  store.losesAnswer = true
  await expect(eventLog.append(id, notice('stored'))).rejects.toMatchObject({
    code: 'storage_failed',
  })
  expect(await eventLog.append(id, notice('next'))).toMatchObject({ seq: 3 })
  await following
  expect(seqs).toEqual([1, 2, 3])
})

async function readSeqs(id: string): Promise<number[]> {
  const fresh = openEventLog(database.db, new LaterStore(database)).eventLog
  return (await fresh.read(id, 0)).map((event) => decodeEvent(event).seq)
}

function notice(message: string): EventBody {
  return { type: 'notice', data: { severity: 'info', code: 'test', message } }
}

test('a session that is ended twice at the same time, by a resume and by a retry, has one end', async () => {
  const id = await newSession(database.db, eventLog)
  await eventLog.append(id, { type: 'turn.started', data: { turnId: 't' } })
  const ends = lostEnds('Its machine is gone.')
  const deps = { eventLog, projection }
  await Promise.all([appendMissingEnds(deps, id, ends), appendMissingEnds(deps, id, ends)])
  const types = (await eventLog.read(id, 0)).map((event) => decodeEvent(event).type)
  expect(types.filter((type) => type === 'session.ended')).toHaveLength(1)
  expect(types.filter((type) => type === 'turn.ended')).toHaveLength(1)
})
