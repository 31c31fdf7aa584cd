// Very long turns against a real database: all text can be read, and is not held in memory.
import type { EventBody, Message } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EventLog } from '../src/sessions/log/event-log.js'
import { KEPT_CHARS } from '../src/sessions/log/long-texts.js'
import type { Projection } from '../src/sessions/log/projection.js'
import { SessionReader } from '../src/sessions/reading/session-reader.js'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.js'
import type { Store } from '../src/store/store.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

const TURN = 'turn-1'

let store: TestDatabase
let eventLog: EventLog
let projection: Projection
let rows: Store
let reader: SessionReader
let id: string
beforeEach(async () => {
  store = new TestDatabase()
  const { db } = store
  ;({ projection, eventLog } = openEventLog(db))
  rows = sqliteStore(db)
  reader = new SessionReader({ store: rows, projection, eventLog })
  id = await newSession(db, eventLog)
  const prompt = [{ type: 'text' as const, text: 'go' }]
  await append(
    { type: 'turn.queued', data: { turnId: TURN, prompt } },
    { type: 'turn.started', data: { turnId: TURN } },
  )
})
afterEach(() => store[Symbol.dispose]())

async function append(...bodies: readonly EventBody[]): Promise<void> {
  await Promise.all(bodies.map((body) => eventLog.append(id, body)))
}

function update(sessionUpdate: string, fields: Record<string, unknown>): EventBody {
  return { type: 'acp.update', data: { turnId: TURN, update: { sessionUpdate, ...fields } } }
}

function chunk(text: string, messageId?: string): EventBody {
  const id = messageId === undefined ? {} : { messageId }
  return update('agent_message_chunk', { content: { type: 'text', text }, ...id })
}

const endOfTurn: EventBody = {
  type: 'turn.ended',
  data: { turnId: TURN, stopReason: 'end_turn' },
}

async function readMessages(): Promise<Message[]> {
  let json = ''
  for await (const part of reader.messagesJson(await reader.requireSummary(id))) json += part
  return JSON.parse(json) as Message[]
}

async function texts(): Promise<string[]> {
  const messages = await readMessages()
  return messages.flatMap(({ role, content }) =>
    role === 'agent' && content.type === 'text' ? [content.text] : [],
  )
}

function rowLengths(): number[] {
  const rows = store.db
    .prepare(`SELECT length(content) AS chars FROM AgentMessage WHERE sessionId = ?`)
    .all(id) as { chars: number }[]
  return rows.map(({ chars }) => chars)
}

/** The number of characters that the projection holds of the session. */
function heldChars(): number {
  return JSON.stringify(projection.findLive(id)?.items).length
}

test('a message longer than its row is read whole, while it grows and when it is done', async () => {
  const known = { toolCallId: 'known', title: 'Known' }
  await append(update('tool_call', known))
  let written = ''
  for (let part = 0; part < 5; part += 1) {
    const piece = `${part} ${'and so on, 🚢 '.repeat(4_000)}`
    written += piece
    await append(chunk(piece, 'm1'))
    // An update of an existing item in the middle of a text does not end the text.
    await append(update('tool_call_update', { toolCallId: 'known', title: `Known ${part}` }))
    await append(update('agent_thought_chunk', { content: { type: 'image' } }))
    expect(await texts()).toEqual([written])
  }
  await append(chunk('the next message', 'm2'), endOfTurn)

  expect(await texts()).toEqual([written, 'the next message'])
  expect(Math.max(...rowLengths())).toBeLessThan(2 * KEPT_CHARS)
})

test('a text that the agent replaced is read from its replacement on, also from the middle of a character', async () => {
  const long = 'void '.repeat(20_000)
  await append(chunk(long, 'm1'))
  const replaced = `${'and so on, '.repeat(11_000)}\uD83D`
  const content = { type: 'text', text: replaced }
  const mark = { messageId: 'm1', _meta: { quayside: { replaces: true } } }
  await append(update('agent_message_chunk', { content, ...mark }))
  await append(chunk('\uDEA2 sails', 'm1'))
  expect(await texts()).toEqual([`${replaced}\uDEA2 sails`])
})

test('messages are read one page at a time, and no further than they are taken', async () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'some output '.repeat(100) } }]
  for (let part = 0; part < 12; part += 1)
    await append(
      ...Array.from({ length: 50 }, (_, call) =>
        update('tool_call', { toolCallId: `c${part}.${call}`, title: 'Read', content }),
      ),
    )
  for (let part = 0; part < 4; part += 1) await append(chunk('x'.repeat(80_000)))
  await append(endOfTurn)
  const pages = vi.spyOn(rows.sessions, 'messages')
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  let longest = 0
  for await (const part of reader.messagesJson(await reader.requireSummary(id)))
    longest = Math.max(longest, part.length)
  clearImmediate(next)
  expect(pages.mock.calls.length).toBeGreaterThan(10)
  expect(turns).toBeGreaterThanOrEqual(pages.mock.calls.length)
  expect(longest).toBeLessThan(128 * 1024)

  pages.mockClear()
  const taken = reader.messagesJson(await reader.requireSummary(id))
  await taken.next()
  await taken.return(undefined)
  expect(pages).toHaveBeenCalledTimes(1)
})

test('a message that goes on after a restart of the hub is read whole', async () => {
  const long = (part: number) => `${part} ${'and so it goes on '.repeat(1_000)}`
  const parts = Array.from({ length: 40 }, (_, part) => long(part))
  for (const part of parts.slice(0, 30)) await append(chunk(part))
  ;({ projection, eventLog } = openEventLog(store.db))
  reader = new SessionReader({ store: sqliteStore(store.db), projection, eventLog })
  for (const part of parts.slice(30)) await append(chunk(part))
  expect(await texts()).toEqual([parts.join('')])
  await append(endOfTurn)
  expect(await texts()).toEqual([parts.join('')])
})

test('a text of exactly the kept length is not cut', async () => {
  const written = 'x'.repeat(KEPT_CHARS)
  await append(chunk(written, 'm1'), chunk('more', 'm2'), endOfTurn)
  expect(await texts()).toEqual([written, 'more'])
})

test('a long streamed output has a mark where it was cut', async () => {
  const output = (data: string) => ({ toolCallId: 'build', _meta: { terminal_output: { data } } })
  await append(update('tool_call', { toolCallId: 'build', title: 'Build' }))
  for (let part = 0; part < 40; part += 1)
    await append(update('tool_call_update', output(`${part} `.repeat(2_000))))
  await append(update('tool_call_update', { toolCallId: 'build', status: 'completed' }), endOfTurn)
  const messages = await readMessages()
  const result = messages.flatMap(({ content }) => (content.type === 'tool' ? content.result : []))
  expect(String(result).slice(0, 8)).toBe('0 0 0 0 ')
  expect(String(result)).toMatch(/\[… cut here; all of it is in the events of the session\]$/)
})

test('a late update of a call that ended long ago does not change its row', async () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'what it showed' } }]
  for (let call = 0; call < 100; call += 1)
    await append(
      update('tool_call', { toolCallId: `c${call}`, title: 'Read', status: 'completed', content }),
    )
  await append(chunk('One text '))
  await append(update('tool_call_update', { toolCallId: 'c0', title: 'Later' }))
  await append(chunk('in one message.'), endOfTurn)
  const messages = await readMessages()
  const calls = messages.flatMap(({ content: shown }) => (shown.type === 'tool' ? [shown] : []))
  expect(calls).toHaveLength(100)
  expect(calls[0]).toMatchObject({ title: 'Read', status: 'completed', result: content })
  // The update is shown as a call of its own, where it came.
  expect(await texts()).toEqual(['One text ', 'in one message.'])
})

test('only open and just finished items of a long turn are in memory', async () => {
  const long = (part: number) => `${part} and so it goes on `.repeat(1_000)
  for (let part = 0; part < 50; part += 1) await append(chunk(long(part)))
  expect(heldChars()).toBeLessThan(2 * KEPT_CHARS)

  const held: number[] = []
  for (let part = 0; part < 100; part += 1) {
    const content = [{ type: 'content', content: { type: 'text', text: long(part) } }]
    const call = { toolCallId: `c${part}`, title: 'Read', status: 'completed', content }
    await append(update('tool_call', call))
    if (part % 10 === 9) held.push(heldChars())
  }
  // The newest 32 calls, each with its text and some overhead.
  expect(Math.max(...held)).toBeLessThan(2 * KEPT_CHARS + 40 * long(100).length)
  await append(endOfTurn)
})
