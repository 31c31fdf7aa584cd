// Reading lines without parsing gives exactly the result of parsing, for any lines.
import { expect, test } from 'vitest'
import { ChunkLines } from './chunk-lines.js'
import { isObject, type JsonObject } from '../../json.js'

function line(text: string, more: { update?: object; content?: object; params?: object } = {}) {
  const content = { type: 'text', text, ...more.content }
  const update = { sessionUpdate: 'agent_message_chunk', content, ...more.update }
  const params = { sessionId: 's', update, ...more.params }
  return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })
}

/** The params that a reader hands over, and the number of lines that were joined into them. */
function read(lines: readonly string[]): [unknown, number][] {
  const seen: [unknown, number][] = []
  const chunks = new ChunkLines((params, joined) => seen.push([params, joined]))
  for (const text of lines) {
    if (chunks.join(text)) continue
    const message = parse(text)
    if (message === undefined) continue
    chunks.learn(text, message)
    seen.push([message['params'], 1])
  }
  chunks.flush()
  return seen
}

function parse(text: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}

const paramsOf = (text: string): unknown => parse(text)?.['params']

test('lines that differ only in their text are one update with all of it', () => {
  const lines = ['Hel', 'lo\n', '', ' "wörld" \\ 👋', '<text>'].map((text) => line(text))
  expect(read(lines)).toEqual([
    [paramsOf(line('Hel')), 1],
    [paramsOf(line('lo\n "wörld" \\ 👋<text>')), 4],
  ])
})

test('answers and thoughts that alternate are learned once', () => {
  const thought = { update: { sessionUpdate: 'agent_thought_chunk' } }
  const tool = line('', { update: { sessionUpdate: 'tool_call', toolCallId: 'c' } })
  const first = [line('a'), line('b', thought), tool]
  const lines = [line('c'), line('d', thought), line('e', thought), tool, line('f'), line('g')]
  const [parsed, joined] = [read(first), read([...first, ...lines]).slice(first.length)]
  expect(parsed).toEqual(first.map((text) => [paramsOf(text), 1]))
  expect(joined).toEqual([
    [paramsOf(line('c')), 1],
    [paramsOf(line('de', thought)), 2],
    [paramsOf(tool), 1],
    [paramsOf(line('fg')), 2],
  ])
})

test('a line with something nested too deeply to be written again is only not learned', () => {
  const deep = line('a', { params: { _meta: 0 } }).replace(
    '"_meta":0',
    `"_meta":${'['.repeat(9_000)}${']'.repeat(9_000)}`,
  )
  expect(read([deep, line('b')]).map(([, chunks]) => chunks)).toEqual([1, 1])
})

test.each([
  ['another session', line('b', { params: { sessionId: 't' } })],
  ['another message', line('b', { update: { messageId: 'm' } })],
  ['a thought', line('b', { update: { sessionUpdate: 'agent_thought_chunk' } })],
  ['a chunk with metadata', line('b', { update: { _meta: { text: 'b' } } })],
  ['a chunk with annotations', line('b', { content: { annotations: { text: 'b' } } })],
  ['a field behind a text that ends its line early', line('b","more":"c').replaceAll('\\"', '"')],
  ['a text that is named twice', line('b').replace('"text":"b"', '"text":"a","text":"b"')],
  ['spaces', line('b').replaceAll(':', ': ')],
])('%s is not joined to the text before it', (_what, other) => {
  const lines = [line('a'), other, line('c')]
  expect(read(lines)).toEqual(lines.map((text) => [paramsOf(text), 1]))
})

test.each([
  ['a control character', line('b').replace('"b"', '"\t"')],
  ['a text without an end', line('b').replace('"b"', '"b\\"')],
  ['a line that was cut', line('b').slice(0, -1)],
  ['a line without its text', line('').replace('""', '"')],
])('%s is no chunk', (_what, odd) => {
  expect(read([line('a'), odd, line('c')])).toEqual([
    [paramsOf(line('a')), 1],
    [paramsOf(line('c')), 1],
  ])
})
