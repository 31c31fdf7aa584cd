import { expect, test } from 'vitest'
import { colouredParts } from './line-colours.js'

test('words and tokens are cut where either of them ends, and nothing of the line is lost', () => {
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
