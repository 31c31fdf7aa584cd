import type { FileChange } from '@quayside/client'
import { expect, test } from 'vitest'
import { commentOn, selectedRows } from './line-selection.js'
import { patchRows } from '../../code/patch-rows.js'
import { reviewRows, type ReviewOptions, type ReviewRow } from './review-rows.js'

const FILE: FileChange = { path: 'src/a.ts', status: 'M', kind: 'text', added: 2, removed: 2 }
const PATCH = `@@ -3,4 +3,4 @@ function a() {
 three
-four
-five
+FOUR
+FIVE
 six
`
const WHOLE = ['one', 'two', 'three', 'FOUR', 'FIVE', 'six', 'seven']

function options(changes: Partial<ReviewOptions> = {}): ReviewOptions {
  return {
    isSplit: false,
    isFolded: () => false,
    isLarge: () => false,
    patchOf: () => ({ is: 'known', rows: patchRows(PATCH) }),
    linesOf: () => undefined,
    isOpen: () => false,
    commenting: undefined,
    comments: [],
    ...changes,
  }
}

function drawn(rows: readonly ReviewRow[]): string[] {
  return rows.map((row) => {
    if (row.is !== 'line') return row.is
    const side = (line: typeof row.left) => (line ? `${line.sign}${line.number} ${line.text}` : '')
    return `${side(row.left)} | ${side(row.right)}`
  })
}

test('a folded file is its head, and one that was not read waits', () => {
  expect(drawn(reviewRows([FILE], options({ isFolded: () => true })))).toEqual(['file'])
  const unread = options({ patchOf: () => undefined })
  expect(drawn(reviewRows([FILE], unread))).toEqual(['file', 'unread'])
  expect(drawn(reviewRows([FILE], { ...unread, isLarge: () => true }))).toEqual(['file', 'large'])
})

test('side by side, removed lines are beside the lines that replace them', () => {
  expect(drawn(reviewRows([FILE], options({ isSplit: true })))).toEqual([
    'file',
    'gap',
    ' 3 three |  3 three',
    '-4 four | +4 FOUR',
    '-5 five | +5 FIVE',
    ' 6 six |  6 six',
    'gap',
  ])
})

test('omitted lines have their numbers in the old file', () => {
  const patchOf = () => ({ is: 'known', rows: patchRows('@@ -2 +1,0 @@\n-two\n') }) as const
  const given = options({ patchOf, linesOf: () => ['one', 'three'], isOpen: () => true })
  const lines = reviewRows([FILE], given).flatMap((row) => (row.is === 'line' ? [row.right] : []))
  expect(lines.map((line) => line && [line.before, line.number])).toEqual([
    [1, 1],
    undefined,
    [3, 2],
  ])
})

test('omitted lines are shown on request, and the end of the file once it is known', () => {
  const rows = reviewRows(
    [FILE],
    options({ linesOf: () => WHOLE, isOpen: (_, { from }) => from === 1 }),
  )
  expect(drawn(rows)).toHaveLength(10)
  expect(drawn(rows).slice(1, 3)).toEqual([' |  1 one', ' |  2 two'])
  const ended = reviewRows([FILE], options({ linesOf: () => WHOLE.slice(0, 6) }))
  expect(drawn(ended).at(-1)).toBe(' |  6 six')
})

test('a comment names the new lines, quotes them with signs where the sides differ, and follows its last line', () => {
  const rows = reviewRows([FILE], options())
  const chosen = selectedRows(rows, { anchor: 'src/a.ts\n+5', head: 'src/a.ts\n-5' })
  const comment = commentOn(chosen, 'Why?')
  expect(comment).toMatchObject({
    path: 'src/a.ts',
    from: 4,
    to: 5,
    isOld: false,
    code: '-five\n+FOUR\n+FIVE',
    at: 'src/a.ts\n+5',
  })
  const removed = selectedRows(rows, { anchor: 'src/a.ts\n-4', head: 'src/a.ts\n-5' })
  expect(commentOn(removed, '')).toMatchObject({ from: 4, to: 5, isOld: true, code: 'four\nfive' })
  const withIt = reviewRows([FILE], options({ comments: [comment!], commenting: 'src/a.ts\n+6' }))
  expect(drawn(withIt).slice(-5)).toEqual([' | +5 FIVE', 'comment', ' |  6 six', 'form', 'gap'])
})
