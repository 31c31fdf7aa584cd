// Merging the updates of a tool call, in any order.
import { expect, test } from 'vitest'
import { EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { foldEvents, type ToolCall, type ToolItem } from '../index.js'

const inTurn = () => new EventWriter().prompt('t1')

function toolsOf(writer: EventWriter): readonly ToolItem[] {
  return foldEvents(writer.events).items.filter((item) => item.type === 'tool')
}

function callOf(writer: EventWriter): ToolCall {
  const [item, ...others] = toolsOf(writer)
  expect(others).toEqual([])
  return item!.call
}

test('a call is known by its id in its turn', () => {
  const writer = inTurn()
    .update(tool('c1', { title: 'Read a', kind: 'read' }))
    .update(tool('c2'))
  writer.update(toolUpdate('c1', { status: 'completed', rawOutput: 'text' }))
  expect(toolsOf(writer).map(({ id, call, done }) => [id, call.status, done])).toEqual([
    ['tool:t1:c1', 'completed', true],
    ['tool:t1:c2', 'pending', false],
  ])
  expect(toolsOf(writer)[0]?.call).toMatchObject({
    title: 'Read a',
    kind: 'read',
    rawOutput: 'text',
  })
})

test('ToolCall, update before call: it makes a placeholder that the call completes', () => {
  const writer = inTurn().update(toolUpdate('c1', { status: 'in_progress' }))
  expect(callOf(writer)).toMatchObject({ title: 'c1', kind: 'other', status: 'in_progress' })
  writer.update(tool('c1', { title: 'Run tests', kind: 'execute', status: 'pending' }))
  expect(callOf(writer)).toMatchObject({ title: 'Run tests', kind: 'execute' })
})

test('a call without a title is called by its name, else its kind, else its id', () => {
  const writer = inTurn().update(toolUpdate('c1'))
  expect(callOf(writer).title).toBe('c1')
  expect(callOf(writer.update(toolUpdate('c1', { kind: 'edit' }))).title).toBe('edit')
  expect(callOf(writer.update(toolUpdate('c1', { name: 'write_file' }))).title).toBe('write_file')
  expect(callOf(writer.update(toolUpdate('c1', { title: 'Write a' }))).title).toBe('Write a')
  expect(callOf(writer.update(toolUpdate('c1', { name: 'other', title: '' }))).title).toBe(
    'Write a',
  )
})

test('ToolCall, merge: null and absent fields overwrite nothing', () => {
  const known = {
    title: 'Read a',
    kind: 'read',
    status: 'in_progress',
    rawInput: { path: 'a' },
    locations: [{ path: 'a' }],
    content: [{ type: 'terminal', terminalId: 'x' }],
  }
  const nulls = Object.fromEntries(Object.keys(known).map((key) => [key, null]))
  expect(callOf(inTurn().update(tool('c1', known)).update(toolUpdate('c1', nulls)))).toMatchObject(
    known,
  )
})

test('content and locations are replaced, not appended', () => {
  const terminal = (terminalId: string) => ({ type: 'terminal', terminalId })
  const writer = inTurn().update(
    tool('c1', { content: [terminal('a')], locations: [{ path: 'a' }] }),
  )
  writer.update(toolUpdate('c1', { content: [terminal('b')], locations: [] }))
  expect(callOf(writer)).toMatchObject({ content: [terminal('b')], locations: [] })
})

test('a final status does not go back', () => {
  const writer = inTurn().update(tool('c1', { status: 'completed' }))
  writer
    .update(toolUpdate('c1', { status: 'in_progress' }))
    .update(tool('c1', { status: 'pending' }))
  expect(callOf(writer).status).toBe('completed')
  expect(callOf(writer.update(toolUpdate('c1', { status: 'failed' }))).status).toBe('failed')
})

test('a permission request alone makes the call, as Gemini does', () => {
  const writer = inTurn().ask('p1', { toolCallId: 'c1', title: 'Write a' }).answer('p1', 'yes')
  writer.update(toolUpdate('c1', { status: 'completed' }))
  expect(callOf(writer)).toMatchObject({ title: 'Write a', status: 'completed' })
  const { items } = foldEvents(writer.events)
  expect(items.map(({ id }) => id)).toEqual(['user:t1', 'tool:t1:c1', 'permission:p1'])
  expect(items[2]).toMatchObject({
    outcome: { outcome: 'selected', optionId: 'yes' },
    by: 'ada',
    reason: 'answered',
    done: true,
  })
})

test('a permission shows what is already known of its call', () => {
  const writer = inTurn()
    .update(tool('c1', { title: 'Write a' }))
    .ask('p1', { toolCallId: 'c1' })
  expect(foldEvents(writer.events).items.at(-1)).toMatchObject({ toolCall: { title: 'Write a' } })
})

test('calls left open are closed as what happened', () => {
  const open = () => inTurn().update(tool('c1', { status: 'in_progress' }))
  expect(callOf(open().end('t1', 'end_turn')).status).toBe('interrupted')
  expect(callOf(open().end('t1', 'cancelled')).status).toBe('cancelled')
  const rejected = () => open().ask('p1', { toolCallId: 'c1' }).answer('p1', 'no')
  expect(callOf(rejected()).status).toBe('in_progress')
  expect(callOf(rejected().end('t1')).status).toBe('rejected')
  expect(callOf(rejected().end('t1', 'cancelled')).status).toBe('rejected')
})

test("the agent's own word about a rejected call counts", () => {
  const writer = inTurn().ask('p1', { toolCallId: 'c1' }).answer('p1', 'no')
  expect(callOf(writer.update(toolUpdate('c1', { status: 'failed' })).end('t1')).status).toBe(
    'failed',
  )
})

test('a call that is allowed after a rejection is not rejected', () => {
  const writer = inTurn().ask('p1', { toolCallId: 'c1' }).answer('p1', 'no')
  writer.ask('p2', { toolCallId: 'c1' }).answer('p2', 'yes').end('t1')
  expect(callOf(writer).status).toBe('interrupted')
})

test('the same id in another turn is another call', () => {
  const writer = inTurn().update(tool('c1')).end('t1').prompt('t2').update(tool('c1'))
  expect(toolsOf(writer).map(({ id, call }) => [id, call.status])).toEqual([
    ['tool:t1:c1', 'interrupted'],
    ['tool:t2:c1', 'pending'],
  ])
})

test('a late update lands in its turn and may still complete the call', () => {
  const done = toolUpdate('c1', { status: 'completed' })
  const open = () => inTurn().update(tool('c1')).end('t1')
  expect(callOf(open().update(done, 't1'))).toMatchObject({ status: 'completed' })
  expect(callOf(open().update(done))).toMatchObject({ status: 'completed' })
  expect(callOf(open().prompt('t2').update(done, 't1'))).toMatchObject({ status: 'completed' })
  const late = toolUpdate('c1', { status: 'in_progress' })
  expect(callOf(open().update(late, 't1'))).toMatchObject({ status: 'interrupted' })
})

test('terminal output in _meta is put together, as codex-acp sends it', () => {
  const piece = (data: string) =>
    toolUpdate('c1', { _meta: { terminal_output_delta: { data, terminal_id: 'c1' } } })
  expect(callOf(inTurn().update(piece('a\n')).update(piece('b\n'))).output).toBe('a\nb\n')
})

test('ids that look like object keys are only ids', () => {
  for (const id of ['__proto__', 'constructor', 'toString']) {
    const writer = inTurn()
      .update(tool(id, { title: 'x' }))
      .update(toolUpdate(id, { status: 'completed' }))
    expect(callOf(writer)).toMatchObject({ toolCallId: id, title: 'x', status: 'completed' })
  }
  expect(({} as Record<string, unknown>)['title']).toBeUndefined()
})

test("a colon in a client's turn id does not mix up calls", () => {
  const writer = new EventWriter()
    .prompt('a')
    .update(tool('b:c'))
    .end('a')
    .prompt('a:b')
    .update(tool('c'))
  expect(new Set(toolsOf(writer).map(({ id }) => id)).size).toBe(2)
})
