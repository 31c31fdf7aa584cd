import { expect, test } from 'vitest'
import { readFileReference } from './file-reference.js'

test('a path is a path with its line, from the repository on', () => {
  const read = (text: string) => readFileReference(text, '/home/me/shop')
  expect(read('src/a.ts:42')).toEqual({ path: 'src/a.ts', line: 42 })
  expect(read('./src/a.ts')).toEqual({ path: 'src/a.ts' })
  expect(read('/home/me/shop/src/a.ts:42:7')).toEqual({ path: 'src/a.ts', line: 42 })
  expect(read('src/a.ts:42-48')).toEqual({ path: 'src/a.ts', line: 42 })
  expect(read('src/a.ts#L42')).toEqual({ path: 'src/a.ts', line: 42 })
  expect(read('README.md:3')).toEqual({ path: 'README.md', line: 3 })
  expect(read('.github/ci.yml')).toEqual({ path: '.github/ci.yml' })
})

test('other words stay words', () => {
  const others = [
    'README.md',
    'and/or',
    '../../etc/passwd.txt',
    '/etc/hosts.conf',
    'a b/c.ts',
    'https://x.ts/a.ts',
    'v1.2/3.4',
    'obj.call()',
    'src/',
    '1/2.5',
  ]
  expect(others.filter((text) => readFileReference(text, '/home/me/shop'))).toEqual([])
})
