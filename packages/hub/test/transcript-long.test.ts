// Transcripts of long sessions against a real database: exact, not held in memory, and stopped when the reader leaves.
import {
  type EventBody,
  foldEvents,
  inReadingOrder,
  type SessionEvent,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EventLog } from '../src/sessions/log/event-log.js'
import { decodeEvent } from '../src/sessions/log/encoded-events.js'
import { exportEntries } from '../src/sessions/reading/transcript-export.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

const whileRead = new AbortController().signal

let store: TestDatabase
let eventLog: EventLog
beforeEach(() => {
  store = new TestDatabase()
  eventLog = newEventLog()
})
afterEach(() => store[Symbol.dispose]())

function newEventLog(): EventLog {
  const { db } = store
  return openEventLog(db).eventLog
}

function update(turnId: string, fields: Record<string, unknown>): EventBody {
  return { type: 'acp.update', data: { turnId, update: { sessionUpdate: 'tool_call', ...fields } } }
}

const text = (value: string) => [{ type: 'content', content: { type: 'text', text: value } }]

/** Prompts are queued ahead, calls stay open during others, some are updated after their turn. */
async function writeTurns(id: string, turns: number, output: string): Promise<void> {
  const append = (body: EventBody) => eventLog.append(id, body)
  for (let turn = 0; turn < turns; turn += 1) {
    const turnId = `t${turn}`
    const prompt = [{ type: 'text' as const, text: `prompt ${turn}` }]
    const bodies: EventBody[] = [
      ...(turn === 0 ? [queued('t0', prompt)] : []),
      { type: 'turn.started', data: { turnId } },
      queued(`t${turn + 1}`, prompt),
    ]
    for (let call = 0; call < 40; call += 1) {
      const toolCallId = `c${call}`
      bodies.push(
        update(turnId, { toolCallId, title: `call ${turn}.${call}`, content: text(output) }),
        update(turnId, { toolCallId, status: call % 7 === 0 ? 'in_progress' : 'completed' }),
      )
    }
    bodies.push({ type: 'turn.ended', data: { turnId, stopReason: 'end_turn' } })
    const late = { sessionUpdate: 'tool_call_update', toolCallId: 'c38', title: `late ${turn}` }
    bodies.push({ type: 'acp.update', data: { update: late } })
    await Promise.all(bodies.map(append))
  }
}

function queued(turnId: string, prompt: { type: 'text'; text: string }[]): EventBody {
  return { type: 'turn.queued', data: { turnId, prompt } }
}

test('it is the fold of the whole log, whatever changed late or was queued early', async () => {
  const id = await newSession(store.db, eventLog)
  await writeTurns(id, 30, 'some output')
  const events: SessionEvent[] = []
  while (events.length < (await eventLog.lastSeq(id)))
    events.push(...(await eventLog.read(id, events.length)).map(decodeEvent))
  const exported: TranscriptEntry[] = []
  for await (const entry of exportEntries(eventLog, id, whileRead)) exported.push(entry)
  const folded = inReadingOrder(foldEvents(events).items).map((item) => transcriptEntry(item))
  expect(exported).toEqual(folded)
  expect(
    exported.filter((entry) => entry.role === 'command' && entry.command.startsWith('late')),
  ).toHaveLength(30)
})

test('a long session is read page by page as its entries are taken', async () => {
  const id = await newSession(store.db, eventLog)
  await writeTurns(id, 30, 'some output')
  const pages = vi.spyOn(eventLog, 'read')
  const entries = exportEntries(eventLog, id, whileRead)
  await entries.next()
  const untilFirst = pages.mock.calls.length
  let taken = 1
  for await (const _ of entries) taken += 1

  expect(taken).toBeGreaterThan(30 * 40)
  // Once to the end for the outline and a first page; then the rest of the log again.
  const perPass = untilFirst - 1
  expect(perPass).toBeGreaterThan(20)
  expect(pages.mock.calls.length - untilFirst).toBeGreaterThan(perPass / 2)
})

test('a reader that stops reading stops the export, and a session that is removed meanwhile ends it', async () => {
  const id = await newSession(store.db, eventLog)
  await writeTurns(id, 20, 'output')
  // A new log object, so that nothing comes from memory.
  const entries = exportEntries(newEventLog(), id, whileRead)
  expect((await entries.next()).value).toMatchObject({ role: 'user', text: 'prompt 0' })
  store.db.prepare('DELETE FROM AgentEvent WHERE sessionId = ? AND seq > 200').run(id)
  let more = 0
  for await (const _ of entries) more += 1
  expect(more).toBeLessThan(20 * 40)
  const gone = new AbortController()
  const stopped = exportEntries(eventLog, id, gone.signal)
  await stopped.next()
  gone.abort()
  let rest = 0
  for await (const _ of stopped) rest += 1
  expect(rest).toBeLessThan(100)
})
