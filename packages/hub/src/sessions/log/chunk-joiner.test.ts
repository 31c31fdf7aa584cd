import type { EventBody } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { TextRun } from './chunk-joiner.js'

type Extra = { turnId?: string; sessionUpdate?: string; [field: string]: unknown }

function chunk(text: string, { turnId, sessionUpdate, ...extra }: Extra = {}): EventBody {
  const update = {
    sessionUpdate: sessionUpdate ?? 'agent_message_chunk',
    content: { type: 'text', text },
    ...extra,
  }
  return { type: 'acp.update', data: { ...(turnId && { turnId }), update } }
}

test('chunks of one message become one update with the whole text', () => {
  const run = TextRun.from(chunk('a', { turnId: 't', messageId: 'm' }))!
  expect(run.tryJoin(chunk('b', { turnId: 't', messageId: 'm' }))).toBe(true)
  expect(run.tryJoin(chunk('c', { turnId: 't', messageId: 'm' }))).toBe(true)
  expect(run.toBody()).toEqual(chunk('abc', { turnId: 't', messageId: 'm' }))
})

test.each<[string, EventBody]>([
  ['another message', chunk('b', { messageId: 'other' })],
  ['another kind', chunk('b', { sessionUpdate: 'agent_thought_chunk' })],
  ['another turn', chunk('b', { turnId: 'other' })],
  ['a chunk with _meta', chunk('b', { _meta: { seen: true } })],
  ['a chunk with an unknown field', chunk('b', { colour: 'red' })],
  ['an image', chunk('', { content: { type: 'image', data: '', mimeType: 'image/png' } })],
  ['annotated text', chunk('', { content: { type: 'text', text: 'b', annotations: {} } })],
  ['a tool call', { type: 'acp.update', data: { update: { sessionUpdate: 'tool_call' } } }],
  ['another event', { type: 'turn.started', data: { turnId: 't' } }],
])('%s is not joined', (_what, body) => {
  const run = TextRun.from(chunk('a'))!
  expect(run.tryJoin(body)).toBe(false)
  expect(run.toBody()).toEqual(chunk('a'))
})

test('what is not plain text starts no run', () => {
  expect(TextRun.from(chunk('a', { _meta: {} }))).toBeUndefined()
  expect(TextRun.from(chunk('a', { sessionUpdate: 'user_message_chunk' }))).toBeUndefined()
  expect(TextRun.from({ type: 'turn.started', data: { turnId: 't' } })).toBeUndefined()
})

test('a run ends when it is full', () => {
  const run = TextRun.from(chunk('x'.repeat(60_000)))!
  expect(run.tryJoin(chunk('y'.repeat(10_000)))).toBe(false)
  expect(run.tryJoin(chunk('z'))).toBe(true)
})
