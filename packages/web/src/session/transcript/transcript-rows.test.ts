import type { Item, ToolItem } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { rowsOf, type RowsOptions } from './transcript-rows.js'

let seq = 0
const base = (id: string, turnId = 't1') => ({
  id,
  seq: ++seq,
  updatedSeq: seq,
  at: 0,
  updatedAt: 0,
  turnId,
  done: true,
})
const prompt: Item = { ...base('user:t1'), type: 'user', text: 'Go', blocks: [], waiting: false }
const text = (id: string): Item => ({ ...base(id), type: 'text', text: id })
const end: Item = { ...base('turn:t1'), type: 'turn_end', stopReason: 'end_turn', empty: false }
const tool = (id: string, kind: string): ToolItem => ({
  ...base(id),
  type: 'tool',
  call: { toolCallId: id, title: id, kind, status: 'completed', content: [], locations: [] },
})

function shown(items: readonly Item[], options: Partial<RowsOptions> = {}): string[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const rows = rowsOf([...byId.keys()], {
    item: (id) => byId.get(id),
    isSettled: () => true,
    isOpened: () => false,
    ...options,
  })
  return rows.map((row) => (row.type === 'tools' ? row.ids.join('+') : row.key))
}

test('read-only steps share a row; a step with changes has its own', () => {
  const steps = [tool('a', 'read'), tool('b', 'search'), tool('c', 'edit'), tool('d', 'read')]
  expect(shown([prompt, ...steps, text('x'), tool('e', 'read')])).toEqual([
    'user:t1',
    'a+b',
    'c',
    'd',
    'x',
    'e',
  ])
})

test('the work of a long turn is folded above its answer until it is opened', () => {
  const work = Array.from({ length: 9 }, (_, index) => tool(`e${index}`, 'edit'))
  const turn = [prompt, text('first'), ...work, text('answer'), end]
  const folded = ['user:t1', 'work:t1', 'answer', 'turn:t1']
  expect(shown(turn)).toEqual(folded)
  expect(shown(turn, { isSettled: () => false })).toHaveLength(turn.length)
  expect(shown(turn, { isOpened: () => true })).toHaveLength(turn.length + 1)
  expect(shown([...turn.slice(0, -1), { ...end, stopReason: 'cancelled' }])).toHaveLength(
    turn.length,
  )
})

test('queued prompts and open decisions are not rows', () => {
  const asked: Item = {
    ...base('permission:p'),
    type: 'permission',
    done: false,
    permissionId: 'p',
    toolCall: tool('a', 'edit').call,
    options: [],
    outcome: null,
  }
  expect(shown([prompt, asked, { ...prompt, id: 'user:t2', waiting: true }])).toEqual(['user:t1'])
})

test('a removed prompt leaves no row, and the crash of an agent has one', () => {
  const error = { code: 'removed', message: 'x' }
  expect(shown([prompt, { ...end, error }])).toEqual([])
  const ended: Item = {
    ...base('notice:9'),
    type: 'notice',
    severity: 'error',
    code: 'session_failed',
    message: 'x',
  }
  const failed = (code: string, details = {}): Item => ({
    ...end,
    error: { code, message: 'x', details },
  })
  for (const failure of [failed('agent_failed', { exitCode: 7 }), failed('hub_crash')])
    expect(shown([prompt, failure, ended])).toEqual(['user:t1', 'turn:t1'])
  expect(shown([ended])).toEqual(['notice:9'])
  // The agent refused a prompt, and exited later.
  expect(shown([failed('agent_failed'), ended])).toEqual(['turn:t1', 'notice:9'])
})
