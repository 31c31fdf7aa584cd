import { expect, test } from 'vitest'
import { parseJsonHead } from './json-head.js'

const VALUE = {
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    list: [1, -2.5e3, true, null, 'a"b\\c\u0001ä€😀', [], {}],
    n: { deep: [[{ x: 'y' }]] },
  },
}

test('a text cut anywhere gives what stood before the cut', () => {
  const text = JSON.stringify(VALUE)
  expect(parseJsonHead(text)).toEqual(VALUE)
  for (let end = 1; end < text.length; end += 1) {
    const parsed = parseJsonHead(text.slice(0, end))
    expect(parsed, `cut at ${end}: ${text.slice(0, end)}`).toBeTypeOf('object')
  }
})

test('a cut string ends with an ellipsis, a cut key or number is left out', () => {
  expect(parseJsonHead('{"a":"hel')).toEqual({ a: 'hel…' })
  expect(parseJsonHead('{"a":"hel\\')).toEqual({ a: 'hel…' })
  expect(parseJsonHead('{"a":"hel\\\\')).toEqual({ a: 'hel\\…' })
  expect(parseJsonHead('{"a":"hel\\u12')).toEqual({ a: 'hel…' })
  expect(parseJsonHead('{"a":1,"bc')).toEqual({ a: 1 })
  expect(parseJsonHead('{"a":1,"bc":')).toEqual({ a: 1 })
  expect(parseJsonHead('{"a":1,"bc":12')).toEqual({ a: 1 })
  expect(parseJsonHead('[1,2,"x",tr')).toEqual([1, 2, 'x'])
})

test.each(['', 'Loading model…', '}', '{"a" 1,', '[1 2,'])('%s is no JSON', (text) => {
  expect(parseJsonHead(text)).toBeUndefined()
})

test('a hostile text of one megabyte is read before the test times out', () => {
  for (const text of ['[', '{"a":', '"', '\\', '["\\', ',', ']'])
    expect(() => parseJsonHead(text.repeat(1_000_000 / text.length))).not.toThrow()
}, 30_000)
