import { expect, test } from 'vitest'
import { createLog } from './log.js'

test('the code of an error is logged, sign-in codes and tokens are not', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  log.info({ err: Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) }, 'broken')
  log.info({ code: 'secret-1', token: 'secret-2', hub: { secret: 'secret-3', token: 'secret-4' } })
  expect(JSON.parse(lines[0]!)).toMatchObject({ err: { message: 'write EPIPE', code: 'EPIPE' } })
  expect(lines[1]).not.toContain('secret-')
})
