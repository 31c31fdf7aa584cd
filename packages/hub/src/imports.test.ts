// A folder of the hub may import only folders to its right: the picture in ARCHITECTURE.md, enforced.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('.', import.meta.url))
const LAYERS = [
  'commands',
  'http',
  'acp',
  'push',
  'sessions',
  'agents',
  'terminals',
  'repos',
  'store',
  '.',
]
/** They build and start everything, so they import everything. */
const TOP = ['main.ts', 'hub.ts', 'index.ts']

function violations(files: readonly { file: string; text: string }[]): string[] {
  return files.flatMap(({ file, text }) =>
    relativeImports(file, text)
      .filter((target) => rank(target) < rank(file))
      .map((target) => `${file} imports ${target}`),
  )
}

function relativeImports(file: string, text: string): string[] {
  const imports = text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)
  return [...imports].map(([, target]) =>
    relative(SRC, join(SRC, dirname(file), target!)).replace(/\.js$/, '.ts'),
  )
}

function rank(file: string): number {
  if (TOP.includes(file)) return -1
  const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
  const found = LAYERS.indexOf(folder)
  if (found < 0) throw new Error(`${file} lies in a folder that is no layer`)
  return found
}

function sourceFiles(): { file: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('generated'),
    )
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
}

test('imports point one way', () => {
  const files = sourceFiles().filter(({ file }) => !file.startsWith('commands/'))
  expect(files.length).toBeGreaterThan(20)
  expect(violations(files)).toEqual([])
})

test('the rule catches a planted violation', () => {
  const planted = {
    file: 'store/database.ts',
    text: "import { Session } from '../sessions/session.js'",
  }
  expect(violations([planted])).toEqual(['store/database.ts imports sessions/session.ts'])
})
