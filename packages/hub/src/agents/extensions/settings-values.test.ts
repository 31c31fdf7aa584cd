import { settingsSchemaSchema } from '@quayside/protocol/schemas'
import { describe, expect, test } from 'vitest'
import { HubError } from '../../errors.js'
import { manifestSchema } from './manifest.js'
import {
  acpChoices,
  checkHubWideSettings,
  checkSessionSettings,
  mergeSettings,
  withDefaults,
} from './settings-values.js'

const EXTENSION = {
  folder: '/ext',
  manifest: manifestSchema.parse({
    id: 'x',
    name: 'Agent X',
    type: 'acp',
    agent: { command: 'x' },
    auth: { env: [{ name: 'X_API_KEY', label: 'Key' }] },
  }),
  settingsSchema: settingsSchemaSchema.parse({
    version: '1',
    fields: [
      { id: 'cwd', type: 'path', label: 'Folder', default: '.', required: true, browse: true },
      { id: 'model', type: 'text', label: 'Model', acp: 'model', env: 'X_MODEL' },
      { id: 'rules', type: 'path', label: 'Rules' },
      {
        id: 'mode',
        type: 'select',
        label: 'Mode',
        acp: 'mode',
        default: 'ask',
        options: [
          { value: 'ask', label: 'Ask' },
          { value: 'code', label: 'Code' },
        ],
      },
      { id: 'fast', type: 'checkbox', label: 'Fast', acp: { option: 'fast-mode' }, env: 'X_FAST' },
      { id: 'turns', type: 'number', label: 'Turns', min: 1, max: 10 },
      { id: 'proxyKey', type: 'secret', label: 'Proxy key' },
    ],
  }),
}

function problemsOf(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    expect(error.code).toBe('invalid_settings')
    return error.details['problems'] as string[]
  }
}

describe('settings of a session', () => {
  const check = (settings: Record<string, unknown>) =>
    problemsOf(() => checkSessionSettings(EXTENSION, settings))

  test('every type of field takes what fits, and null', () => {
    const settings = { model: 'm', rules: 'a/b', mode: 'code', fast: false, turns: 10 }
    expect(check(settings)).toEqual([])
    expect(check({ cwd: '.', mcpServers: [], permissions: { mode: 'ask' } })).toEqual([])
    expect(check({ model: null, turns: null })).toEqual([])
  })

  test('a wrong value is named with what is allowed', () => {
    expect(check({ model: 3, rules: '', mode: 'yolo', fast: 'yes', turns: 11 })).toEqual([
      'model is 3; expected is a text.',
      'rules is ""; expected is a text.',
      'mode is "yolo"; allowed is one of ask, code.',
      'fast is "yes"; expected is true or false.',
      'turns is 11; expected is a number from 1 to 10.',
    ])
    expect(check({ turns: Number.NaN })).toHaveLength(1)
    expect(check({ model: 'a\0b' })[0]).toContain('cannot contain the character 0')
    expect(check({ model: 'x'.repeat(5_000) })[0]!.length).toBeLessThan(200)
  })

  test('an unknown key is named with the known ones', () => {
    expect(check({ modle: 'm' })).toEqual([
      'There is no setting modle; known are permissions, cwd, workspace, base, mcpServers, model, rules, mode, fast, turns.',
    ])
  })

  test('MCP servers are checked before an agent sees them', () => {
    const run = { name: 'run', command: '/bin/true', args: [], env: [{ name: 'A', value: '1' }] }
    const web = { name: 'web', url: 'https://example.com/mcp', headers: [] }
    const fine = [run, { ...run, type: 'stdio' }, { ...web, type: 'http' }, { ...web, type: 'sse' }]
    expect(check({ mcpServers: fine })).toEqual([])
    const wrong = [
      { name: 'x' },
      { ...run, args: 'a b', env: { A: '1' } },
      { ...web, type: 'http', url: 'ftp://example.com', headers: [{ name: 'A' }] },
      { ...web, type: 'carrier-pigeon' },
    ]
    expect(check({ mcpServers: wrong })).toEqual([
      'mcpServers: in x, command is a text, args is a list of texts, env is a list of { "name", "value" }.',
      'mcpServers: in run, args is a list of texts, env is a list of { "name", "value" }.',
      'mcpServers: in web, url is an http or https address, headers.0.value is a text.',
      'mcpServers: the type of web is http or sse, or absent for a command.',
    ])
  })

  test('a secret has no place in a session, where it would be kept in the log', () => {
    const problems = check({ proxyKey: 'very-secret-1', X_API_KEY: 'very-secret-2' })
    expect(problems).toEqual([
      'proxyKey is a secret: set it with PUT /api/extensions/x/settings.',
      'X_API_KEY is a secret: set it with PUT /api/extensions/x/settings.',
    ])
  })
})

test('hub-wide settings take secrets that can be hidden, and nothing that belongs to a session', () => {
  const check = (settings: Record<string, unknown>) =>
    problemsOf(() => checkHubWideSettings(EXTENSION, settings))
  expect(check({ X_API_KEY: 'long-enough', proxyKey: null, model: 'm' })).toEqual([])
  for (const secret of ['two\nlines-of-it', ' around-it', 'zero\0inside', '         ', 12345678])
    expect(check({ X_API_KEY: secret }), String(secret)).toHaveLength(1)
  expect(check({ X_API_KEY: 'short', cwd: '.', nothing: 1 })).toEqual([
    'X_API_KEY: a secret is one line of at least 8 characters, without spaces around it.',
    'cwd belongs to a session: set it there.',
    'There is no setting nothing; known are model, rules, mode, fast, turns, proxyKey, X_API_KEY.',
  ])
})

test('values are put together without the secrets, and without what no longer fits', () => {
  const layers = { hubWide: { turns: 2 }, session: { turns: 3 }, secrets: { proxyKey: 'secret' } }
  expect(mergeSettings(EXTENSION, layers, { X_MODEL: 'm', X_FAST: '1' })).toEqual({
    cwd: '.',
    model: 'm',
    mode: 'ask',
    fast: true,
    turns: 3,
  })
  const stale = { session: { mode: 'gone', turns: 99 }, hubWide: { turns: 5 } }
  expect(mergeSettings(EXTENSION, stale, {})).toEqual({ cwd: '.', mode: 'ask', turns: 5 })
  expect(() => mergeSettings(EXTENSION, {}, { X_FAST: 'perhaps' })).toThrow(
    'X_FAST is "perhaps"; expected is true or false.',
  )
})

test('a form shows as default what a session gets that says nothing', () => {
  const { fields } = withDefaults(EXTENSION, { mode: 'code' }, { X_MODEL: 'm' })
  const defaults = fields.map((field) => ('default' in field ? field.default : undefined))
  expect(defaults).toEqual(['.', 'm', undefined, 'code', undefined, undefined, undefined])
})

test('what is set on the ACP session is what the fields say that name it', () => {
  const session = { model: 'm', fast: true, turns: 4 }
  expect(acpChoices(EXTENSION, { session }, {})).toEqual([
    { optionId: 'model', value: 'm' },
    { optionId: 'mode', value: 'ask' },
    { optionId: 'fast-mode', value: true },
  ])
  expect(acpChoices(EXTENSION, {}, {})).toEqual([{ optionId: 'mode', value: 'ask' }])
})
