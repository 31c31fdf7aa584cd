// Errors of the operating system become answers that name the shortage.
import { expect, test } from 'vitest'
import { toHubError } from './error-response.js'

test.each([
  ['ENOSPC', 507, 'disk_full'],
  ['EDQUOT', 507, 'disk_full'],
  ['EMFILE', 503, 'too_many_open_files'],
  ['ENFILE', 503, 'too_many_open_files'],
  ['EACCES', 500, 'internal'],
])('%s is %i %s, also as the cause of another error', (code, status, name) => {
  const error = Object.assign(new Error('write failed'), { code })
  expect(toHubError(error)).toMatchObject({ status, code: name })
  expect(toHubError(new Error('no folder', { cause: error }))).toMatchObject({ status, code: name })
  const both = Object.assign(new Error('Suppressed'), { error: new Error('x'), suppressed: error })
  expect(toHubError(both)).toMatchObject({ status, code: name })
})
