// The checks of doctor for Node and the platform, and sizes in words.
import { expect, test } from 'vitest'
import { checkNode, checkPlatform } from './machine.js'
import { formatBytes } from '../io/format-bytes.js'

test('a Node that is too old is a problem, by its minor version too', () => {
  expect(checkNode('20.19.0').level).toBe('ok')
  expect(checkNode('24.0.0').level).toBe('ok')
  expect(checkNode('20.18.3')).toMatchObject({ level: 'problem' })
  expect(checkNode('18.20.0').message).toContain('20.19')
})

test('a platform is reported with its limits', () => {
  expect(checkPlatform('linux').level).toBe('ok')
  expect(checkPlatform('linux').message).toContain('Linux: processes of agents are found by their')
  expect(checkPlatform('darwin')).toMatchObject({ level: 'warning' })
  expect(checkPlatform('darwin').message).toContain('only on Linux')
  expect(checkPlatform('win32')).toMatchObject({ level: 'problem' })
})

test('sizes are short', () => {
  expect([0, 999, 1_500, 45_300, 999_999, 2_000_000_000].map(formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 KB',
    '45 KB',
    '1000 KB',
    '2.0 GB',
  ])
})
