import type { SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { type Quirks, UpdateFilter } from './quirks.js'

function chunk(text: string, extra: Record<string, unknown> = {}): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...extra }
}

function thought(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }
}

/** The text that a client shows in the end. */
function read(quirks: Quirks, updates: readonly SessionUpdate[]): string {
  const filter = new UpdateFilter(quirks)
  let text = ''
  for (const update of updates) {
    const passed = filter.apply(update)
    const content = passed?.['content'] as { text?: string } | undefined
    const replaces = JSON.stringify(passed?.['_meta'] ?? {}).includes('"replaces":true')
    if (content?.text !== undefined) text = replaces ? content.text : text + content.text
  }
  return text
}

test('without quirks everything passes as it came', () => {
  const filter = new UpdateFilter({})
  const update = chunk('Hello ')
  expect(filter.apply(update)).toBe(update)
  expect(read({}, [chunk('Hello '), chunk('World')])).toBe('Hello World')
  expect(read({}, [chunk('ha'), chunk('ha')])).toBe('haha')
})

test('a snapshot stream ends with its last snapshot', () => {
  expect(
    read(
      { chunks: 'snapshot' },
      ['H', 'He', 'Hel'].map((text) => chunk(text)),
    ),
  ).toBe('Hel')
  expect(
    read(
      { chunks: 'snapshot' },
      ['Hello', 'Hello', 'Help'].map((text) => chunk(text)),
    ),
  ).toBe('Help')
  expect(
    read(
      { chunks: 'snapshot' },
      ['Hello', 'Hell'].map((text) => chunk(text)),
    ),
  ).toBe('Hell')
})

test('under the snapshot quirk random snapshots always end with the last one', () => {
  let state = 42
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  for (let round = 0; round < 500; round += 1) {
    let text = ''
    const snapshots = Array.from({ length: 1 + Math.floor(next() * 20) }, () => {
      if (next() < 0.1) text = text.slice(0, Math.floor(next() * text.length))
      text += '| a | ```ts\n😀é'.slice(0, Math.floor(next() * 15))
      return text
    })
    expect(
      read(
        { chunks: 'snapshot' },
        snapshots.map((snapshot) => chunk(snapshot)),
      ),
    ).toBe(text)
  }
})

test('a snapshot after a tool call, in another message or in a new turn begins anew', () => {
  const filter = new UpdateFilter({ chunks: 'snapshot' })
  const textOf = (update: SessionUpdate) =>
    (filter.apply(update)?.['content'] as { text: string } | undefined)?.text
  expect(textOf(chunk('One'))).toBe('One')
  filter.apply({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' })
  expect(textOf(chunk('One more'))).toBe('One more')
  expect(textOf(chunk('One more thing', { messageId: 'b' }))).toBe('One more thing')
  filter.startTurn()
  expect(textOf(chunk('One more thing', { messageId: 'b' }))).toBe('One more thing')
})

test('a snapshot begins anew after a new item, and continues after a change of a known one', () => {
  const plan = { sessionUpdate: 'plan', entries: [] }
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'T' }
  const quirks = { chunks: 'snapshot' } as const
  expect(read(quirks, [chunk('One'), call, chunk('Two')])).toBe('OneTwo')
  expect(read(quirks, [call, plan, chunk('One'), call, plan, chunk('One more')])).toBe('One more')
})

test('thought blocks are separated, thoughts of other agents are not touched', () => {
  const thoughts = [thought('**Plan**\nRead.'), thought('**Next**\nWrite.')]
  expect(read({ thoughts: 'blocks' }, thoughts)).toBe('**Plan**\nRead.\n\n**Next**\nWrite.')
  expect(read({}, thoughts)).toBe('**Plan**\nRead.**Next**\nWrite.')
})

test('a mode that is announced as text becomes a mode update, only where the manifest says so', () => {
  const announced = chunk('[MODE_UPDATE] autoEdit')
  expect(new UpdateFilter({ modeUpdatePrefix: '[MODE_UPDATE] ' }).apply(announced)).toEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'autoEdit',
  })
  expect(new UpdateFilter({}).apply(announced)).toBe(announced)
})
