import { expect, test } from 'vitest'
import { findCgroupOwner } from './cgroup.js'

test.each([
  ['0::/user.slice/app.scope/quayside-hub:run.1\n', 'hub:run.1'],
  ['4:memory:/quayside-other\n0::/quayside-hub:run.1/inner\n', 'hub:run.1'],
  ['0::/quayside-outer:run.1/quayside-inner:run.2\n', 'inner:run.2'],
  ['0::/user.slice/quayside.service\n', undefined],
  ['4:memory:/quayside-other\n', undefined],
  ['', undefined],
])('the owner in %j is %s', (text, owner) => {
  expect(findCgroupOwner(text)).toBe(owner)
})
