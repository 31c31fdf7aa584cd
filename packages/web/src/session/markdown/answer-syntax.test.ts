import type { Token } from 'marked'
import { expect, test } from 'vitest'
import { readBlocks } from './blocks.js'

function read(text: string): readonly Token[] {
  return readBlocks(text, false).tokens.filter(({ type }) => type !== 'space')
}

/** Every formula of a text, in order. */
function formulas(text: string): string[] {
  return JSON.stringify(read(text)).match(/"tex":"(?:[^"\\]|\\.)*"/g) ?? []
}

test.each([
  ['inline $a^2$ here', 'a^2'],
  ['also \\(x+1\\) here', 'x+1'],
  ['$$\n\\frac{a}{b}\n$$', '\\frac{a}{b}'],
  ['\\[ y \\]', 'y'],
  ['text before\n$$z$$\nand after', 'z'],
])('%j has a formula', (text, tex) => {
  expect(formulas(text)).toEqual([`"tex":${JSON.stringify(tex)}`])
})

test.each([
  'it costs $5 and $10',
  'from $5-$10 a month',
  '`$a$` and `\\(b\\)`',
  '```sh\necho $HOME $PATH\n```',
  'a single $ sign',
  'escaped \\$a\\$',
])('%j has none', (text) => {
  expect(formulas(text)).toEqual([])
})

test('an alert has a kind and content, and any other quotation stays one', () => {
  expect(read('> [!WARNING]\n> Mind **this**.\n>\n> - one')).toMatchObject([
    {
      type: 'alert',
      kind: 'warning',
      tokens: [{ type: 'paragraph' }, { type: 'space' }, { type: 'list' }],
    },
  ])
  expect(read('> [!OTHER]\n> text')).toMatchObject([{ type: 'blockquote' }])
})

test('a footnote and its references are found', () => {
  const [paragraph, note] = read('See[^1] this.\n\n[^1]: The *reason*\n  goes on.')
  expect(JSON.stringify(paragraph)).toContain('"type":"footnoteRef","raw":"[^1]","label":"1"')
  expect(note).toMatchObject({ type: 'footnote', label: '1' })
})

test('<details> may be nested, hold Markdown and blank lines, and have no attributes', () => {
  const inner = '<details>\n<summary>B</summary>\ninner\n</details>'
  const [outer, after] = read(
    `<details open>\n<summary>A **b**</summary>\n\n- one\n\n${inner}\n</details>\n\nafter`,
  )
  expect(outer).toMatchObject({ type: 'details', isOpen: true })
  const kinds = (outer as unknown as { tokens: Token[] }).tokens.map(({ type }) => type)
  expect(kinds.filter((type) => type !== 'space')).toEqual(['list', 'details'])
  expect(after).toMatchObject({ type: 'paragraph' })
  expect(read('<details onclick="x">a</details>')).toMatchObject([{ type: 'html' }])
  expect(read('<details>never closed')).toMatchObject([{ type: 'html' }])
})

test('text that streams in becomes the same blocks when it is complete', () => {
  const text = 'Before.\n\n$$\na\n\nb\n$$\n\n<details>\n\none\n\ntwo\n\nthree\n\n</details>\n\nEnd.'
  let blocks
  for (let end = 1; end <= text.length; end += 1)
    blocks = readBlocks(text.slice(0, end), true, blocks)
  const kinds = (tokens: readonly Token[]) => tokens.map(({ type, raw }) => `${type} ${raw}`)
  expect(kinds(readBlocks(text, false, blocks).tokens)).toEqual(
    kinds(readBlocks(text, false).tokens),
  )
})
