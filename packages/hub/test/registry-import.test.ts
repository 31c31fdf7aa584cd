// Import of agents from the public registry: by the command, and the files it writes.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Extensions } from '../src/agents/extensions/extensions.js'
import {
  importRegistryEntry,
  listRegistry,
  REGISTRY_COPY,
  requireEntry,
} from '../src/agents/extensions/registry-import.js'
import { ExtensionsFolder } from './extensions-folder.js'
import { quayside } from './command-run.js'

const MACHINE = `${platform()}-${arch() === 'arm64' ? 'aarch64' : 'x86_64'}`
const entry = (distribution: object) => ({ id: 'x-agent', name: 'Agent X', distribution })

function load(folder: ExtensionsFolder, id: string) {
  return new Extensions([folder.path], pino({ level: 'silent' })).require(id).manifest.agent
}

test('every agent of the shipped copy can be imported', () => {
  using folder = new ExtensionsFolder()
  const ids = listRegistry(REGISTRY_COPY)
  expect(ids.length).toBeGreaterThan(30)
  for (const id of ids) importRegistryEntry(requireEntry(REGISTRY_COPY, id), folder.path)
  const extensions = folder.load()
  expect(extensions.problems).toEqual([])
  expect(extensions.list().map(({ id, state }) => `${id} ${state}`)).toEqual(
    ids.map((id) => `${id} enabled`),
  )
})

test('packages are started by npx and uvx, with arguments and environment', () => {
  using folder = new ExtensionsFolder()
  const env = { X: '1' }
  importRegistryEntry(entry({ npx: { package: 'x@1.0.0', args: ['--acp'], env } }), folder.path)
  expect(load(folder, 'x-agent')).toMatchObject({
    command: 'npx',
    args: ['-y', 'x@1.0.0', '--acp'],
    env,
  })
  const uvx = entry({ uvx: { package: 'x', cmd: 'x-acp' } })
  importRegistryEntry(uvx, folder.path, { force: true })
  expect(load(folder, 'x-agent')).toMatchObject({ command: 'uvx', args: ['--from', 'x', 'x-acp'] })
  const npx = entry({ npx: { package: 'x', cmd: 'x-acp' } })
  importRegistryEntry(npx, folder.path, { force: true })
  expect(load(folder, 'x-agent').args).toEqual(['-y', '--package', 'x', 'x-acp'])
})

test('an agent that comes with Quayside under another id brings its keys and variables', () => {
  using folder = new ExtensionsFolder()
  importRegistryEntry(requireEntry(REGISTRY_COPY, 'claude-acp'), folder.path, { keys: ['OWN_KEY'] })
  const { manifest } = folder.load().require('claude-acp')
  expect(manifest.auth.env.map(({ name }) => name)).toEqual([
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'OWN_KEY',
  ])
  expect(manifest.agent.inheritEnv).toContain('ANTHROPIC_BASE_URL')
  expect(manifest.repository?.configPaths).toContain('.claude')
  const { args, download } = manifest.agent
  expect(args).toEqual(['-y', '@agentclientprotocol/claude-agent-acp@0.99.1'])
  expect(download?.slice(0, 3)).toEqual(['-y', '--package', args[1]])
})

test('the keys of other agents are those of the registry, its empty variables, and those that are named', () => {
  using folder = new ExtensionsFolder()
  const env = { X_API_KEY: '', X_HOST: '', X_MODE: 'acp' }
  const npx = { package: 'x', env }
  importRegistryEntry({ ...entry({ npx }), keys: ['X_TOKEN'] }, folder.path, { keys: ['Y_KEY'] })
  const { auth, agent } = folder.load().require('x-agent').manifest
  expect(auth.env.map(({ name }) => name)).toEqual(['X_TOKEN', 'Y_KEY', 'X_API_KEY'])
  expect(agent).toMatchObject({ env: { X_MODE: 'acp' }, inheritEnv: ['X_HOST'] })
  expect(agent.env).not.toHaveProperty('X_API_KEY')
})

test('a program to be downloaded has a place where it has to lie, inside of its folder', () => {
  using folder = new ExtensionsFolder()
  const archive = 'https://example.com/x.tar.gz'
  const binary = { [MACHINE]: { archive, cmd: './dist/x', args: ['acp'] } }
  const { program } = importRegistryEntry(entry({ binary }), folder.path)
  expect(program).toEqual({ from: archive, path: join(folder.path, 'acp/x-agent/bin/dist/x') })
  expect(load(folder, 'x-agent')).toMatchObject({ command: '${EXTENSION_DIR}/bin/dist/x' })
  const outside = entry({ binary: { [MACHINE]: { cmd: '../../../x' } } })
  expect(() => importRegistryEntry(outside, folder.path, { force: true })).toThrow(/outside/)
  const other = entry({ binary: { 'plan9-mips': { cmd: './x' } } })
  expect(() => importRegistryEntry(other, folder.path, { force: true })).toThrow(
    `There is no program of "x-agent" for ${MACHINE}; there is plan9-mips.`,
  )
})

test('an invalid entry is not registered, and the rest of the registry stays', () => {
  using folder = new ExtensionsFolder()
  importRegistryEntry(entry({ npx: { package: 'x' } }), folder.path)
  const before = readFileSync(join(folder.path, 'extensions.json'), 'utf8')
  const bad = { ...entry({ npx: { package: 'y', args: ['${SHELL}'] } }), id: 'y-agent' }
  expect(() => importRegistryEntry(bad, folder.path)).toThrow(/there is no variable \$\{SHELL\}/)
  expect(readFileSync(join(folder.path, 'extensions.json'), 'utf8')).toBe(before)
})

test('the command lists, adds, refuses to overwrite, and prints what to download', async () => {
  using folder = new ExtensionsFolder()
  const env = { QUAYSIDE_DATA_DIR: folder.path }
  const add = (...args: string[]) => quayside(['agents', 'add', ...args], env)
  const list = await add()
  expect(list.code).toBe(0)
  const lines = list.output.split('\n')
  expect(lines).toContain('deepagents')
  expect(lines).toContain('gemini  (comes with Quayside)')
  expect(lines).toContain('grok-build  (comes with Quayside as grok)')

  const added = await add('deepagents', '--key', 'ANTHROPIC_API_KEY')
  const file = join(folder.path, 'extensions/acp/deepagents/manifest.json')
  expect(added.code).toBe(0)
  expect(added.output.split('\n')).toEqual([
    expect.stringContaining(`: ${file}`),
    'Its first start downloads it with npx.',
    'Keys that you can set with quayside agents login deepagents: ANTHROPIC_API_KEY',
    'The hub uses it from its next start.',
    '',
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await add('deepagents')
  expect(again.code).toBe(1)
  expect(again.output).toMatch(/^quayside: There is an extension "deepagents" .* --force\.\n$/)
  expect((await add('deepagents', '--force')).code).toBe(0)

  const same = await add('grok-build')
  expect(same.code).toBe(1)
  expect(same.output).toContain('"grok-build" comes with Quayside as "grok". Use that one')
  expect((await add('grok-build', '--force')).output).toContain('XAI_API_KEY')

  const shipped = await add('goose')
  expect(shipped).toMatchObject({ code: 1 })
  expect(shipped.output).toContain('"goose" is shipped with Quayside')
  const program = await add('goose', '--force')
  expect(program.output).toContain(join(folder.path, 'extensions/acp/goose/bin/goose'))
  const unknown = await add('nobody')
  expect(unknown.code).toBe(1)
  expect(unknown.output).toContain('There is no agent "nobody"')
})

test('the command reads a file with one agent or a whole registry', async () => {
  using folder = new ExtensionsFolder()
  const env = { QUAYSIDE_DATA_DIR: folder.path }
  const from = (file: string, ...args: string[]) =>
    quayside(['agents', 'add', ...args, '--from', join(folder.path, file)], env)
  const npx = { package: 'x' }
  folder.write('agent.json', { ...entry({ npx }), version: '1.0.0', icon: 'icon.svg' })
  expect((await from('agent.json')).output).toContain('Added Agent X')
  folder.write('registry.json', { version: '1', agents: [entry({ npx }), { id: 'odd' }] })
  expect((await from('registry.json', 'x-agent', '--force')).code).toBe(0)
  const odd = await from('registry.json', 'odd')
  expect(odd.output).toMatch(/registry\.json: name: /)
  expect(existsSync(join(folder.path, 'extensions/acp/odd'))).toBe(false)
  expect((await from('none.json')).output).toContain('none.json: There is no such file.')
})
