import { expect, test } from 'vitest'
import { branchName } from './branch-name.js'

const ID = '01a1ebd3-6fc4-7098-8629-8c1392a6f244'

test.each([
  ['Fix the login page', 'quayside/fix-the-login-page'],
  ['Prüfen: ja/nein?', 'quayside/prufen-ja-nein'],
  ['../../etc -- ~^:?*[', 'quayside/etc'],
  ['漢字だけ', 'quayside/a6f244'],
  [undefined, 'quayside/a6f244'],
  [
    'one two three four five six seven eight nine ten',
    'quayside/one-two-three-four-five-six-seven-eight',
  ],
  ['x'.repeat(90), `quayside/${'x'.repeat(40)}`],
])('%s is %s', (words, expected) => {
  expect(branchName({ id: ID, words }, () => false)).toBe(expected)
})

test('a taken name gets a number', () => {
  const taken = new Set(['quayside/fix', 'quayside/fix-2'])
  expect(branchName({ id: ID, words: 'Fix' }, (name) => taken.has(name))).toBe('quayside/fix-3')
})
