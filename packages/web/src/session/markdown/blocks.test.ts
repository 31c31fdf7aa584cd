import { expect, test } from 'vitest'
import { readBlocks, type Blocks } from './blocks.js'

const SOURCE = [
  '# A title',
  'Some *text* with `code` and **bold** words.\nOn two lines.',
  '- one\n- two\n\n  still two\n\n- three',
  '```ts\nconst a = 1\n\nconst b = 2\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> quoted\n> more',
  'Setext\n======',
  'The end.',
].join('\n\n')

test('text that streams in pieces ends up like text that is parsed at once', () => {
  for (const size of [1, 3, 7, 50]) {
    let blocks: Blocks | undefined
    for (let end = size; end < SOURCE.length + size; end += size)
      blocks = readBlocks(SOURCE.slice(0, end), true, blocks)
    expect(shapeOf(blocks?.tokens), `in pieces of ${size}`).toEqual(
      shapeOf(readBlocks(SOURCE, false).tokens),
    )
  }
})

test('blocks that are settled stay the same objects', () => {
  const first = readBlocks('One.\n\nTwo.\n\nThree.\n\nFour', true)
  const second = readBlocks('One.\n\nTwo.\n\nThree.\n\nFour and more', true, first)
  expect(first.settled).toBeGreaterThan(0)
  for (let index = 0; index < first.settled; index += 1)
    expect(second.tokens[index]).toBe(first.tokens[index])
})

test('open marks are closed while streaming, and another text starts afresh', () => {
  const { tokens } = readBlocks('some **bold', true)
  expect(JSON.stringify(tokens)).toContain('"type":"strong"')
  const before = readBlocks('One.\n\nTwo.\n\nThree.', true)
  expect(shapeOf(readBlocks('Other', true, before).tokens)).toEqual(['paragraph Other'])
})

test('of a long answer only the end is read again', () => {
  const { source, settledLength } = readBlocks(`${'word '.repeat(20)}\n\n`.repeat(2_000), true)
  expect(source.length - settledLength).toBeLessThan(500)
})

function shapeOf(tokens: readonly { type: string; raw: string }[] | undefined): string[] {
  return (tokens ?? [])
    .filter(({ type }) => type !== 'space')
    .map(({ type, raw }) => `${type} ${raw.trim()}`)
}
