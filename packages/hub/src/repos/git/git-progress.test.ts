// Progress of git, as it stands in its stderr.
import { expect, test } from 'vitest'
import { readProgress, withoutProgress } from './git-progress.js'

const OUTPUT = 'Updating files:   1% (200/20000)\rUpdating files:  43% (8600/20000)\rUpdating fi'

test('the latest report counts, and one that is cut off does not', () => {
  expect(readProgress(OUTPUT)).toEqual({ done: 8600, total: 20000 })
  expect(readProgress('fatal: unable to write')).toBeUndefined()
})

test('a message is read without the reports before it', () => {
  const text = 'Updating files:  43% (1/2)\rerror: unable to write a.txt\nfatal: no space\n'
  expect(withoutProgress(text)).toBe('error: unable to write a.txt\nfatal: no space')
})
