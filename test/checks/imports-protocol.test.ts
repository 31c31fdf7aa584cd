// A folder of the protocol may import only folders to its right.
import { expect, test } from 'vitest'
import { sourcesOf, violations } from './import-direction.js'

/** The two entries first, and the file that every folder may use last. */
const LAYERS = [
  'index.ts',
  'schemas.ts',
  'api/addresses.ts',
  'api/commands.ts',
  'api/notifications.ts',
  'api/rooms',
  'api',
  'export',
  'transcript',
  'events',
  'acp',
  'text',
  'shape.ts',
]

test('imports point one way', () => {
  const sources = sourcesOf('protocol')
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(sources, LAYERS)).toEqual([])
})

test('the rule catches a planted violation', () => {
  const text = "import type { SessionSummary } from '../api/rooms/sessions/sessions.js'"
  expect(violations([{ file: 'events/alerts.ts', text }], LAYERS)).toEqual([
    'events/alerts.ts imports api/rooms/sessions/sessions.ts',
  ])
})
