import type { WireFrame } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { faultMarker } from './frame-faults.js'

function frame(direction: WireFrame['direction'], message: object): WireFrame {
  return { at: 1, direction, process: 'p1', frame: message, bytes: 10 }
}
const update = (fields: object) => ({
  method: 'session/update',
  params: { sessionId: 's', update: fields },
})
const faultsOf = (...frames: WireFrame[]) => frames.map(faultMarker()).map(({ faults }) => faults)

test('a message as the protocol wants it has no faults', () => {
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi' } }
  const diff = { type: 'diff', path: '/a', oldText: null, newText: 'a' }
  const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Edit', content: [diff] }
  expect(
    faultsOf(
      frame('out', { id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } }),
      frame('in', update(chunk)),
      frame('in', update(call)),
      frame('in', { id: 1, result: { stopReason: 'end_turn' } }),
      frame('in', { method: '_mine/own', params: 7 }),
    ),
  ).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('what is missing or of another type is named with its path', () => {
  const content = [{ type: 'content', content: { type: 'text', text: 7 } }]
  expect(
    faultsOf(
      frame('in', update({ sessionUpdate: 'agent_message_chunk' })),
      frame('in', update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run', content })),
      frame('in', { method: 'session/update', params: { update: 1 } }),
    ),
  ).toEqual([
    ['params.update.content: is missing'],
    ['params.update.content[0].content.text: is number, not string'],
    ['params.sessionId: is missing', expect.stringContaining('params.update: is number')],
  ])
})

test('an answer is held against what was asked, in its own direction', () => {
  expect(
    faultsOf(
      frame('out', { id: 3, method: 'session/prompt', params: { sessionId: 's', prompt: [] } }),
      frame('in', { id: 3, method: 'fs/read_text_file', params: { sessionId: 's', path: '/a' } }),
      frame('in', { id: 3, result: { stopReason: 'done' } }),
      frame('out', { id: 3, result: { content: 'text' } }),
    ),
  ).toEqual([
    undefined,
    undefined,
    [expect.stringMatching(/^result\.stopReason: is "done", not one of end_turn/)],
    undefined,
  ])
})

test('a secret that was taken out is no fault, and a message that was cut is not judged', () => {
  const redacted = {
    id: 1,
    method: 'session/prompt',
    params: { sessionId: 's', prompt: '[redacted]' },
  }
  const cut = {
    ...frame('in', update({ sessionUpdate: 'agent_message_chunk' })),
    cut: true as const,
  }
  expect(faultsOf(frame('out', redacted), cut)).toEqual([undefined, undefined])
})
