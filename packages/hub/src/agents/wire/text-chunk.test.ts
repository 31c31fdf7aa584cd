import type { SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { isPlainTextChunk, isTextChunk, withText } from './text-chunk.js'

function chunk(fields: object = {}, content: object = {}): SessionUpdate {
  const text = { type: 'text', text: 'a', ...content }
  return { sessionUpdate: 'agent_message_chunk', content: text, ...fields }
}

test.each([
  ['a message', chunk()],
  ['a thought', chunk({ sessionUpdate: 'agent_thought_chunk' })],
  ['a chunk with a message id', chunk({ messageId: 'm' })],
  ['a chunk whose message id is null', chunk({ messageId: null })],
  ['an empty text', chunk({}, { text: '' })],
])('%s is plain', (_what, update) => {
  expect([isTextChunk(update), isPlainTextChunk(update)]).toEqual([true, true])
})

test.each([
  ['metadata', chunk({ _meta: {} })],
  ['annotations', chunk({}, { annotations: {} })],
  ['an unknown field', chunk({ colour: 'red' })],
  ['an unknown field instead of a message id', chunk({ messageId: undefined, colour: 'red' })],
  ['a message id that is no text', chunk({ messageId: { deep: [] } })],
])('text with %s is not plain', (_what, update) => {
  expect([isTextChunk(update), isPlainTextChunk(update)]).toEqual([true, false])
})

test.each([
  ['an echo of the user', chunk({ sessionUpdate: 'user_message_chunk' })],
  ['a tool call', chunk({ sessionUpdate: 'tool_call' })],
  ['an image', chunk({}, { type: 'image' })],
  ['a text that is no text', chunk({}, { text: 5 })],
  ['no content', { sessionUpdate: 'agent_message_chunk' }],
  ['a list', chunk({ content: ['text'] })],
])('%s is no text chunk', (_what, update) => {
  expect([isTextChunk(update), isPlainTextChunk(update)]).toEqual([false, false])
})

test('another text leaves every other field as it was', () => {
  const update = chunk({ _meta: { seen: true } }, { annotations: { a: 1 } })
  expect(isTextChunk(update) && withText(update, 'b')).toEqual(
    chunk({ _meta: { seen: true } }, { text: 'b', annotations: { a: 1 } }),
  )
})
