// The changed lines between two texts.
import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.js'

test('a changed line is shown with the lines around it', () => {
  expect(shown('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nX\ne\nf\n')).toEqual([
    ' 1 a',
    ' 2 b',
    ' 3 c',
    '-4 d',
    '+4 X',
    ' 5 e',
    ' 6 f',
  ])
})

test('lines far from the change are left out', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)
  const changed = lines.with(49, 'changed')

  expect(diffLines(lines.join('\n'), changed.join('\n')).map(({ number }) => number)).toEqual([
    47, 48, 49, 50, 50, 51, 52, 53,
  ])
})

test('a new file is all additions, an emptied one all deletions', () => {
  expect(shown('', 'a\nb\n')).toEqual(['+1 a', '+2 b'])
  expect(shown('a\nb\n', '')).toEqual(['-1 a', '-2 b'])
})

test('a line that is repeated is added once', () => {
  expect(shown('a\na\n', 'a\na\na\n')).toEqual([' 1 a', ' 2 a', '+3 a'])
})

test('equal texts have no changes', () => {
  expect(diffLines('a\nb', 'a\nb').filter(({ sign }) => sign !== ' ')).toEqual([])
})

function shown(oldText: string, newText: string): string[] {
  return diffLines(oldText, newText).map(({ sign, number, text }) => `${sign}${number} ${text}`)
}
