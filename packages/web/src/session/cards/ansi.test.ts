import { expect, test } from 'vitest'
import { readAnsi, tailOf } from './ansi.js'

const textOf = (output: string) =>
  readAnsi(output)
    .map(({ text }) => text)
    .join('')

test('colours by name, from the table and of their own are kept', () => {
  const pieces = readAnsi(
    '\u001B[32mgreen\u001B[0m \u001B[1;38;5;196mred\u001B[0m\u001B[38;2;1;2;3mown',
  )
  expect(pieces).toMatchObject([
    { text: 'green', foreground: { name: 'green' } },
    { text: ' ' },
    { text: 'red', foreground: { css: 'rgb(255 0 0)' }, marks: ['bold'] },
    { text: 'own', foreground: { css: 'rgb(1 2 3)' } },
  ])
})

test('a reset without a number is one', () => {
  expect(readAnsi('\u001B[33mhash\u001B[m words')).toMatchObject([
    { text: 'hash', foreground: { name: 'yellow' } },
    { text: ' words', foreground: undefined },
  ])
})

test('sequences that do more than colour are dropped', () => {
  expect(textOf('a\u001B]52;c;ZXZpbA==\u0007b')).toBe('ab')
  expect(textOf('a\u001B]0;title\u001B\\b\u001B[2J\u001B[1;1Hc\u001B[?25ld')).toBe('abcd')
  expect(textOf('a\u001B]8;;https://evil.example\u0007b\u001B]8;;\u0007c')).toBe('abc')
  expect(textOf('a\u001BPq#0\u001B\\b\u001Bcd')).toBe('abd')
})

test('an overwritten line shows its last text, and hidden text is visible', () => {
  expect(textOf('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n')
  expect(textOf('\u001B[8mrm -rf /\u001B[0m')).toBe('rm -rf /')
  expect(textOf('a\u202Eb\u0008c')).toBe(String.raw`a\u202eb\u0008c`)
})

test('a long output is shown from the beginning of a line', () => {
  expect(tailOf('1\n2\n3\n4\n', 2)).toEqual({ text: '3\n4', left: 2 })
  expect(tailOf('1\n2', 5)).toEqual({ text: '1\n2', left: 0 })
})
