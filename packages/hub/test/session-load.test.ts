// Loading a long session before its next prompt, against a real database: in pages, and complete.
import { setImmediate } from 'node:timers/promises'
import type { EventBody } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

/** A little more than three pages. */
const NOTICES = 1_600

let store: TestDatabase
let id: string
beforeEach(async () => {
  store = new TestDatabase()
  const { eventLog } = open()
  id = await newSession(store.db, eventLog)
  const prompt = [{ type: 'text' as const, text: 'go' }]
  const bodies: EventBody[] = [
    { type: 'turn.queued', data: { turnId: 'first', prompt } },
    { type: 'turn.started', data: { turnId: 'first' } },
    ...Array.from({ length: NOTICES }, (_, place) => notice(`${place}`)),
    { type: 'turn.queued', data: { turnId: 'second', prompt } },
  ]
  await Promise.all(bodies.map((body) => eventLog.append(id, body)))
})
afterEach(() => store[Symbol.dispose]())

/** As after a start of the hub: with nothing in memory. */
function open() {
  return openEventLog(store.db)
}

function notice(message: string): EventBody {
  return { type: 'notice', data: { severity: 'info', code: 'test', message } }
}

test('others have their turn while a long session is read', async () => {
  const { projection } = open()
  const reading = projection.load(id)
  let turns = 0
  while (projection.findLive(id) === undefined) {
    await setImmediate()
    turns += 1
  }
  expect(turns).toBeGreaterThanOrEqual(3)
  const { seq, queue } = await reading
  expect(seq).toBe(NOTICES + 4)
  expect(queue.map(({ turnId }) => turnId)).toEqual(['second'])
})

test('events that are appended while it is read are included', async () => {
  const { projection, eventLog } = open()
  const reading = projection.load(id)
  await eventLog.append(id, { type: 'session.updated', data: { title: 'Renamed', by: 'me' } })
  expect(projection.findLive(id)).toBeUndefined()
  expect((await reading).title).toBe('Renamed')
})

test('it is the same whether it was read before its next event or by it', async () => {
  const before = open()
  await before.projection.load(id)
  await before.eventLog.append(id, notice('one'))
  expect(before.projection.findLive(id)).toEqual(await open().projection.load(id))

  const by = open()
  await by.eventLog.append(id, notice('two'))
  expect(by.projection.findLive(id)).toEqual(await open().projection.load(id))
})
