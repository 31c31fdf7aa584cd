// The line at the cut of a truncated text.
import { expect, test } from 'vitest'
import { type CutText, readCut, writeCut } from './cut-text.js'

const PLACE = { media: '/media/0199-a_b', bytes: 1_048_576 }

test.each([
  { text: 'first\nsecond', is: 'beginning', ...PLACE },
  { text: 'second to last\nlast\n', is: 'end', ...PLACE },
  { text: '', is: 'end', ...PLACE },
] satisfies CutText[])('a text of which the $is is there says where all of it is', (cut) => {
  expect(readCut(writeCut(cut))).toEqual(cut)
})

test.each([
  '',
  'a whole text\n',
  '[… cut here; all of it is in the events of the session]',
  'x\n[… cut here; all 5 bytes: https://example.com/media/1]',
  'x\n[… cut here; all 5 bytes: //example.com/media/1]',
  'x\n[… cut here; all 5 bytes: /media/../api/tokens]',
  'x\n[… cut here; all 5 bytes: /media/1?x]',
  'x\n[… cut here; all many bytes: /media/1]',
  'x [… cut here; all 5 bytes: /media/1]',
  'x\n[… cut here; all 5 bytes: /media/1] and more',
])('%o is no cut', (text) => {
  expect(readCut(text)).toBeUndefined()
})
