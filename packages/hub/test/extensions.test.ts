// The registry of extensions: all shipped ones load, and a broken one is reported with its file and field.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { extensionJsonSchemas } from '../src/agents/extensions/extension-json-schemas.js'
import { Extensions } from '../src/agents/extensions/extensions.js'
import { resolveLaunch } from '../src/agents/extensions/launch.js'
import { acpChoices, mergeSettings } from '../src/agents/extensions/settings-values.js'
import { ExtensionsFolder, manifest } from './extensions-folder.js'

const SHIPPED = fileURLToPath(new URL('../../../extensions', import.meta.url))

/** The problem that `write` causes in an otherwise valid extension. */
function problemOf(write: (folder: ExtensionsFolder) => void): string {
  using folder = new ExtensionsFolder()
  folder.register('bad', 'good')
  folder.write('good/manifest.json', manifest('good'))
  folder.write('bad/manifest.json', manifest('bad'))
  write(folder)
  const extensions = folder.load()
  expect(extensions.require('good').manifest.id).toBe('good')
  const bad = extensions.list().find(({ id }) => id === 'bad')
  expect(bad).toMatchObject({ enabled: false, state: 'broken' })
  expect(() => extensions.require('bad')).toThrow(bad!.problem)
  expect(bad!.problem).toContain(folder.path)
  return bad!.problem!.replace(`${folder.path}/`, '')
}

const withAgent = (agent: unknown) => (folder: ExtensionsFolder) =>
  void folder.write('bad/manifest.json', manifest('bad', { agent }))
const withFields =
  (...fields: unknown[]) =>
  (folder: ExtensionsFolder) =>
    void folder.write('bad/settings_schema.json', { version: '1', fields })

describe('shipped extensions', () => {
  const extensions = new Extensions([SHIPPED], pino({ level: 'silent' }))

  test('every extension loads, and every folder is registered', () => {
    expect(extensions.problems).toEqual([])
    expect(extensions.list().filter(({ state }) => state !== 'enabled')).toEqual([])
    const ids = extensions.list().map(({ id }) => id)
    expect(ids.toSorted()).toEqual(readdirSync(join(SHIPPED, 'acp')).toSorted())
    expect(ids.length).toBeGreaterThanOrEqual(16)
    expect(ids[0]).toBe('demo')
  })

  test('each has a description, install instructions, and a folder to work in', () => {
    for (const { manifest, settingsSchema, folder } of extensions.all) {
      expect(manifest.description, manifest.id).toBeTruthy()
      if (manifest.id !== 'demo') expect(manifest.install, manifest.id).toBeTruthy()
      expect(settingsSchema.fields[0], manifest.id).toMatchObject({ id: 'cwd', type: 'path' })
      expect(manifest.$schema).toBe('../../schemas/manifest.schema.json')
      const settings = readFileSync(join(folder, 'settings_schema.json'), 'utf8')
      expect(JSON.parse(settings)).toMatchObject({
        $schema: '../../schemas/settings.schema.json',
      })
    }
  })

  test('an agent that acts without asking by default is launched so that it asks', () => {
    const choices = (id: string) => acpChoices(extensions.require(id), {}, {})
    expect(choices('codex')).toEqual([{ optionId: 'mode', value: 'read-only' }])
    expect(choices('qwen')).toEqual([{ optionId: 'mode', value: 'default' }])
    expect(mergeSettings(extensions.require('opencode'), {}, {})).toMatchObject({ ask: true })
  })

  test('Gemini takes its program, model, approval mode and key from the environment, and keys of others it does not see', () => {
    const context = { cwd: '/repo', dataDir: '/data' }
    const start = (env: Record<string, string>) =>
      resolveLaunch(extensions.require('gemini'), context, {
        GEMINI_CLI_PATH: process.execPath,
        ...env,
      })
    const launch = start({ GEMINI_API_KEY: 'some-key', ANTHROPIC_API_KEY: 'not for it' })
    expect(launch.command).toBe(process.execPath)
    const flags = ['--model', 'gemini-3-flash-preview', '--approval-mode', 'default']
    expect(launch.args).toEqual(['--acp', ...flags])
    expect(launch.argsProbe).toMatchObject({ else: ['--experimental-acp', ...flags] })
    expect(launch.env).toEqual({
      GEMINI_API_KEY: 'some-key',
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_PTY_INFO: 'child_process',
    })
    const chosen = start({ GEMINI_MODEL: 'gemini-2.5-pro', GEMINI_APPROVAL_MODE: 'plan' })
    expect(chosen.args).toEqual(['--acp', '--model', 'gemini-2.5-pro', '--approval-mode', 'plan'])
    expect(() => start({ GEMINI_APPROVAL_MODE: 'always' })).toThrow(
      'GEMINI_APPROVAL_MODE is "always"; allowed is one of default, auto_edit, plan, yolo.',
    )
  })

  test.each([
    ['opencode', 'OPENCODE_CONFIG_CONTENT', 'QUAYSIDE_OPENCODE_PATH'],
    ['kilo', 'KILO_CONFIG_CONTENT', 'QUAYSIDE_KILO_PATH'],
  ])('%s keeps the configuration in %s and asks before edits', (id, name, pathEnv) => {
    const env = { [pathEnv]: process.execPath, [name]: '{"model":"fake/fake-model"}' }
    const context = { cwd: '/repo', dataDir: '/data' }
    const launch = resolveLaunch(extensions.require(id), context, env)
    expect(JSON.parse(launch.env[name]!)).toEqual({
      model: 'fake/fake-model',
      permission: { edit: 'ask', bash: 'ask' },
    })
  })

  test('the published schemas are those that count', () => {
    for (const [name, schema] of Object.entries(extensionJsonSchemas())) {
      const published = JSON.parse(readFileSync(join(SHIPPED, 'schemas', name), 'utf8')) as unknown
      expect(published, `${name}: run npm run schemas:generate`).toEqual(schema)
    }
  })
})

describe('broken extensions', () => {
  test('a file that is missing or no JSON', () => {
    expect(problemOf((folder) => folder.write('bad/manifest.json', '{'))).toMatch(
      /^bad\/manifest\.json: This is not JSON: /,
    )
    expect(problemOf((folder) => folder.remove('bad/manifest.json'))).toBe(
      'bad/manifest.json: There is no such file.',
    )
  })

  test('an unknown key, with the known ones', () => {
    expect(problemOf(withAgent({ command: 'x', arguments: [] }))).toMatch(
      /^bad\/manifest\.json: agent: There is no arguments here; known are backend, command, args, /,
    )
    expect(problemOf(withAgent({ command: 'x', argsProbe: { run: [] } }))).toContain(
      'agent.argsProbe: There is no run here; known are args, contains, else.',
    )
  })

  test('a wrong value, with its field and what is allowed', () => {
    expect(problemOf(withAgent({ command: 'x', args: ['a', { b: 1 }] }))).toBe(
      'bad/manifest.json: agent.args[1]: An argument is a text, or a list of texts that belong together.',
    )
    expect(problemOf(withAgent({ command: 'x', backend: 'pty' }))).toContain('agent.backend: ')
    expect(problemOf(withAgent({ command: 'x', processModel: 'pooled' }))).toMatch(
      /agent\.processModel: .*"per-session"\|"shared"/,
    )
  })

  test('a variable that does not exist, and a secret where everybody could read it', () => {
    expect(problemOf(withAgent({ command: 'x', args: [['-m', '${MODEL}']] }))).toBe(
      'bad/manifest.json: agent.args[0]: there is no variable ${MODEL}; known are CWD, DATA_DIR, NODE, EXTENSION_DIR, HOME.',
    )
    const problem = problemOf((folder) => {
      withFields({ id: 'apiKey', type: 'secret', label: 'Key' })(folder)
      withAgent({ command: 'x', args: ['--key=${API_KEY}'] })(folder)
    })
    expect(problem).toContain('${API_KEY} is a secret and is allowed in agent.env only.')
    const auth = { terminal: { args: ['login', '${MODLE}'] } }
    const login = problemOf((folder) => {
      withFields({ id: 'cwd', type: 'path', label: 'Folder' })(folder)
      folder.write('bad/manifest.json', manifest('bad', { auth }))
    })
    expect(login).toContain(
      'auth.terminal.args[1]: there is no variable ${MODLE}; known are CWD, DATA_DIR, NODE, EXTENSION_DIR, HOME.',
    )
  })

  test('a field of settings that cannot be', () => {
    expect(problemOf(withFields({ id: 'a', type: 'color', label: 'A' }))).toBe(
      'bad/settings_schema.json: fields[0].type: type is one of text, path, select, checkbox, number, secret.',
    )
    const number = { id: 'a', type: 'number', label: 'A', min: 1, default: 0 }
    expect(problemOf(withFields(number))).toBe(
      'bad/settings_schema.json: fields[0].default: The default does not fit: expected is a number from 1.',
    )
    const text = { id: 'a', type: 'text', label: 'A' }
    expect(problemOf(withFields(text, text))).toContain('fields[1].id: There is another field a.')
    expect(problemOf(withFields({ ...text, acp: 'effort' }))).toContain('acp is "mode", "model" or')
    expect(problemOf(withFields({ ...text, id: 'dataDir' }))).toContain(
      '"dataDir" is a reserved name',
    )
    expect(problemOf(withFields({ ...text, id: 'cwd' }))).toContain('its type is path')
    expect(problemOf(withFields({ ...text, options: [] }))).toContain('There is no options here')
  })

  test('an id that is not the one of the registry', () => {
    const write = (folder: ExtensionsFolder) =>
      void folder.write('bad/manifest.json', manifest('other'))
    expect(problemOf(write)).toContain('id: this is "other", but "bad" in')
  })
})

describe('extensions.json', () => {
  const entry = { id: 'good', name: 'Good', type: 'acp', path: 'good', enabled: true }
  const load = (more: unknown) => {
    using folder = new ExtensionsFolder()
    folder.write('good/manifest.json', manifest('good'))
    folder.write('extensions.json', { extensions: [entry, more] })
    return folder.load()
  }

  test('an unknown type and a folder elsewhere are refused by name', () => {
    const problem = (more: object) => load({ ...entry, id: 'bad', ...more }).list()[1]!.problem!
    expect(problem({ type: 'mcp' })).toContain('there is no type "mcp"; known are acp.')
    for (const path of ['../good', '/etc', '.', 'a/../..'])
      expect(problem({ path })).toContain(`path: "${path}" must be a folder beside this file.`)
  })

  test('an incomplete entry is a problem of the file, and the others are loaded', () => {
    const extensions = load({ id: 'Bad Id' })
    expect(extensions.list().map(({ id }) => id)).toEqual(['good'])
    expect(extensions.problems).toHaveLength(1)
    expect(extensions.problems[0]!.problem).toMatch(/^extensions\[1\]: id: An id has small letters/)
    expect(load(entry).problems[0]!.problem).toContain('another extension "good"')
  })

  test('a disabled one is listed, and not started', () => {
    const extensions = load({ ...entry, id: 'off', enabled: false })
    expect(extensions.list()[1]).toMatchObject({ id: 'off', enabled: false, state: 'disabled' })
    expect(() => extensions.require('off')).toThrow(/is disabled\. Set "enabled": true for "off"/)
  })

  test('a later folder overrides an earlier one', () => {
    using first = new ExtensionsFolder()
    using second = new ExtensionsFolder()
    first.register('a', 'b')
    for (const id of ['a', 'b']) first.write(`${id}/manifest.json`, manifest(id))
    second.write('extensions.json', { extensions: [{ ...entry, id: 'a', enabled: false }] })
    const extensions = new Extensions([first.path, second.path], pino({ level: 'silent' }))
    expect(extensions.list().map(({ id, state }) => `${id} ${state}`)).toEqual([
      'a disabled',
      'b enabled',
    ])
    expect(extensions.all.map((one) => one.manifest.id)).toEqual(['b'])
  })

  test('a file that is no JSON is a problem, and none is no problem', () => {
    using folder = new ExtensionsFolder()
    expect(folder.load().problems).toEqual([])
    folder.write('extensions.json', '[')
    expect(folder.load().problems[0]!.problem).toContain('This is not JSON')
  })
})
