// An update goes to the running turn, except a late one of an earlier tool call.
import { expect, test } from 'vitest'
import { turnOfUpdate } from './turn-of-update.js'

const turn = (...toolCalls: string[]) => ({
  knowsToolCall: (id: unknown) => toolCalls.some((known) => known === id),
})

const running = turn('new')
const previous = turn('old')

test('an update belongs to the running turn', () => {
  expect(turnOfUpdate({ running, previous }, 'agent_message_chunk', undefined)).toBe(running)
  expect(turnOfUpdate({ running, previous }, 'tool_call', 'old')).toBe(running)
  expect(turnOfUpdate({ running, previous }, 'tool_call_update', 'new')).toBe(running)
  expect(turnOfUpdate({ running, previous }, 'tool_call_update', 'unknown')).toBe(running)
})

test('a late update of a tool call stays with the turn that announced it', () => {
  expect(turnOfUpdate({ running, previous }, 'tool_call_update', 'old')).toBe(previous)
})

test('between turns an update belongs to the previous turn, and before the first to none', () => {
  const between = { running: undefined, previous }
  expect(turnOfUpdate(between, 'agent_message_chunk', undefined)).toBe(previous)
  const before = { running: undefined, previous: undefined }
  expect(turnOfUpdate(before, 'tool_call_update', 'old')).toBeUndefined()
})
