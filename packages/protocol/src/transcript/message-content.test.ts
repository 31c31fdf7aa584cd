// Message rows for every kind of item.
import { expect, test } from 'vitest'
import { EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { foldEvents, messageOf, type EventBody } from '../index.js'

const lastMessage = (writer: EventWriter) => messageOf(foldEvents(writer.events).items.at(-1)!)
const inTurn = () => new EventWriter().prompt('t1', 'Hello')

test('a prompt is a text of the user', () => {
  expect(lastMessage(inTurn())).toEqual({ role: 'user', content: { type: 'text', text: 'Hello' } })
})

test('a prompt with more than text keeps its blocks', () => {
  const prompt = [
    { type: 'text', text: 'See' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ] as const
  const writer = new EventWriter().append({ type: 'turn.queued', data: { turnId: 't1', prompt } })
  expect(lastMessage(writer)).toEqual({
    role: 'user',
    content: { type: 'text', text: 'See', blocks: prompt },
  })
})

test('an answer is partial until it is complete', () => {
  const text = (writer: EventWriter) => messageOf(foldEvents(writer.events).items[1]!)
  const content = { type: 'text', text: 'Hi.' }
  expect(text(inTurn().say('Hi.'))).toEqual({
    role: 'agent',
    content: { ...content, partial: true },
  })
  expect(text(inTurn().say('Hi.').end('t1'))?.content).toEqual({ ...content, partial: false })
})

test('a large markdown table in single-character chunks comes out as it was', () => {
  const rows = Array.from({ length: 200 }, (_, n) => `| ${n} | > quoted \\| piped | \`a  b\` |`)
  const table = ['| n | text | code |', '|---|:--:|---|', ...rows, '', ''].join('\n')
  const { content } = lastMessage(inTurn().say(...table.split('')))!
  expect(content).toEqual({ type: 'text', text: table, partial: true })
})

test('a thought is told apart from an answer', () => {
  expect(lastMessage(inTurn().think('Hm.'))).toEqual({
    role: 'agent',
    content: { type: 'thought', text: 'Hm.', partial: true },
  })
})

test('an image says where its bytes are', () => {
  const image = (more: object) =>
    lastMessage(
      inTurn().update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'image', mimeType: 'image/png', ...more },
      }),
    )?.content
  expect(image({ uri: '/media/7' })).toEqual({
    type: 'image',
    mimeType: 'image/png',
    url: '/media/7',
  })
  expect(image({ data: 'AA', uri: null })).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: 'AA',
  })
})

test('a plan is a system message with its steps', () => {
  const entries = [{ content: 'Look', priority: 'high', status: 'pending' }]
  expect(lastMessage(inTurn().update({ sessionUpdate: 'plan', entries }))).toEqual({
    role: 'system',
    content: { type: 'plan', steps: entries },
  })
})

test('a tool call tells its name, arguments and result', () => {
  const writer = inTurn().update(tool('c1', { title: 'Read a', name: 'read_file', kind: 'read' }))
  expect(lastMessage(writer)).toEqual({
    role: 'system',
    content: {
      type: 'tool',
      tool: 'read_file',
      args: {},
      result: null,
      toolCallId: 'c1',
      title: 'Read a',
      kind: 'read',
      status: 'pending',
      partial: true,
    },
  })
  writer.update(
    toolUpdate('c1', { status: 'completed', rawInput: { path: 'a' }, rawOutput: 'text' }),
  )
  expect(lastMessage(writer)?.content).toMatchObject({
    args: { path: 'a' },
    result: 'text',
    status: 'completed',
    partial: false,
  })
})

test('the result of a tool call is its content when the agent sends no raw output', () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'out' } }]
  expect(
    lastMessage(inTurn().update(tool('c1', { kind: 'execute', content })))?.content,
  ).toMatchObject({
    tool: 'execute',
    result: content,
  })
})

test('a permission shows its options and its outcome', () => {
  const writer = inTurn().ask('p1', { toolCallId: 'c1', title: 'Write a' })
  expect(lastMessage(writer)).toMatchObject({
    role: 'system',
    content: { type: 'permission', permissionId: 'p1', title: 'Write a', outcome: null },
  })
  const answered = foldEvents(writer.answer('p1', 'no').events).items.at(-1)!
  expect(messageOf(answered)?.content).toMatchObject({
    outcome: { outcome: 'selected', optionId: 'no' },
    by: 'ada',
  })
})

test('an ordinary end of a turn is no message', () => {
  expect(lastMessage(inTurn().say('Hi.').end('t1'))).toBeUndefined()
  expect(lastMessage(inTurn().end('t1', 'cancelled'))).toBeUndefined()
})

test('a turn without an answer and a failed turn are told', () => {
  expect(lastMessage(inTurn().end('t1'))).toMatchObject({
    role: 'system',
    content: { type: 'status', text: 'The turn ended without an answer.' },
  })
  const error = { code: 'agent_failed', message: 'No quota.', details: { acp: { code: 429 } } }
  const failed = inTurn().append({ type: 'turn.ended', data: { turnId: 't1', error } })
  expect(lastMessage(failed)).toEqual({
    role: 'system',
    content: { type: 'error', text: 'No quota.', code: 'agent_failed', details: error.details },
  })
})

test('a notice is a status, or an error when it is one', () => {
  const notice = (severity: 'warning' | 'error'): EventBody => ({
    type: 'notice',
    data: { severity, code: 'silence', message: 'Silent for 60 s.' },
  })
  const content = (body: EventBody) => lastMessage(new EventWriter().append(body))?.content
  expect(content(notice('warning'))).toEqual({ type: 'status', text: 'Silent for 60 s.' })
  expect(content(notice('error'))).toEqual({
    type: 'error',
    text: 'Silent for 60 s.',
    code: 'silence',
  })
})

test('a question is a status that can be found again', () => {
  const data = { questionId: 'q1', message: 'Which one?', mode: 'form' }
  expect(lastMessage(new EventWriter().append({ type: 'question.asked', data }))).toMatchObject({
    role: 'system',
    content: { type: 'status', text: 'Which one?', details: { questionId: 'q1', action: null } },
  })
})
