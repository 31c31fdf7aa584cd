// Memory use, measured on the heap: in `npm run test:torture` only. `npm test` counts the kept items instead.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { EventBody } from '@quayside/protocol'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LineSplitter } from '../src/agents/wire/frames.js'
import { Redactor } from '../src/agents/wire/redact/redact.js'
import { WireLog } from '../src/agents/wire/log/wire-log.js'
import { exportEntries } from '../src/sessions/reading/transcript-export.js'
import { newSession } from './new-session.js'
import { openEventLog } from './open-event-log.js'
import { TestDatabase } from './store-fixture.js'

const TURN = 'turn-1'
const log = pino({ level: 'silent' })
const measured = test.runIf('QUAYSIDE_TORTURE_ROUNDS' in process.env)

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
  return process.memoryUsage().heapUsed
}

function openWire() {
  return new WireLog({ redactor: new Redactor([]), log }).openProcess('demo-1')
}

function chunk(text: string): EventBody {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  return { type: 'acp.update', data: { turnId: TURN, update } }
}

function toolCall(part: number, text: string): EventBody {
  const content = [{ type: 'content', content: { type: 'text', text } }]
  const call = { toolCallId: `c${part}`, title: 'Read', status: 'completed', content }
  return {
    type: 'acp.update',
    data: { turnId: TURN, update: { sessionUpdate: 'tool_call', ...call } },
  }
}

measured('of huge lines only the beginnings stay in memory', () => {
  const wire = openWire()
  const before = heapUsed()
  for (let i = 0; i < 20; i += 1) wire.in(JSON.stringify(chunk('y'.repeat(4_000_000))))
  for (let i = 0; i < 180; i += 1) wire.stderr(`${'z'.repeat(100_000)}\n`)
  expect(heapUsed() - before).toBeLessThan(3_000_000)
  expect(wire.lines()).toHaveLength(200)
})

measured('short lines do not keep the chunk of a long neighbour in memory', () => {
  const wire = openWire()
  const before = heapUsed()
  const splitter = new LineSplitter()
  // As slices of the read buffer, the 134 short lines of the last 67 chunks would hold more than 4 MB.
  for (let i = 0; i < 100; i += 1) {
    const lines = ['short', 'x'.repeat(65_000), 'short'].map((text) => JSON.stringify(chunk(text)))
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    for (const line of splitter.push(bytes)) wire.in(line.text)
  }
  expect(heapUsed() - before).toBeLessThan(2_000_000)
  expect(wire.lines()).toHaveLength(200)
})

measured(
  'neither a turn of 40 megabytes nor its export is in memory as a whole',
  { timeout: 300_000 },
  async () => {
    using store = new TestDatabase()
    const { db } = store
    const { eventLog } = openEventLog(db)
    const id = await newSession(db, eventLog)
    const prompt = [{ type: 'text' as const, text: 'go' }]
    await eventLog.append(id, { type: 'turn.queued', data: { turnId: TURN, prompt } })
    await eventLog.append(id, { type: 'turn.started', data: { turnId: TURN } })
    const before = heapUsed()
    const long = (part: number) => `${part} and so it goes on `.repeat(2_500)
    for (let part = 0; part < 400; part += 1) await eventLog.append(id, chunk(long(part)))
    for (let part = 0; part < 400; part += 1) await eventLog.append(id, toolCall(part, long(part)))
    expect(heapUsed() - before).toBeLessThan(10_000_000)

    let [most, chars, count] = [0, 0, 0]
    for await (const entry of exportEntries(eventLog, id, new AbortController().signal)) {
      chars += entry.role === 'command' ? entry.output.length : 0
      count += 1
      if (count % 50 === 0) most = Math.max(most, heapUsed() - before)
    }
    expect(chars).toBeGreaterThan(400 * 2_500 * 20)
    expect(most).toBeGreaterThan(0)
    // The single text of 20 MB is an entry of its own.
    expect(most).toBeLessThan(50_000_000)
  },
)
