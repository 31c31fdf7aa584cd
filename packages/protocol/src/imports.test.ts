// A folder of the protocol may import only folders to its right.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('.', import.meta.url))
/** The two entries first, and the file that every folder may use last. */
const LAYERS = [
  'index.ts',
  'schemas.ts',
  'api',
  'export',
  'transcript',
  'events',
  'acp',
  'text',
  'shape.ts',
]

type Source = { readonly file: string; readonly text: string }

function violations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)]
      .map(([, target]) => relative(SRC, join(SRC, dirname(file), target!)).replace(/\.js$/, '.ts'))
      .filter((target) => rank(target) < rank(file))
      .map((target) => `${file} imports ${target}`),
  )
}

function rank(file: string): number {
  const found = LAYERS.indexOf(file.split('/')[0]!)
  if (found < 0) throw new Error(`${file} lies in a folder that is no layer`)
  return found
}

test('imports point one way', () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
  expect(sources.length).toBeGreaterThan(20)
  expect(violations(sources)).toEqual([])
})

test('the rule catches a planted violation', () => {
  const text = "import type { SessionSummary } from '../api/sessions.js'"
  expect(violations([{ file: 'events/alerts.ts', text }])).toEqual([
    'events/alerts.ts imports api/sessions.ts',
  ])
})
