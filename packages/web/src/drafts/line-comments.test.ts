import { expect, test } from 'vitest'
import { readLineComments, withLineComments, type LineComment } from './line-comments.js'

const COMMENT: LineComment = {
  id: '1',
  path: 'src/a.ts',
  from: 42,
  to: 43,
  isOld: false,
  code: 'const a = 1\nconst b = 2',
  text: 'Why two?',
  at: 'src/a.ts\n+43',
}

test('comments are sent in order, with location and code, before the message', () => {
  const removed = { ...COMMENT, from: 7, to: 7, isOld: true, code: 'a ``` b', text: 'Keep it.' }
  expect(withLineComments([COMMENT, removed], 'Then run the tests.')).toBe(
    [
      'src/a.ts:42-43\n```\nconst a = 1\nconst b = 2\n```\nWhy two?',
      'src/a.ts:7 (removed)\n````\na ``` b\n````\nKeep it.',
      'Then run the tests.',
    ].join('\n\n'),
  )
  expect(withLineComments([], ' ')).toBe('')
})

test('stored comments are restored, and invalid ones ignored', () => {
  expect(readLineComments([COMMENT, { id: 1 }, null, 7])).toEqual([COMMENT])
})
