import { expect, test } from 'vitest'
import { countLines } from './count-lines.js'

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)

test('two small changes far from each other are two lines, not all between them', () => {
  const changed = LINES.with(4, 'first').with(90, 'second')
  expect(countLines(LINES.join('\n'), changed.join('\n'))).toEqual({ added: 2, removed: 2 })
})

test('a new file is all additions, an emptied one all deletions, an equal one has none', () => {
  expect(countLines('', 'a\na\nb\n')).toEqual({ added: 3, removed: 0 })
  expect(countLines('a\na\nb\n', '')).toEqual({ added: 0, removed: 3 })
  expect(countLines('a\nb\n', 'a\nb\n')).toEqual({ added: 0, removed: 0 })
})

test('a line that is repeated once more is one addition', () => {
  expect(countLines('x\na\ny\n', 'x\na\na\nz\n')).toEqual({ added: 2, removed: 1 })
})

test('lines in another order are a change', () => {
  expect(countLines('a\nb\n', 'b\na\n')).toEqual({ added: 2, removed: 2 })
})
