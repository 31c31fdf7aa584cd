import type { SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { Redactor } from '../../agents/wire/redact/redact.js'
import { TurnSummary } from './turn-summary.js'

function summaryOf(updates: readonly SessionUpdate[]): TurnSummary {
  const summary = new TurnSummary()
  for (const update of updates) summary.update(update)
  return summary
}

function text(text: string, sessionUpdate = 'agent_message_chunk'): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } }
}

function tool(toolCallId: string, fields: Record<string, unknown> = {}): SessionUpdate {
  return { sessionUpdate: 'tool_call', toolCallId, title: 'Run', ...fields }
}

function toolUpdate(toolCallId: string, status?: string): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...(status ? { status } : {}) }
}

test('every field of the summary is there, also for a turn in which nothing happened', () => {
  expect(new TurnSummary().toLogLine({ stopReason: 'end_turn', durationMs: 12 })).toEqual({
    durationMs: 12,
    stopReason: 'end_turn',
    frames: { in: {}, out: {} },
    updates: {},
    tools: { calls: 0, transitions: {}, byCall: {}, open: 0, unannounced: 0 },
    textChars: 0,
    thoughtChars: 0,
    blocks: {},
    toolContent: {},
  })
})

test('chunks that were joined when they came are counted each', () => {
  const apart = summaryOf([text('a'), text('b'), text('c')])
  const together = summaryOf([text('abc')])
  together.joined(text('abc'), 2)
  expect(together.toLogLine({})).toEqual(apart.toLogLine({}))
})

test('frames are counted by direction and type, updates by kind', () => {
  const summary = summaryOf([text('a'), text('b'), text('hm', 'agent_thought_chunk')])
  summary.frame('out', 'request')
  summary.frame('in', 'request')
  summary.frame('out', 'response')
  summary.frame('in', 'response')
  expect(summary.toLogLine({})).toMatchObject({
    frames: {
      in: { notification: 3, request: 1, response: 1 },
      out: { request: 1, response: 1 },
    },
    updates: { agent_message_chunk: 2, agent_thought_chunk: 1 },
  })
})

test('text and thoughts are measured, blocks counted by type, bodies left out', () => {
  const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }
  const line = summaryOf([
    text('twelve chars'),
    text('four', 'agent_thought_chunk'),
    { sessionUpdate: 'agent_message_chunk', content: image },
    tool('t', { content: [{ type: 'diff' }, { type: 'terminal' }, { type: 'diff' }] }),
  ]).toLogLine({})
  expect(line).toMatchObject({
    textChars: 12,
    thoughtChars: 4,
    blocks: { text: 2, image: 1 },
    toolContent: { diff: 2, terminal: 1 },
  })
  expect(JSON.stringify(line)).not.toMatch(/twelve|four|aGVsbG8/)
})

test('the way of every tool call is told, and each transition counted', () => {
  const { tools } = summaryOf([
    tool('a'),
    tool('b', { status: 'pending' }),
    toolUpdate('a', 'in_progress'),
    toolUpdate('a', 'in_progress'),
    toolUpdate('a'),
    toolUpdate('b', 'in_progress'),
    toolUpdate('a', 'completed'),
    toolUpdate('late', 'failed'),
    toolUpdate('late', 'pending'),
  ]).toLogLine({})
  expect(tools).toEqual({
    calls: 3,
    transitions: { 'pending→in_progress': 2, 'in_progress→completed': 1, 'failed→pending': 1 },
    byCall: {
      a: 'pending→in_progress→completed',
      b: 'pending→in_progress',
      late: 'failed→pending',
    },
    open: 1,
    unannounced: 1,
  })
})

test('a turn that failed says with which code', () => {
  expect(new TurnSummary().toLogLine({ error: { code: 'agent_failed' } })).toMatchObject({
    error: 'agent_failed',
  })
})

test('the beginning of the final text is told at level debug only', () => {
  const summary = summaryOf([text('Let me look. '), tool('a'), text('It is '), text('fixed.')])
  expect(summary.toLogLine({}, 'info')).not.toHaveProperty('textPrefix')
  expect(summary.toLogLine({}, 'debug')).toMatchObject({ textPrefix: 'It is fixed.' })
  expect(summaryOf([text('Only '), text('this'), tool('a')]).toLogLine({}, 'trace')).toMatchObject({
    textPrefix: 'Only this',
  })
})

test('the beginning of the text is short and has no secrets, not even the beginning of one', () => {
  const secret = 'correct-horse-battery'
  const redactor = new Redactor([secret])
  const line = (body: string) => summaryOf([text(body)]).toLogLine({}, 'debug', redactor)
  expect(line(`the key is ${secret}`).textPrefix).toBe('the key is [redacted]')
  const cut = line(`${'word '.repeat(22)}${secret}`).textPrefix
  expect(cut).not.toContain('corr')
  expect(cut?.length).toBeLessThanOrEqual(120)
})

test('an agent that invents names without end fills neither the memory nor the line', () => {
  const summary = new TurnSummary()
  for (let i = 0; i < 5_000; i += 1) {
    summary.update({ sessionUpdate: `kind-${i}` })
    summary.update(tool(`call-${i}`, { status: `status-${i}`, content: [{ type: `type-${i}` }] }))
    summary.update(tool('one', { status: `status-${i}` }))
  }
  summary.update({ sessionUpdate: '__proto__', content: null })
  summary.update({ sessionUpdate: 'tool_call', toolCallId: 7, content: 'odd' })
  const line = summary.toLogLine({})
  expect(JSON.stringify(line).length).toBeLessThan(20_000)
  expect(line.updates['other']).toBeGreaterThan(4_000)
})
