import { expect, test } from 'vitest'
import { dataDirectoryError, findStorageProblem } from './storage-error.js'

test.each([
  [new Error('database or disk is full'), 'cannot be used. The disk is full. Free some space'],
  [withCode('ENOSPC'), 'cannot be used. The disk is full.'],
  [withCode('EROFS'), 'cannot be written: permission denied. Check who owns it'],
  [withCode('ENOTDIR'), 'is not a folder. Choose another one with QUAYSIDE_DATA_DIR.'],
  [new Error('disk I/O error'), 'cannot be used: disk I/O error'],
])('a data directory that cannot be used is explained: %s', (error, sentence) => {
  const { message } = dataDirectoryError('/data', error)
  expect(message).toContain(`The data directory /data ${sentence}`)
  expect(message).not.toContain('Remove')
})

test('a locked database is not called a full disk', () => {
  expect(findStorageProblem(new Error('database is locked'))).toContain('locked the database')
  expect(findStorageProblem(new Error('no such table: x'))).toBeUndefined()
})

function withCode(code: string): Error {
  return Object.assign(new Error(`${code}: open`), { code })
}
