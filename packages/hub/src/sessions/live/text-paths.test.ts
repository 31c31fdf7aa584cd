// The fast paths for plain text (unparsed lines, chunks joined before the commit) must have the result of the plain path,
// which parses every line and stores every update on its own.
import {
  applyEvent,
  emptyTranscript,
  type EventBody,
  type SessionUpdate,
  type Transcript,
} from '@quayside/protocol'
import { expect, test } from 'vitest'
import { random } from '../../../test/random.js'
import { ChunkLines } from '../../agents/wire/chunk-lines.js'
import type { JsonObject } from '../../json.js'
import { TextRun } from '../log/chunk-joiner.js'
import { UpdateOffloader } from '../media/update-offloader.js'

const UPDATES: readonly ((text: string) => object)[] = [
  (text) => chunk(text),
  (text) => chunk(text, { messageId: 'm' }),
  (text) => chunk(text, { messageId: 'n' }),
  (text) => chunk(text, { messageId: null }),
  (text) => chunk(text, { messageId: 7 }),
  (text) => chunk(text, { sessionUpdate: 'agent_thought_chunk' }),
  (text) => chunk(text, { sessionUpdate: 'user_message_chunk' }),
  (text) => chunk(text, { _meta: { seen: true } }),
  (text) => chunk(text, { _meta: { quayside: { replaces: true } } }),
  (text) => chunk(text, { content: { text, type: 'text' } }),
  (text) => chunk(text, { content: { type: 'text', text, annotations: { priority: 1 } } }),
  (text) => chunk(text, { content: { type: 'image', data: '', uri: text, mimeType: 'image/png' } }),
  () => ({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A' }),
  () => ({ sessionUpdate: 'usage_update', used: 1, size: 2 }),
]
const TEXTS = [
  'a',
  'b ',
  '',
  '\n',
  '<text>',
  '"quoted"',
  '👋',
  'data:image/',
  'png;base64,QUJD',
  '.',
]

test('lines of any kind make the same transcript on the fast and on the plain path', () => {
  const next = random()
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  for (let round = 0; round < 500; round += 1) {
    const lines: string[] = []
    // Most chunks are like the one before.
    let make = pick(UPDATES)
    for (let count = 1 + Math.floor(next() * 20); count > 0; count -= 1) {
      if (next() < 0.3) make = pick(UPDATES)
      lines.push(line(make(pick(TEXTS))))
    }
    expect(fold(joinBodies(offload(joinLines(lines)))), lines.join('\n')).toEqual(
      fold(bodies(offload(lines.map(parseUpdate)))),
    )
  }
})

test('the fast path joins what is plain', () => {
  const lines = ['a', 'b', 'c', 'd'].map((text) => line(chunk(text, { messageId: 'm' })))
  expect(joinLines(lines)).toEqual([
    chunk('a', { messageId: 'm' }),
    chunk('bcd', { messageId: 'm' }),
  ])
  expect(joinBodies(lines.map(parseUpdate))).toHaveLength(1)
})

function chunk(text: string, fields: object = {}): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...fields }
}

function line(update: object): string {
  const params = { sessionId: 's', update }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })
}

function parseUpdate(text: string): SessionUpdate {
  return (JSON.parse(text) as { params: { update: SessionUpdate } }).params.update
}

/** As agent-stream.ts reads lines that arrive together. */
function joinLines(lines: readonly string[]): SessionUpdate[] {
  const updates: SessionUpdate[] = []
  const chunks = new ChunkLines(({ update }) => updates.push(update as SessionUpdate))
  for (const text of lines) {
    if (chunks.join(text)) continue
    chunks.learn(text, JSON.parse(text) as JsonObject)
    updates.push(parseUpdate(text))
  }
  chunks.flush()
  return updates
}

function offload(updates: readonly SessionUpdate[]): SessionUpdate[] {
  const offloader = new UpdateOffloader(() => '/media/x')
  return [...updates.flatMap((update) => offloader.offload(update)), ...offloader.flush()]
}

function bodies(updates: readonly SessionUpdate[]): EventBody[] {
  return updates.map((update) => ({ type: 'acp.update', data: { turnId: 't', update } }))
}

/** As event-log.ts joins chunks that wait for the same commit. */
function joinBodies(updates: readonly SessionUpdate[]): EventBody[] {
  const joined: EventBody[] = []
  let run: TextRun | undefined
  for (const body of bodies(updates)) {
    if (run?.tryJoin(body)) continue
    if (run) joined.push(run.toBody())
    run = TextRun.from(body)
    if (run === undefined) joined.push(body)
  }
  if (run) joined.push(run.toBody())
  return joined
}

/** The items without their places in the log, which joining changes. */
function fold(events: readonly EventBody[]): unknown {
  const transcript: Transcript = emptyTranscript()
  for (const body of [{ type: 'turn.started', data: { turnId: 't' } } as const, ...events])
    applyEvent(transcript, { ...body, sessionId: 's', seq: transcript.seq + 1, at: 0 })
  return transcript.items.map((item) => ({ ...item, id: '', seq: 0, updatedSeq: 0 }))
}
