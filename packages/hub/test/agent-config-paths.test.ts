// The hub's code names no agent: the settings that agents read from a repository are declared in the manifests.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Extensions, type InstalledExtension } from '../src/agents/extensions/extensions.js'
import { importRegistryEntry } from '../src/agents/extensions/registry-import.js'
import { SHIPPED_EXTENSIONS } from '../src/places.js'
import { ExtensionsFolder, manifest } from './extensions-folder.js'

const log = pino({ level: 'silent' })
const shipped = new Extensions([SHIPPED_EXTENSIONS], log)

/** An empty list is a declaration too: the demo agent reads nothing. */
function withoutDeclaration(extensions: readonly InstalledExtension[]): string[] {
  return extensions.flatMap(({ manifest: { id, repository } }) => (repository ? [] : [id]))
}

test('every shipped manifest declares what its agent reads from a repository', () => {
  expect(shipped.all.length).toBeGreaterThanOrEqual(16)
  expect(withoutDeclaration(shipped.all)).toEqual([])
})

test('a manifest that declares nothing is found', () => {
  using folder = new ExtensionsFolder()
  folder.register('silent', 'clear')
  folder.write('silent/manifest.json', manifest('silent'))
  folder.write('clear/manifest.json', manifest('clear', { repository: { configPaths: [] } }))
  expect(withoutDeclaration(folder.load().all)).toEqual(['silent'])
})

test('the shipped manifests cover the paths that were protected before there were declarations', () => {
  const { configPaths, excludedPaths } = shipped.configPaths
  const before = ['.gemini', '.claude', '.mcp.json', '.codex', '.qwen', '.opencode', '.cursor']
  expect(configPaths).toEqual(
    expect.arrayContaining([...before, 'opencode.json', 'opencode.jsonc']),
  )
  expect(excludedPaths).toEqual(['.claude/worktrees'])
})

test('a disabled, a broken and a replaced extension keep their paths protected', () => {
  using first = new ExtensionsFolder()
  using second = new ExtensionsFolder()
  const entry = (id: string, enabled: boolean) => ({ id, name: id, type: 'acp', path: id, enabled })
  first.write('extensions.json', {
    extensions: [entry('replaced', true), entry('off', false), entry('broken', true)],
  })
  first.write('broken/manifest.json', '{')
  for (const id of ['replaced', 'off'])
    first.write(
      `${id}/manifest.json`,
      manifest(id, { repository: { configPaths: [`${id}.json`] } }),
    )
  second.register('replaced').write('replaced/manifest.json', manifest('replaced'))
  const { configPaths } = new Extensions([first.path, second.path], log).configPaths
  expect(configPaths).toEqual(
    expect.arrayContaining(['off.json', 'replaced.json', '.replaced', '.broken']),
  )
})

test("an agent of one's own and one of the public registry get the folder named like them", () => {
  using folder = new ExtensionsFolder()
  const npx = { package: 'x' }
  importRegistryEntry({ id: 'imported', name: 'X', distribution: { npx } }, folder.path)
  const extensions = folder.load()
  expect(extensions.configPaths.configPaths).toContain('.imported')
  extensions.remove('imported')
  expect(extensions.configPaths.configPaths).not.toContain('.imported')
})

test.each(['/etc', '../x', 'a/../b', '.', './a', 'a//b', 'a/', 'a\\b', ''])(
  'the path %j is refused',
  (path) => {
    expect(problemOf({ configPaths: [path] })).toContain('repository.configPaths[0]: A path is')
  },
)

test('only a part of the declared configuration can be excluded', () => {
  const problem = problemOf({ configPaths: ['.a'], excludedPaths: ['.ab/c'] })
  expect(problem).toContain('repository.excludedPaths: Each must lie below one of configPaths.')
})

function problemOf(repository: unknown): string | undefined {
  using folder = new ExtensionsFolder()
  folder.register('bad').write('bad/manifest.json', manifest('bad', { repository }))
  return folder.load().list()[0]?.problem
}

/** Examples in help texts. */
const MAY_NAME_AGENTS = /^commands\//
/** The hub's own port. A public setting keeps its name. */
const PUBLIC_SETTING = /GEMINI_PORT/g

test('no code of the hub names a shipped agent, except in examples of commands', () => {
  const root = fileURLToPath(new URL('../src', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !MAY_NAME_AGENTS.test(file))
  expect(files.length).toBeGreaterThan(100)
  const named = files.flatMap((file) =>
    namedAgents(readFileSync(join(root, file), 'utf8').replaceAll(PUBLIC_SETTING, '')).map(
      (name) => `${file}: ${name}`,
    ),
  )
  expect(named).toEqual([])
})

test.each([
  ["const FOLDERS = ['.gemini']", ['gemini']],
  ['const isGemini = true', ['Gemini']],
  ['const codexHome = env.CODEX_HOME // text', ['codex', 'CODEX']],
  ["if (id === 'pi') run()", ['pi']],
  ['// Gemini CLI 0.61 sends it twice.\n/** codex-acp 0.16 too */\ndecline(kilobyte)', []],
])('in %j the agents %j are named', (code, agents) => {
  expect(namedAgents(code)).toEqual(agents)
})

/** In code. A comment may name an agent and its version as the reason for what the code does. */
function namedAgents(source: string): string[] {
  const code = source.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/.*?$/gms, '')
  return shipped.all.flatMap(({ manifest: { id } }) => {
    const title = id[0]!.toUpperCase() + id.slice(1)
    const upper = id.toUpperCase()
    const word = `(?<![A-Za-z])${id}(?![a-z])|${title}(?![a-z])|(?<![A-Z])${upper}(?![A-Z])`
    return code.match(new RegExp(word, 'g')) ?? []
  })
}
