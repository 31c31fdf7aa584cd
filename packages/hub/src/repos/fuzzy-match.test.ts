// Ranking of paths for a few typed letters.
import { expect, test } from 'vitest'
import { bestMatches, toCandidate } from './fuzzy-match.js'

const FILES = [
  'README.md',
  'src/catalog.ts',
  'src/event-log.ts',
  'src/eventLog.ts',
  'src/log.ts',
  'src/login.ts',
  'logs/a.txt',
  'src/lazy-object-group.ts',
  'İstanbul/x.txt',
].map(toCandidate)

test('the name comes first, then its start, a word, a part, the folder, letters in order', () => {
  expect(bestMatches(FILES, 'log', 50)).toEqual([
    'src/log.ts',
    'src/login.ts',
    'src/eventLog.ts',
    'src/event-log.ts',
    'src/catalog.ts',
    'logs/a.txt',
    'src/lazy-object-group.ts',
  ])
  expect(bestMatches(FILES, 'log.ts', 1)).toEqual(['src/log.ts'])
})

test.each([
  ['LOGIN', ['src/login.ts']],
  ['src/log', ['src/log.ts', 'src/login.ts']],
  ['event log', ['src/eventLog.ts', 'src/event-log.ts']],
  ['nothing', []],
  ['.*', []],
])('%j finds %j', (query, expected) => {
  expect(bestMatches(FILES, query, 50).slice(0, 2)).toEqual(expected)
})

test('without letters, what lies near the top comes first', () => {
  expect(bestMatches(FILES, ' ', 2)).toEqual(['README.md', 'logs/a.txt'])
})
