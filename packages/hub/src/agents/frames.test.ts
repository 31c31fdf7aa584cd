import { expect, test } from 'vitest'
import { classify, LineSplitter, parseLine } from './frames.js'

function linesOf(chunks: readonly Buffer[], maxChars?: number): string[] {
  const splitter = new LineSplitter(maxChars)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()].map(
    ({ text, tooLong }) => (tooLong ? `too long: ${text}` : text),
  )
}

function framesOf(text: string) {
  return parseLine({ text, tooLong: false })
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

test('a method with an id is a request, without one a notification', () => {
  expect(classify({ id: 1, method: 'session/request_permission' })).toMatchObject({ is: 'request' })
  expect(classify({ id: null, method: 'x' })).toMatchObject({ is: 'request' })
  expect(classify({ method: 'session/update' })).toMatchObject({
    is: 'notification',
    method: 'session/update',
  })
})

test('an id with a result or an error is a response', () => {
  expect(classify({ id: 1, result: {} })).toMatchObject({ is: 'response' })
  expect(classify({ id: '1', error: { code: 1 } })).toMatchObject({ is: 'response' })
})

test('a batch gives all its messages in order, what is no object is junk', () => {
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
