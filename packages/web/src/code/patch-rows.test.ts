import { expect, test } from 'vitest'
import { patchRows } from './patch-rows.js'

const PATCH = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -3,4 +3,5 @@ function a() {
 one
-two
+TWO
+2.5
 three
@@ -20 +21 @@
-old
+new
\\ No newline at end of file
`

test('each line has its sign and its number, and the gaps are known', () => {
  expect(patchRows(PATCH)).toEqual([
    { is: 'gap', from: 1, to: 2, shift: 0, text: 'function a() {' },
    { is: 'line', sign: ' ', number: 3, before: 3, text: 'one' },
    { is: 'line', sign: '-', number: 4, text: 'two', other: 'TWO' },
    { is: 'line', sign: '+', number: 4, text: 'TWO', other: 'two' },
    { is: 'line', sign: '+', number: 5, text: '2.5' },
    { is: 'line', sign: ' ', number: 6, before: 5, text: 'three' },
    { is: 'gap', from: 7, to: 20, shift: -1, text: '' },
    { is: 'line', sign: '-', number: 20, text: 'old', other: 'new' },
    { is: 'line', sign: '+', number: 21, text: 'new', other: 'old' },
    { is: 'note', text: 'No newline at end of file' },
    { is: 'gap', from: 22, to: undefined, shift: -1, text: '' },
  ])
})

test('lines of a file that look like the head of a patch are lines', () => {
  const rows = patchRows('--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n--- a/x\n+++ b/x\n+@@ no hunk\n')
  expect(rows.slice(1, -1)).toEqual([
    { is: 'line', sign: '-', number: 1, text: '-- a/x', other: '++ b/x' },
    { is: 'line', sign: '+', number: 1, text: '++ b/x', other: '-- a/x' },
    { is: 'line', sign: '+', number: 2, text: '@@ no hunk' },
  ])
})

test('a gap before removed lines ends at the line before them', () => {
  expect(patchRows('@@ -5,2 +4,0 @@\n-five\n-six\n')).toEqual([
    { is: 'gap', from: 1, to: 4, shift: 0, text: '' },
    { is: 'line', sign: '-', number: 5, text: 'five' },
    { is: 'line', sign: '-', number: 6, text: 'six' },
    { is: 'gap', from: 5, to: undefined, shift: 2, text: '' },
  ])
})

test('a patch without lines has no rows', () => {
  expect(patchRows('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n')).toEqual([])
  expect(patchRows('')).toEqual([])
})
