// A folder of the hub may import only folders to its right: the picture in ARCHITECTURE.md, enforced.
import { expect, test } from 'vitest'
import { crowded, importsOf, type Source, sourcesOf, violations } from './import-direction.js'

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
  'commands/api',
  'commands/io',
  'index.ts',
  'hub.ts',
  'hub-parts.ts',
  'hub-store.ts',
  'http',
  'http/feeds',
  'http/docs',
  'http/raw',
  'api',
  'http/access',
  'http/error-response.ts',
  'acp',
  'push',
  'preview',
  'cluster',
  'reach',
  'comparisons',
  'sessions',
  'sessions/upkeep',
  'sessions/live',
  'sessions/changes',
  'sessions/decisions',
  'sessions/media',
  'sessions/reading',
  'sessions/log',
  'workspaces',
  'agents/check',
  'agents/probe',
  'agents',
  'agents/pool',
  'agents/connection',
  'agents/extensions',
  'agents/mcp',
  'agents/wire/log',
  'agents/wire/redact',
  'agents/wire',
  'terminals/agents',
  'terminals/people',
  'terminals/host',
  'terminals',
  'process',
  'repos/clone',
  'repos',
  'repos/watch',
  'repos/git',
  'repos/files',
  'store/move',
  'store/backup',
  'store/sqlite',
  'store/postgres',
  'store',
  '.',
  'config',
]

/** A room has some fifteen. Only the foundation (`.`) and the ports of the store have nearly as many as this. */
const MOST_FILES = 20

/** Statements outside of the engines' folders, and engines outside of the store: `hub-store.ts` and commands open the one they work with. */
function storeViolations(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const { file, text } = source
    if (ENGINES.some((engine) => file.startsWith(`store/${engine}/`))) return []
    const found = WITH_OWN_SQL.includes(file) ? [] : [...text.matchAll(STATEMENT)]
    const statements = found.map(([statement]) => `${file}: ${statement}`)
    const mayOpen = ['hub-store.ts', 'commands/', 'store/'].some((opener) =>
      file.startsWith(opener),
    )
    const engines = importsOf(source)
      .filter((target) => !mayOpen && ENGINE.test(target))
      .map((target) => `${file} imports ${target}`)
    return [...statements, ...engines]
  })
}

const ENGINES = ['sqlite', 'postgres']
/** They open a file of their own: a copy of the database, and the lock of the data directory. */
const WITH_OWN_SQL = ['store/backup/database-copy.ts', 'store/data-lock.ts']
/** A prepared statement, one that is executed, or the beginning of SQL in a string. */
const STATEMENT =
  /\.prepare\(|\b(?:db|database)\.exec\(|['"`]\s*(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA|BEGIN IMMEDIATE)\b/g
const ENGINE = /^store\/(?!backup\/)\w+\//

test('imports point one way', () => {
  const files = sourcesOf('hub')
  expect(files.length).toBeGreaterThan(20)
  expect(violations(files, LAYERS)).toEqual([])
})

test('no folder is crowded', () => {
  expect(crowded(sourcesOf('hub'), MOST_FILES)).toEqual([])
  expect(crowded([{ file: 'api/one.ts', text: '' }], 0)).toEqual(['api: 1'])
})

test.each([
  ['store/media.ts', '../sessions/session.js', 'sessions/session.ts'],
  ['store/store.ts', './sqlite/database.js', 'store/sqlite/database.ts'],
  ['http/server.ts', '../commands/start.js', 'commands/start.ts'],
  ['api/storage.ts', '../http/rest.js', 'http/rest.ts'],
  ['http/raw/media.ts', '../rest.js', 'http/rest.ts'],
  ['commands/io/hub-access.ts', '../chat/run.js', 'commands/chat/run.ts'],
  ['sessions/log/event-log.ts', '../live/session.js', 'sessions/live/session.ts'],
  ['process/agent-child.ts', '../agents/extensions/launch.js', 'agents/extensions/launch.ts'],
  ['agents/extensions/manifest.ts', '../check/check-run.js', 'agents/check/check-run.ts'],
])('the rule catches a planted violation in %s', (file, target, found) => {
  const text = `import { one } from '${target}'`
  expect(violations([{ file, text }], LAYERS)).toEqual([`${file} imports ${found}`])
})

test('SQL and the engines are behind the ports of the store', () => {
  expect(storeViolations(sourcesOf('hub'))).toEqual([])
})

test.each([
  ['sessions/log/event-log.ts', "this.#insert = db.prepare('INSERT INTO AgentEvent')", 2],
  ['http/credentials.ts', 'const FIND = `SELECT id FROM Credential`', 1],
  ['store/media.ts', 'const FIND = `SELECT id FROM Media`', 1],
  ['repos/repos.ts', "options.db.exec('BEGIN IMMEDIATE')", 2],
  ['push/push-notifier.ts', "import { sqliteStore } from '../store/sqlite/sqlite-store.js'", 1],
])('the rule catches planted SQL in %s', (file, text, count) => {
  expect(storeViolations([{ file, text }])).toHaveLength(count)
  expect(storeViolations([{ file: 'store/sqlite/event-rows.ts', text }])).toEqual([])
})
