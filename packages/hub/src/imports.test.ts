// A folder of the hub may import only folders to its right: the picture in ARCHITECTURE.md, enforced.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('.', import.meta.url))
/** Folders, and the two files that build and start everything. */
const LAYERS = [
  'main.ts',
  'commands',
  'commands/chat',
  'commands/doctor',
  'commands/agents',
  'commands/hub',
  'commands/sessions',
  'commands/data',
  'commands/wire',
  'commands/io',
  'index.ts',
  'hub.ts',
  'http',
  'http/feeds',
  'http/docs',
  'http/raw',
  'api',
  'http/access',
  'http/error-response.ts',
  'acp',
  'push',
  'sessions',
  'sessions/upkeep',
  'sessions/live',
  'sessions/changes',
  'sessions/decisions',
  'sessions/media',
  'sessions/reading',
  'sessions/log',
  'agents/check',
  'agents/probe',
  'agents',
  'agents/pool',
  'agents/connection',
  'agents/extensions',
  'agents/wire',
  'terminals',
  'process',
  'repos',
  'store',
  '.',
]

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

/** Of the innermost layer that the file lies in. */
function rank(file: string): number {
  const places = [file, ...foldersAround(file)]
  const found = places.map((place) => LAYERS.indexOf(place)).find((at) => at >= 0)
  if (found === undefined) throw new Error(`${file} lies in a folder that is no layer`)
  return found
}

function foldersAround(file: string): string[] {
  const folder = dirname(file)
  return folder.includes('/') ? [folder, ...foldersAround(folder)] : [folder]
}

function sourceFiles(): { file: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))
}

test('imports point one way', () => {
  const files = sourceFiles()
  expect(files.length).toBeGreaterThan(20)
  expect(violations(files)).toEqual([])
})

test.each([
  ['store/database.ts', '../sessions/session.js', 'sessions/session.ts'],
  ['http/server.ts', '../commands/start.js', 'commands/start.ts'],
  ['api/turns.ts', '../http/rest.js', 'http/rest.ts'],
  ['http/raw/media.ts', '../rest.js', 'http/rest.ts'],
  ['commands/io/hub-access.ts', '../chat/run.js', 'commands/chat/run.ts'],
  ['sessions/log/event-log.ts', '../live/session.js', 'sessions/live/session.ts'],
  ['process/agent-child.ts', '../agents/extensions/launch.js', 'agents/extensions/launch.ts'],
  ['agents/extensions/manifest.ts', '../check/check-run.js', 'agents/check/check-run.ts'],
])('the rule catches a planted violation in %s', (file, target, found) => {
  const text = `import { one } from '${target}'`
  expect(violations([{ file, text }])).toEqual([`${file} imports ${found}`])
})
