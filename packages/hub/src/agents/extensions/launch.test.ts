import { fileURLToPath } from 'node:url'
import { settingsSchemaSchema } from '@quayside/protocol/schemas'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { InstalledExtension } from './extensions.js'
import { isSameLaunch, resolveLaunch } from './launch.js'
import { manifestSchema } from './manifest.js'
import type { SettingLayers } from './settings-values.js'

const OPTIONS = { cwd: '/repo', dataDir: '/data' }

type Agent = Partial<z.input<typeof manifestSchema>['agent']>
type Fields = z.input<typeof settingsSchemaSchema>['fields']

function extension(agent: Agent, fields: Fields = []): InstalledExtension {
  return {
    folder: '/ext/acp/x',
    settingsSchema: settingsSchemaSchema.parse({ version: '1', fields }),
    manifest: manifestSchema.parse({
      id: 'x',
      name: 'Agent X',
      type: 'acp',
      install: 'npm install -g agent-x',
      agent: { command: '${NODE}', ...agent },
      auth: { env: [{ name: 'X_API_KEY', label: 'Key' }] },
    }),
  }
}

const MODEL = { id: 'model', type: 'text', label: 'Model', env: 'X_MODEL', default: 'm0' } as const
const FIELDS: Fields = [
  MODEL,
  { id: 'maxTurns', type: 'number', label: 'Turns', min: 1 },
  { id: 'verbose', type: 'checkbox', label: 'Verbose', on: '--verbose' },
  { id: 'proxyKey', type: 'secret', label: 'Proxy key', env: 'X_PROXY_KEY' },
]

test('variables of the folders are filled in', () => {
  const launch = resolveLaunch(
    extension({
      args: ['${EXTENSION_DIR}/a.js', '--cwd=${CWD}', '$HOME', '${HOME}/x'],
      env: { AT: '${CWD}', KEEP: '${DATA_DIR}/x' },
      cwd: '${HOME}',
    }),
    OPTIONS,
    { HOME: '/home/me' },
  )
  expect(launch).toEqual({
    command: process.execPath,
    args: ['/ext/acp/x/a.js', '--cwd=/repo', '$HOME', '/home/me/x'],
    env: { HOME: '/home/me', AT: '/repo', KEEP: '/data/x' },
    cwd: '/home/me',
  })
})

test('what has no value is left out: an argument, a whole group, an entry of the environment', () => {
  const agent: Agent = {
    args: ['run', ['--model', '${MODEL}'], ['--turns', '${MAX_TURNS}', '--'], '${VERBOSE}'],
    env: { TURNS: '${MAX_TURNS}', PROXY_KEY: '${PROXY_KEY}' },
  }
  const bare = resolveLaunch(extension(agent, FIELDS), OPTIONS, {})
  expect(bare.args).toEqual(['run', '--model', 'm0'])
  expect(bare.env).toEqual({})
  const session = { maxTurns: 3, verbose: true }
  const settings = { session, secrets: { proxyKey: 'hidden-hidden' } }
  const full = resolveLaunch(extension(agent, FIELDS), { ...OPTIONS, settings }, {})
  expect(full.args).toEqual(['run', '--model', 'm0', '--turns', '3', '--', '--verbose'])
  expect(full.env).toEqual({ TURNS: '3', PROXY_KEY: 'hidden-hidden' })
})

test('a session wins over the hub, the hub over the environment, the environment over the default', () => {
  const agent = extension({ args: ['${MODEL}'] }, FIELDS)
  const argsWith = (settings: SettingLayers, env: Record<string, string>) =>
    resolveLaunch(agent, { ...OPTIONS, settings }, env).args
  expect(argsWith({}, {})).toEqual(['m0'])
  expect(argsWith({}, { X_MODEL: 'm1' })).toEqual(['m1'])
  expect(argsWith({ hubWide: { model: 'm2' } }, { X_MODEL: 'm1' })).toEqual(['m2'])
  const both = { hubWide: { model: 'm2' }, session: { model: 'm3' } }
  expect(argsWith(both, { X_MODEL: 'm1' })).toEqual(['m3'])
})

test('a stored key wins over the one in the environment of the hub', () => {
  const env = { X_API_KEY: 'from-environment', X_PROXY_KEY: 'proxy-from-environment' }
  const agent = extension({ env: { PROXY: '${PROXY_KEY}' } }, FIELDS)
  expect(resolveLaunch(agent, OPTIONS, env).env).toEqual({
    X_API_KEY: 'from-environment',
    PROXY: 'proxy-from-environment',
  })
  const settings = { secrets: { X_API_KEY: 'stored-key' } }
  expect(resolveLaunch(agent, { ...OPTIONS, settings }, env).env['X_API_KEY']).toBe('stored-key')
})

test('a required setting without a value, and a wrong one in the environment, are named', () => {
  const required = extension({}, [{ ...MODEL, id: 'place', required: true, default: 'x' }])
  expect(resolveLaunch(required, OPTIONS, {}).args).toEqual([])
  const { default: _, ...bare } = MODEL
  const missing = extension({}, [{ ...bare, required: true }])
  expect(() => resolveLaunch(missing, OPTIONS, {})).toThrow('model (Model) is missing.')
  const turns = { id: 'turns', type: 'number', label: 'Turns', env: 'X_TURNS', max: 9 } as const
  expect(() => resolveLaunch(extension({}, [turns]), OPTIONS, { X_TURNS: '10' })).toThrow(
    'X_TURNS is "10"; expected is a number up to 9.',
  )
})

test('two launches are the same when only their folders and labels differ', () => {
  const agent = extension({ args: [['-m', '${MODEL}']] }, FIELDS)
  const launch = (cwd: string, model: string) =>
    resolveLaunch(agent, { ...OPTIONS, cwd, settings: { session: { model } } }, {})
  expect(isSameLaunch(launch('/a', 'm'), launch('/b', 'm'))).toBe(true)
  expect(isSameLaunch(launch('/a', 'm'), launch('/a', 'n'))).toBe(false)
  const labelled = extension({ labels: { in: '${CWD}', model: '${MODEL}' } })
  const labels = (cwd: string) => resolveLaunch(labelled, { ...OPTIONS, cwd }, {})
  expect(labels('/a').labels).toEqual({ in: '/a' })
  expect(isSameLaunch(labels('/a'), labels('/b'))).toBe(true)
  const tied = extension({ args: ['--in=${CWD}'] })
  const at = (cwd: string) => resolveLaunch(tied, { ...OPTIONS, cwd }, {})
  expect(isSameLaunch(at('/a'), at('/b'))).toBe(false)
})

test('the environment is an allow-list: secrets of the hub stay with the hub', () => {
  const { env } = resolveLaunch(extension({ inheritEnv: ['X_HOME'] }), OPTIONS, {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    X_API_KEY: 'for the agent',
    X_HOME: '/x',
    HTTPS_PROXY: 'http://proxy:1',
    QUAYSIDE_TOKEN: 'never',
    AWS_SECRET_ACCESS_KEY: 'never',
    DATABASE_URL: 'never',
  })
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    X_API_KEY: 'for the agent',
    X_HOME: '/x',
    HTTPS_PROXY: 'http://proxy:1',
  })
})

test('a JSON variable of the hub is merged with the one of the manifest, whose own keys win', () => {
  const ask = { id: 'ask', type: 'checkbox', label: 'Ask', default: true } as const
  const on = '{"permission":{"edit":"ask","bash":"ask"}}'
  const agent = extension({ env: { X_CONFIG: '${ASK}' }, mergeEnv: ['X_CONFIG'] }, [{ ...ask, on }])
  const configWith = (X_CONFIG: string, session = {}) =>
    resolveLaunch(agent, { ...OPTIONS, settings: { session } }, { X_CONFIG }).env['X_CONFIG']
  const theirs = { model: 'm', permission: { edit: 'allow', webfetch: 'deny' }, plugin: ['a'] }
  expect(JSON.parse(configWith(JSON.stringify(theirs))!)).toEqual({
    model: 'm',
    permission: { edit: 'ask', bash: 'ask', webfetch: 'deny' },
    plugin: ['a'],
  })
  expect(configWith(JSON.stringify(theirs), { ask: false })).toBe(JSON.stringify(theirs))
  expect(resolveLaunch(agent, OPTIONS, {}).env['X_CONFIG']).toBe(on)
  expect(() => configWith('model = m')).toThrow(/^X_CONFIG in the hub's environment is not a JSON/)
})

test('a missing program is named with the path that was tried and how to install it', () => {
  const missing = extension({ command: 'agent-x', pathEnv: 'X_PATH' })
  expect(() => resolveLaunch(missing, OPTIONS, { PATH: '/nowhere' })).toThrow(
    /Agent X is not installed\. "agent-x" is not on the PATH\. Install it with: npm install -g agent-x/,
  )
  try {
    resolveLaunch(missing, OPTIONS, { PATH: '/nowhere', X_PATH: '/opt/gone/agent-x' })
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({
      code: 'agent_not_installed',
      details: { path: '/opt/gone/agent-x', pathEnv: 'X_PATH', extensionId: 'x' },
    })
  }
})

test('a folder or a file that may not be executed is not a program', () => {
  const start = (command: string) => resolveLaunch(extension({ command }), OPTIONS, {})
  expect(() => start('/tmp')).toThrow('Agent X cannot be started: /tmp is a folder, not a program.')
  const file = fileURLToPath(import.meta.url)
  expect(() => start(file)).toThrow(
    `Agent X cannot be started: ${file} is not executable. Allow it with: chmod +x ${file}`,
  )
})
