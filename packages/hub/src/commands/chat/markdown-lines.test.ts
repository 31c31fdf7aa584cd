// Markdown at a terminal: readable, wrapped at words, with nothing lost.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { MarkdownLines } from './markdown-lines.js'

/** Without colours, since the stream is no terminal. */
function render(text: string, columns = 30): string {
  const lines = new MarkdownLines(Object.assign(new PassThrough(), { columns }))
  return text
    .split('\n')
    .flatMap((line) => lines.render(line))
    .join('\n')
}

test.each([
  ['a heading', '## The plan ##', 'The plan'],
  ['strong text and code', 'Use **two** `**` here', 'Use two ** here'],
  ['emphasis, but not names', 'an *old* file_name_x, 2 * 3 * 4', 'an old file_name_x, 2 * 3 * 4'],
  ['a link', '[docs](https://a.example)', 'docs (https://a.example)'],
  ['a list', '- one\n  1. two', '• one\n  1. two'],
  ['a quote', '> said', '│ said'],
  ['a table', '| a | b |', '| a | b |'],
  ['an empty line', 'a\n\nb', 'a\n\nb'],
])('%s', (_, text, shown) => {
  expect(render(text)).toBe(shown)
})

test('long lines are wrapped at words, those of a list under their text', () => {
  expect(render('- one two three four five six seven', 20)).toBe(
    '• one two three four\n  five six seven',
  )
  expect(render('a https://example.com/a-very-long-address b', 20)).toBe(
    'a\nhttps://example.com/a-very-long-address\nb',
  )
})

test('code is neither wrapped nor read as Markdown, until its fence ends', () => {
  expect(render('```ts\n# not a heading, and longer than it\n``\n```\n# A heading', 10)).toBe(
    '  ts\n    # not a heading, and longer than it\n    ``\nA heading',
  )
})
