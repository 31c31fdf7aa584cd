// The entries of the client may import its core, never the other way: a program that needs no React loads none.
import { expect, test } from 'vitest'
import { sourcesOf, violations } from './import-direction.js'

const LAYERS = ['testing', 'react', 'admin', '.', 'session', 'connection']

test('imports point one way', () => {
  const sources = sourcesOf('client')
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(sources, LAYERS)).toEqual([])
})

test('the rule catches a planted violation', () => {
  const text = "import { useSession } from './react/use-session.js'"
  expect(violations([{ file: 'client.ts', text }], LAYERS)).toEqual([
    'client.ts imports react/use-session.ts',
  ])
})
