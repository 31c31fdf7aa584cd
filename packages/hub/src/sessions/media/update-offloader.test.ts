import type { SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { UpdateOffloader } from './update-offloader.js'

const URI = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='

function intake(): UpdateOffloader {
  return new UpdateOffloader(() => '/media/x')
}

function text(text: string, extra: object = {}): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...extra }
}

const THOUGHT = { sessionUpdate: 'agent_thought_chunk' }
const USAGE = { sessionUpdate: 'usage_update', used: 1, size: 2 }
const TOOL = { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A' }
const TOOL_NEWS = { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' }

test('ordinary updates pass as the same objects', () => {
  const media = intake()
  for (const update of [text('Hello'), text(' world'), TOOL, TOOL_NEWS, USAGE])
    expect(media.offload(update)).toEqual([update])
  const same = text('again')
  expect(media.offload(same)[0]).toBe(same)
  expect(media.flush()).toEqual([])
})

test('an image that streams in over many chunks comes out as one reference', () => {
  const media = intake()
  const out = `![x](${URI}) done`.split('').flatMap((character) => media.offload(text(character)))
  expect(out.map((update) => (update['content'] as { text: string }).text).join('')).toBe(
    '![x](/media/x) done',
  )
})

test.each<[string, SessionUpdate]>([
  ['usage', USAGE],
  ['news about a known tool call', TOOL_NEWS],
  ['an unknown update', { sessionUpdate: 'weather_update' }],
])('%s does not cut an image in two', (_what, between) => {
  const media = intake()
  media.offload(TOOL)
  expect(media.offload(text(URI.slice(0, 30)))).toEqual([])
  expect(media.offload(between)).toEqual([between])
  expect(media.offload(text(`${URI.slice(30)})`))).toEqual([text('/media/x)')])
})

test.each<[string, SessionUpdate]>([
  ['a tool call', TOOL],
  ['news about an unknown tool call', TOOL_NEWS],
  ['a plan', { sessionUpdate: 'plan', entries: [] }],
  ['a thought', text('hm', THOUGHT)],
  ['another message', text('hm', { messageId: 'other' })],
  ['an image', text('', { content: { type: 'image', uri: 'x', mimeType: 'image/png' } })],
  ['an echo of the user', text('hm', { sessionUpdate: 'user_message_chunk' })],
])('%s comes after the text that was held back before it', (_what, next) => {
  const media = intake()
  expect(media.offload(text('see data', { messageId: 'm' }))).toEqual([
    text('see ', { messageId: 'm' }),
  ])
  expect(media.offload(next)).toEqual([text('data', { messageId: 'm' }), next])
})

test('what is held back at the end of a turn is flushed once, as the message it belongs to', () => {
  const media = intake()
  expect(media.offload(text('d', THOUGHT))).toEqual([])
  expect(media.flush()).toEqual([text('d', THOUGHT)])
  expect(media.flush()).toEqual([])
})

test('a chunk without a message id continues the message before it', () => {
  const media = intake()
  media.offload(text(URI.slice(0, 10), { messageId: 'm' }))
  expect(media.offload(text(`${URI.slice(10)} `))).toEqual([text('/media/x ')])
})

test('a chunk that says more than text is kept while its text is held back', () => {
  const media = intake()
  const meta = { _meta: { seen: true } }
  expect(media.offload(text('data', meta))).toEqual([text('', meta)])
  expect(media.flush()).toEqual([text('data')])
})

test('a text that replaces the message replaces what was held back too', () => {
  const media = intake()
  const replaces = { _meta: { quayside: { replaces: true } } }
  media.offload(text('so data:image'))
  expect(media.offload(text('new data', replaces))).toEqual([text('new data', replaces)])
  expect(media.flush()).toEqual([])
})

test('a huge text is stored as several chunks and loses nothing', () => {
  const media = intake()
  const long = '🙂'.repeat(300_000)
  const out = media.offload(text(long, { messageId: 'm' }))
  expect(out.length).toBeGreaterThan(4)
  const pieces = out.map((update) => (update['content'] as { text: string }).text)
  expect(pieces.join('')).toBe(long)
  for (const piece of pieces) expect(piece.codePointAt(0)).toBe('🙂'.codePointAt(0))
  expect(out.every(({ messageId }) => messageId === 'm')).toBe(true)
})

test.each([null, 'text', { type: 'text' }, { type: 'text', text: 5 }, []])(
  'a chunk whose content is %j passes',
  (content) => {
    const update = { sessionUpdate: 'agent_message_chunk', content, _meta: { quayside: null } }
    expect(intake().offload(update)).toEqual([update])
  },
)
