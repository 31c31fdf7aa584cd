// Malformed updates and fields of agents.
import { expect, test } from 'vitest'
import { EventWriter } from '../../test/event-writer.js'
import { foldEvents, readUpdate, type SessionUpdate, type ToolCallFields } from '../index.js'

const MALFORMED: readonly SessionUpdate[] = [
  { sessionUpdate: 'agent_message_chunk' },
  { sessionUpdate: 'agent_message_chunk', content: null },
  { sessionUpdate: 'agent_message_chunk', content: [] },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 7 } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'hologram' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'image', mimeType: 'image/png' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'resource', resource: null } },
  { sessionUpdate: 'tool_call' },
  { sessionUpdate: 'tool_call', toolCallId: 7, title: 'x' },
  { sessionUpdate: 'tool_call_update', toolCallId: '' },
  { sessionUpdate: 'plan', entries: 'soon' },
  { sessionUpdate: 'plan', entries: null },
  { sessionUpdate: 'available_commands_update', availableCommands: {} },
  { sessionUpdate: 'current_mode_update', currentModeId: null },
  { sessionUpdate: 'config_option_update' },
  { sessionUpdate: 'session_info_update', title: {} },
  { sessionUpdate: 'usage_update', used: 'all', size: Number.NaN },
  { sessionUpdate: '__proto__' },
  { sessionUpdate: 'constructor' },
]

test.each(MALFORMED)('a malformed update makes no item and is counted: %j', (update) => {
  const transcript = foldEvents(new EventWriter().prompt('t1').update(update).events)
  expect(transcript.unknownUpdates).toBe(1)
  expect(transcript.items).toHaveLength(1)
})

test('what is not even an object is no update', () => {
  for (const value of [null, undefined, 7, 'plan', [], { sessionUpdate: 7 }])
    expect(readUpdate(value)).toBeUndefined()
})

test('a wrong field of a tool call is left out, the rest counts', () => {
  const update = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c1',
    status: 'completed',
    title: ['x'],
    kind: 7,
    content: [null, { type: 'content', content: null }, { type: 'diff', path: 'a', newText: 'b' }],
    locations: [{ path: 7 }, { path: 'a', line: 'two' }, { path: 'a', line: 2 }],
    _meta: 'none',
  }
  expect(readUpdate(update)).toEqual({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c1',
    status: 'completed',
    content: [{ type: 'diff', path: 'a', newText: 'b' }],
    locations: [{ path: 'a', line: 2 }],
  })
})

test('entries of a plan that are none are left out', () => {
  const entries = [{ content: 'Look' }, null, { content: 7 }, { content: 'x', status: 1 }]
  expect(readUpdate({ sessionUpdate: 'plan', entries })).toMatchObject({
    entries: [{ content: 'Look' }],
  })
})

test('a permission request without a usable tool call can still be answered', () => {
  const toolCall = { toolCallId: 7 } as unknown as ToolCallFields
  const writer = new EventWriter().prompt('t1').append({
    type: 'permission.requested',
    data: { permissionId: 'p1', toolCall, options: [] },
  })
  const transcript = foldEvents(writer.events)
  expect(transcript.items.map(({ id }) => id)).toEqual(['user:t1', 'permission:p1'])
  expect([...transcript.openPermissions]).toEqual(['p1'])
})
