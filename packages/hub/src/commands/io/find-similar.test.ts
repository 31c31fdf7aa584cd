// A mistyped word finds the known word that was meant, and no other.
import { expect, test } from 'vitest'
import { findSimilar } from './find-similar.js'

const KNOWN = ['start', 'status', 'sessions', 'run', 'agents', 'api']

test.each([
  ['sesions', 'sessions'],
  ['Sessions', 'sessions'],
  ['stauts', 'status'],
  ['rnu', 'run'],
  ['agent', 'agents'],
])('%s is a mistyped %s', (typed, meant) => {
  expect(findSimilar(typed, KNOWN)).toBe(meant)
})

test.each(['xyz', 'deploy', 'x'])('%s is similar to no known word', (typed) => {
  expect(findSimilar(typed, KNOWN)).toBeUndefined()
})
