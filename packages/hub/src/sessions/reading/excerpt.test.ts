import { describe, expect, test } from 'vitest'
import { excerptOf } from './excerpt.js'
import { readSearch } from './search-words.js'

function excerpt(text: string, search: string) {
  return excerptOf(text, readSearch(search)?.matchesIn ?? (() => []))
}

function textOf(parts: ReturnType<typeof excerpt>): string {
  return parts.map(({ text }) => text).join('')
}

describe('an excerpt', () => {
  test('marks whole words, and beginnings of the last word searched for', () => {
    expect(excerpt('Deploy the deployment to deploy-1', 'the depl')).toEqual([
      { text: 'Deploy', match: true },
      { text: ' ', match: false },
      { text: 'the', match: true },
      { text: ' ', match: false },
      { text: 'deployment', match: true },
      { text: ' to ', match: false },
      { text: 'deploy', match: true },
      { text: '-1', match: false },
    ])
  })

  test('of a long text begins shortly before the first match and is short', () => {
    const text = `${'before '.repeat(500)}needle${' after'.repeat(500)}`
    const parts = excerpt(text, 'needle')
    expect(textOf(parts).length).toBeLessThanOrEqual(210)
    // In the first of two lines of a sidebar.
    expect(textOf(parts).indexOf('needle')).toBeLessThanOrEqual(21)
    expect(textOf(parts)).toMatch(/^…before .*needle after.*after…$/)
    expect(parts.filter(({ match }) => match)).toEqual([{ text: 'needle', match: true }])
  })

  test('begins where the words are together, not where the first of them is alone', () => {
    const text = `Part one. ${'More of it. '.repeat(50)} This is part 20 of all.`
    const parts = excerpt(text, 'part 20')
    expect(textOf(parts)).toBe('…of it. This is part 20 of all.')
    expect(parts.filter(({ match }) => match).map((part) => part.text)).toEqual(['part', '20'])
  })

  test('has no line breaks, control characters or markup of its own', () => {
    expect(excerpt('a\n\n\tb\u0000\u001B[31m <b>c</b>', 'c')).toEqual([
      { text: 'a b [31m <b>', match: false },
      { text: 'c', match: true },
      { text: '</b>', match: false },
    ])
  })

  test('never cuts a character in two', () => {
    const parts = excerpt('😀'.repeat(2_000), 'x')
    expect(textOf(parts).replaceAll('😀', '')).toBe('…')
  })

  test('of a text without a match is its beginning', () => {
    expect(excerpt('nothing here', 'x')).toEqual([{ text: 'nothing here', match: false }])
    expect(excerpt('', 'x')).toEqual([])
  })
})

describe('a search', () => {
  test('keeps words only; words without a space between them are a phrase', () => {
    expect(readSearch('  open "session.ts" NOT ')).toMatchObject({
      phrases: [['open'], ['session', 'ts'], ['NOT']],
      mayBePrefix: true,
    })
  })

  test('does not take one or two letters as the beginning of words, but a Chinese character', () => {
    expect(readSearch('ab')).toMatchObject({ mayBePrefix: false })
    expect([...readSearch('ab')!.matchesIn('abc')]).toEqual([])
    expect(readSearch('你')).toMatchObject({ phrases: [['你']], mayBePrefix: true })
    expect([...readSearch('你')!.matchesIn('你好')]).toHaveLength(1)
  })

  test('without a word is none', () => {
    expect(readSearch('')).toBeUndefined()
    expect(readSearch('"* 🙂 \u0000')).toBeUndefined()
  })

  test('has an end', () => {
    const words = readSearch(`${'é'.repeat(10_000)} ${'w '.repeat(10_000)}`)
    expect(words?.phrases.flat().join(' ').length).toBeLessThan(2_000)
  })
})
