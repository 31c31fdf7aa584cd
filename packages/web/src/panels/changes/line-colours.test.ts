import { expect, test } from 'vitest'
import { colouredParts } from './line-colours.js'

test('a line is split at the ends of words and tokens, and loses no character', () => {
  const words = [
    { text: 'const ', isChanged: false },
    { text: 'total', isChanged: true },
    { text: ' = "a b"', isChanged: false },
  ]
  const tokens = [
    { text: 'const', scope: 'keyword' },
    { text: ' total = ' },
    { text: '"a b"', scope: 'string' },
  ]
  expect(colouredParts(words, tokens)).toEqual([
    { text: 'const', isChanged: false, scope: 'keyword' },
    { text: ' ', isChanged: false },
    { text: 'total', isChanged: true },
    { text: ' = ', isChanged: false },
    { text: '"a b"', isChanged: false, scope: 'string' },
  ])
  expect(colouredParts(words, undefined)).toBe(words)
  expect(
    colouredParts(words, [{ text: 'con' }])
      .map(({ text }) => text)
      .join(''),
  ).toBe('const total = "a b"')
})
