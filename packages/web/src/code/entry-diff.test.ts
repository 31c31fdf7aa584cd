import { writeCut } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { countLines, diffOf } from './entry-diff.js'

const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)

function edit(oldText: string | null, newText: string, diff?: object) {
  const meta = diff && { _meta: { quayside: { diff } } }
  return { type: 'diff', path: 'a.ts', oldText, newText, ...meta } as const
}

function count(oldText: string, newText: string) {
  return countLines([edit(oldText, newText)])
}

test('two small changes far from each other are two lines, not all between them', () => {
  const changed = LINES.with(4, 'first').with(90, 'second')
  expect(count(LINES.join('\n'), changed.join('\n'))).toEqual({ added: 2, removed: 2 })
})

test('a new file is all additions, an emptied one all deletions, an equal one has none', () => {
  expect(count('', 'a\na\nb\n')).toEqual({ added: 3, removed: 0 })
  expect(count('a\na\nb\n', '')).toEqual({ added: 0, removed: 3 })
  expect(count('a\nb\n', 'a\nb\n')).toEqual({ added: 0, removed: 0 })
})

test('the counts of several edits are added up', () => {
  const large = edit('a', 'b', { added: 30_000, removed: 20_000 })
  expect(countLines([edit('a\n', 'b\n'), large])).toEqual({ added: 30_001, removed: 20_001 })
})

test('the diff that the hub made of the whole texts counts, not the truncated texts', () => {
  const made = { added: 1, removed: 1, patch: '@@ -9,1 +9,1 @@\n-a\n+b\n', newMedia: '/media/n' }
  expect(diffOf(edit('cut', 'cut', made))).toMatchObject({
    counts: { added: 1, removed: 1 },
    patch: { text: made.patch },
    newText: { media: '/media/n' },
  })
  expect(diffOf(edit(null, 'cut', { added: 9, removed: 0, patchMedia: '/media/p' })).patch).toEqual(
    {
      media: '/media/p',
    },
  )
})

test('truncated texts are not compared, and link to the whole ones', () => {
  const cut = writeCut({ text: 'a\n', is: 'beginning', media: '/media/x', bytes: 9 })
  const diff = diffOf(edit('a\n', cut))
  expect(diff).toEqual({ oldText: { text: 'a\n' }, newText: { media: '/media/x' } })
})
