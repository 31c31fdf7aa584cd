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
  'agents/wire/log',
  'agents/wire/redact',
  'agents/wire',
  'terminals/agents',
  'terminals/people',
  'terminals/host',
  'terminals',
  'process',
  'repos',
  'repos/git',
  'repos/files',
  'store/backup',
  'store/sqlite',
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

/** Statements and engines outside of the store: `hub.ts` and commands open the one they work with. */
function storeViolations(files: readonly { file: string; text: string }[]): string[] {
  return files.flatMap(({ file, text }) => {
    if (file.startsWith('store/')) return []
    const statements = [...text.matchAll(STATEMENT)].map(([found]) => `${file}: ${found}`)
    const mayOpen = file === 'hub.ts' || file.startsWith('commands/')
    const engines = relativeImports(file, text)
      .filter((target) => !mayOpen && ENGINE.test(target))
      .map((target) => `${file} imports ${target}`)
    return [...statements, ...engines]
  })
}

/** A prepared statement, one that is executed, or the beginning of SQL in a string. */
const STATEMENT =
  /\.prepare\(|\b(?:db|database)\.exec\(|['"`]\s*(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA|BEGIN IMMEDIATE)\b/g
const ENGINE = /^store\/(?!backup\/)\w+\/(?!.*\/)/

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
  ['store/media.ts', '../sessions/session.js', 'sessions/session.ts'],
  ['store/store.ts', './sqlite/database.js', 'store/sqlite/database.ts'],
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

test('SQL and the engines are behind the ports of the store', () => {
  expect(storeViolations(sourceFiles())).toEqual([])
})

test.each([
  ['sessions/log/event-log.ts', "this.#insert = db.prepare('INSERT INTO AgentEvent')", 2],
  ['http/credentials.ts', 'const FIND = `SELECT id FROM Credential`', 1],
  ['repos/repos.ts', "options.db.exec('BEGIN IMMEDIATE')", 2],
  ['push/push-notifier.ts', "import { sqliteStore } from '../store/sqlite/sqlite-store.js'", 1],
])('the rule catches planted SQL in %s', (file, text, count) => {
  expect(storeViolations([{ file, text }])).toHaveLength(count)
  expect(storeViolations([{ file: 'store/sqlite/event-rows.ts', text }])).toEqual([])
})
