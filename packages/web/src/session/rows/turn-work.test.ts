import type { Item, ToolCall } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { workOfTurn } from './turn-work.js'

const BASE = { seq: 1, updatedSeq: 1, at: 0, updatedAt: 0, done: true }

function tool(id: string, call: Partial<ToolCall>, turnId = 't'): Item {
  const whole = { toolCallId: id, title: id, content: [], locations: [], ...call }
  return {
    ...BASE,
    id,
    type: 'tool',
    turnId,
    call: { kind: 'read', status: 'completed', ...whole },
  }
}

test('a file counts once, and only the work of this turn counts', () => {
  const diff = (path: string) => ({ type: 'diff' as const, path, oldText: 'a', newText: 'b' })
  const items = [
    tool('1', { locations: [{ path: '/a' }] }),
    tool('2', { locations: [{ path: '/a' }] }),
    tool('3', { title: 'Read b' }),
    tool('4', { locations: [{ path: '/c' }], status: 'failed' }),
    tool('5', { kind: 'edit', content: [diff('/a')] }),
    tool('6', { kind: 'edit', content: [diff('/a'), diff('/b')] }),
    tool('7', { kind: 'edit', content: [diff('/d')], status: 'rejected' }),
    tool('8', { kind: 'edit', content: [diff('/e')] }, 'other'),
  ]
  expect(workOfTurn(items, 't')).toEqual({
    read: 2,
    changed: 2,
    added: 3,
    removed: 3,
    mayHaveChanged: true,
  })
})

test.each([
  ['execute', true],
  ['read', false],
] as const)('a turn with a call of the kind %s may have changed files: %s', (kind, expected) => {
  expect(workOfTurn([tool('1', { kind })], 't').mayHaveChanged).toBe(expected)
})
