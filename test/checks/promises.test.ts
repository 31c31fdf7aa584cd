// Every promise of SECURITY.md names its tests in a comment, and they exist.
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-tree.ts'

const TESTS = /<!-- tests: (.+?) -->/
const FILES = new Set(filesBelow('packages'))

function complaints(text: string): string[] {
  const promises = text.split('## Promises')[1]?.split('## Limits')[0] ?? ''
  return promises
    .split(/^- /m)
    .slice(1)
    .flatMap((promise) => {
      const named = TESTS.exec(promise)?.[1]?.split(', ')
      if (named === undefined) return [`no test for: ${promise.slice(0, 60)}`]
      return named
        .filter((file) => !FILES.has(`packages/${file}`))
        .map((file) => `there is no ${file}`)
    })
}

test('every promise has a test', () => {
  expect(complaints(readText('SECURITY.md'))).toEqual([])
})

test('a promise without a test, and a test that is gone, are found', () => {
  const text =
    '## Promises\n\n- It is safe.\n- It is fast.\n  <!-- tests: hub/test/gone.test.ts -->\n\n## Limits'
  expect(complaints(text)).toEqual([
    'no test for: It is safe.\n',
    'there is no hub/test/gone.test.ts',
  ])
})
