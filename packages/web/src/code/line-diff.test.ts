import { expect, test, vi } from 'vitest'
import { findHunks } from './line-diff.js'

test('the changed words of a line are marked', () => {
  expect(shown('a\n  setup();\nb\n', 'a\n  await setup();\nb\n')).toEqual([
    ' 1 a',
    '-2   setup();',
    '+2   [await ]setup();',
    ' 3 b',
  ])
})

test('distant changes are separate hunks with a gap between them', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`)
  const hunks = findHunks(lines.join('\n'), lines.with(5, 'x').with(50, 'y').join('\n'))
  expect(hunks?.map(({ skipped }) => skipped)).toEqual([2, 38])
})

test('a change is too large to compare by its size, on every machine and at every moment', () => {
  const lines = (word: string) => Array.from({ length: 500 }, (_, at) => `${word} ${at}\n`).join('')
  expect(findHunks(lines('a'), lines('b'))).toBeUndefined()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => performance.now() * 1_000_000)
  expect(findHunks('one\n', 'two\n')).toHaveLength(1)
  clock.mockRestore()
})

test('lines that have nothing in common are not compared word by word', () => {
  expect(shown('alpha\n', 'omega\n')).toEqual(['-1 alpha', '+1 omega'])
})

test('a new file is all additions, an emptied one all deletions, equal texts have no hunks', () => {
  expect(shown('', 'a\nb')).toEqual(['+1 a', '+2 b'])
  expect(shown('a\nb\n', '')).toEqual(['-1 a', '-2 b'])
  expect(shown('a\n', 'a')).toEqual([])
})

function shown(oldText: string, newText: string): string[] {
  return (findHunks(oldText, newText) ?? []).flatMap(({ lines }) =>
    lines.map(({ sign, number, parts }) => {
      const text = parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
      return `${sign}${number} ${text}`
    }),
  )
}
