// Deadlines and ages are measured by the monotonic clock: the time of the day may be set back or forward by hours at any moment.
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-tree.ts'

const CALCULATED = /Date\.now\(\) *[-+<>]|[-+<>]=? Date\.now\(\)/

/** Times that people, other programs or the next start of the hub compare with the time of the day. */
const BY_TIME_OF_DAY = [
  'packages/client/src/connection/connection.ts',
  'packages/hub/src/agents/extensions/downloads.ts',
  'packages/hub/src/http/access/login-codes.ts',
  'packages/hub/src/http/access/sign-in.ts',
  'packages/hub/src/reach/certificate.ts',
  'packages/hub/src/sessions/decisions/pending.ts',
]

test('no deadline and no age depends on the time of the day', () => {
  const sources = ['packages/hub/src', 'packages/client/src'].flatMap((folder) =>
    filesBelow(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')),
  )
  const found = sources.filter((file) => CALCULATED.test(readText(file)))
  expect(found.toSorted()).toEqual(BY_TIME_OF_DAY)
})
