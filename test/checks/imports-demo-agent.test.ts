// The words of the demo agent use its turn and its tools. Only the files that serve the agent, its tour and its faults use words.
import { expect, test } from 'vitest'
import { sourcesOf, violations } from './import-direction.js'

const LAYERS = [
  'main.ts',
  'serve.ts',
  'agent.ts',
  'tour',
  'faults.ts',
  'words',
  '.',
  'sessions',
  'settings.ts',
]

test('imports point one way', () => {
  const sources = sourcesOf('demo-agent')
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(sources, LAYERS)).toEqual([])
})

test('the rule catches a planted violation', () => {
  const text = "import { words } from './words/words.js'"
  expect(violations([{ file: 'turn.ts', text }], LAYERS)).toEqual([
    'turn.ts imports words/words.ts',
  ])
})
