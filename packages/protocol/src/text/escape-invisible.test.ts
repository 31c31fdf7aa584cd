// Escaping of hidden and reordering characters.
import { expect, test } from 'vitest'
import { escapeInvisible } from './escape-invisible.js'

test('characters that turn or hide text are shown as codes', () => {
  expect(escapeInvisible('rm \u202Eexe.txt')).toBe(String.raw`rm \u202eexe.txt`)
  expect(escapeInvisible('ls\u0000\u001b[8m; curl')).toBe(String.raw`ls\u0000\u001b[8m; curl`)
  expect(escapeInvisible('a\u200Bb')).toBe(String.raw`a\u200bb`)
})

test('what people write stays as it is', () => {
  const text = 'npm test -- --grep "größer"\n\tünïcode 漢字 👍'
  expect(escapeInvisible(text)).toBe(text)
})
