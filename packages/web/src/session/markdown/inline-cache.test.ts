import { lexer, type Token } from 'marked'
import { expect, test } from 'vitest'
import { readBlocks } from './blocks.js'

const SENTENCE =
  'It has **bold** words, `code spans` and [links](https://example.org/a b), a snake_case, 2 * 3.\n'

test('a long paragraph has the same text in pieces as in one', () => {
  const sources = [SENTENCE.repeat(100), 'plain words only '.repeat(500), 'word\n'.repeat(2_000)]
  for (const source of sources) {
    const inside = insideOf(readBlocks(source, false).tokens)
    expect(inside.filter(({ type }) => type === 'piece').length).toBeGreaterThan(5)
    expect(wordsOf(inside)).toEqual(wordsOf(insideOf(lexer(source, { gfm: true, breaks: true }))))
  }
})

test('no piece ends inside of a mark', () => {
  const source = `${'word '.repeat(190)}**${'bold '.repeat(100)}bold** ${'word '.repeat(600)}`
  const inside = insideOf(readBlocks(source, false).tokens)
  expect(JSON.stringify(inside).match(/"type":"strong"/g)).toHaveLength(1)
})

test('while a paragraph grows, its pieces stay the same objects, but for those at its end', () => {
  const before = readBlocks(SENTENCE.repeat(60), true)
  const after = readBlocks(SENTENCE.repeat(61), true, before)
  const settled = insideOf(before.tokens).slice(0, before.inline.pieces.size)
  expect(settled.length).toBeGreaterThan(3)
  for (const [index, piece] of settled.entries()) expect(insideOf(after.tokens)[index]).toBe(piece)
})

test('while a paragraph grows, its drawn pieces stay the same', () => {
  let before = readBlocks(SENTENCE, true)
  for (let count = 2; count < 80; count += 1) {
    const after = readBlocks(SENTENCE.repeat(count), count < 79, before)
    const drawn = insideOf(before.tokens).slice(0, -1)
    expect(insideOf(after.tokens).slice(0, drawn.length)).toEqual(drawn)
    before = after
  }
  expect(insideOf(before.tokens).length).toBeGreaterThan(5)
})

test('of a list that grows, only the new entry is read', () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, index) => `- the **entry** number ${index}`).join('\n')
  const before = readBlocks(entries(50), true)
  const after = readBlocks(entries(51), true, before)
  const known = [...after.inline.whole].filter(
    ([source, tokens]) => before.inline.whole.get(source) === tokens,
  )
  expect(known).toHaveLength(50)
})

test('words without any gap are read as a whole', () => {
  const source = 'x'.repeat(10_000)
  expect(insideOf(readBlocks(source, false).tokens).map(({ raw }) => raw)).toEqual([source])
})

test('only the inside that the text ends with is closed for the eye', () => {
  const types = (source: string) =>
    JSON.stringify(readBlocks(source, true).tokens).match(/"type":"(?:strong|codespan|link)"/g)
  expect(types('- one\n- some **bold')).toHaveLength(1)
  expect(types('some `code')).toHaveLength(1)
  expect(types('an open ** mark\n\n```ts\nconst a')).toBeNull()
})

test('a link that is not complete shows its words only', () => {
  const { tokens } = readBlocks('see [the docs](https://exam', true)
  expect(wordsOf(insideOf(tokens))).toEqual(['text see the docs'])
})

function insideOf(blocks: readonly Token[]): readonly Token[] {
  const [paragraph] = blocks
  expect(paragraph?.type).toBe('paragraph')
  return paragraph && 'tokens' in paragraph ? (paragraph.tokens ?? []) : []
}

/** The marks and the text between them, independent of how the text was split. */
function wordsOf(tokens: readonly Token[]): string[] {
  const all: string[] = []
  for (const token of tokens.flatMap((one) => (one.type === 'piece' ? (one.tokens ?? []) : one))) {
    const isMore = token.type === 'text' && all.at(-1)?.startsWith('text ')
    if (isMore) all.push(`${all.pop()}${token.raw}`)
    else all.push(`${token.type} ${token.raw}`)
  }
  return all
}
