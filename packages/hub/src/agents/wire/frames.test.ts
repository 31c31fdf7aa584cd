import { expect, test } from 'vitest'
import { classify, limitDepth, LineSplitter, parseLine } from './frames.js'

function linesOf(chunks: readonly Buffer[], maxChars?: number): string[] {
  const splitter = new LineSplitter(maxChars)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()].map(
    ({ text, tooLong }) => (tooLong ? `too long: ${text}` : text),
  )
}

function framesOf(text: string) {
  return parseLine({ text, tooLong: false })
}

function kindOf(message: unknown) {
  return classify(message, '').is
}

test('any split of the bytes gives the same lines, also inside a character', () => {
  const bytes = Buffer.from('{"a":"ä€😀"}\n\n{"b":1}\nlast without newline')
  const whole = linesOf([bytes])
  expect(whole).toEqual(['{"a":"ä€😀"}', '', '{"b":1}', 'last without newline'])
  for (let size = 1; size <= bytes.length; size += 1) {
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    expect(linesOf(chunks)).toEqual(whole)
  }
})

test('a line over the cap is skipped to its end, and the next one is whole', () => {
  const long = 'x'.repeat(1_000)
  const lines = linesOf([Buffer.from(long), Buffer.from(`${long}\nnext\n`)], 500)
  expect(lines).toEqual([`too long: ${'x'.repeat(200)}`, 'next'])
})

test('the cap counts what a line has in all chunks, and a line of exactly its length passes', () => {
  const cap = 'x'.repeat(500)
  const chunks = [`${cap}\n${cap}y\n${cap.slice(1)}`, `x\n${cap}`, 'y\n\nnext\n'].map((text) =>
    Buffer.from(text),
  )
  const tooLong = `too long: ${'x'.repeat(200)}`
  expect(linesOf(chunks, 500)).toEqual([cap, tooLong, cap, tooLong, '', 'next'])
})

test('JSON-RPC classification: a method with an id is a request, without one a notification', () => {
  expect(kindOf({ id: 1, method: 'session/request_permission' })).toBe('request')
  expect(kindOf({ id: null, method: 'x' })).toBe('request')
  expect(kindOf({ id: 1.5, method: 'x' })).toBe('request')
  expect(classify({ method: 'session/update' }, '')).toMatchObject({
    is: 'notification',
    method: 'session/update',
  })
})

test.each([[{}], [[]], [true], [Infinity]])('a request with the id %j is junk', (id) => {
  expect(kindOf({ id, method: 'x' })).toBe('junk')
})

test('JSON-RPC classification: an id with a result or an error is a response', () => {
  expect(kindOf({ id: 1, result: {} })).toBe('response')
  expect(kindOf({ id: '1', error: { code: 1 } })).toBe('response')
})

test('JSON-RPC batch frames: a batch gives all its messages in order, what is no object is junk', () => {
  const frames = framesOf('[{"id":1,"result":1},{"method":"m"},7,"text",null,[]]')
  expect(frames.map(({ is }) => is)).toEqual([
    'response',
    'notification',
    'junk',
    'junk',
    'junk',
    'junk',
  ])
})

test.each(['Loading model…', '{broken', '{}', '42', '{"id":1}', '{"method":7}', '"text"'])(
  '%s is junk, not an exception',
  (text) => {
    expect(framesOf(text).map(({ is }) => is)).toEqual(['junk'])
  },
)

test('blank lines, CRLF and a BOM are no trouble', () => {
  expect(framesOf('')).toEqual([])
  expect(framesOf('   \r')).toEqual([])
  expect(framesOf('\uFEFF{"method":"m"}\r')).toMatchObject([{ is: 'notification' }])
})

test('junk keeps only the beginning of its text', () => {
  const [frame] = framesOf('y'.repeat(5_000))
  expect(frame).toMatchObject({ is: 'junk', text: 'y'.repeat(200) })
})

test.each([
  ['{"a":', '1', '}'],
  ['[', '', ']'],
])(
  'what is nested too deeply for JSON.stringify (%s) is junk like any other',
  (open, middle, close) => {
    const text = open.repeat(100_000) + middle + close.repeat(100_000)
    expect(framesOf(text)).toMatchObject([{ is: 'junk', text: text.slice(0, 200) }])
  },
)

test('a message loses only what lies deeper than can be written again', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const message = { a: [1, { b: null }], deep, ['__proto__']: 'own' }
  const limited = limitDepth(message) as typeof message
  expect(JSON.stringify(limited)).toContain('[nested too deeply to keep]')
  expect(limited.a).toEqual(message.a)
  expect(Object.keys(limited)).toEqual(['a', 'deep', '__proto__'])
})
