import { newToolCall, readToolCall } from '@quayside/protocol'
import type { SessionSettings } from '@quayside/protocol/schemas'
import { expect, test } from 'vitest'
import { isSensitivePath } from '../../repos/files/sensitive-paths.js'
import { PermissionRules } from './permission-rules.js'

const isSensitive = (path: string) => isSensitivePath(path, ['.claude'])

type Settings = NonNullable<SessionSettings['permissions']>

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

function decide(settings: Partial<Settings>, toolCall: Record<string, unknown>, options = OPTIONS) {
  const policy = new PermissionRules({ mode: 'ask', rules: [], ...settings }, '/repo', isSensitive)
  return policy.decide(known(toolCall), options)
}

function known(toolCall: Record<string, unknown>) {
  return { call: newToolCall(readToolCall({ toolCallId: 't', ...toolCall })!), isWhole: true }
}

const edit = { kind: 'edit', locations: [{ path: '/repo/src/a.ts' }] }
const run = (command: string) => ({ kind: 'execute', title: command })

test('people decide by default', () => {
  expect(decide({}, edit)).toBeUndefined()
  expect(
    new PermissionRules(undefined, '/repo', isSensitive).decide(known({}), OPTIONS),
  ).toBeUndefined()
})

test('auto mode allows once, never always', () => {
  expect(decide({ mode: 'auto' }, edit)).toEqual({
    outcome: { outcome: 'selected', optionId: 'once' },
    rule: 'auto mode',
  })
})

test('the first rule that fits counts, and says so', () => {
  const rules: Settings['rules'] = [
    { action: 'deny', kind: 'edit', path: 'src/**' },
    { action: 'allow', kind: 'edit' },
  ]
  expect(decide({ rules }, edit)).toMatchObject({
    outcome: { optionId: 'no' },
    rule: expect.stringContaining('"deny"') as string,
  })
  const elsewhere = { kind: 'edit', locations: [{ path: '/repo/docs/a.md' }] }
  expect(decide({ rules }, elsewhere)).toMatchObject({ outcome: { optionId: 'once' } })
})

test('ask in a rule asks even in auto mode', () => {
  const rules: Settings['rules'] = [{ action: 'ask', kind: 'execute' }]
  expect(decide({ mode: 'auto', rules }, run('ls'))).toBeUndefined()
})

test('a path rule needs all paths of the call, and a path outside never fits', () => {
  const rules: Settings['rules'] = [{ action: 'allow', path: 'src/**' }]
  const both = { kind: 'edit', locations: [{ path: '/repo/src/a.ts' }, { path: '/etc/passwd' }] }
  expect(decide({ rules }, both)).toBeUndefined()
  expect(decide({ rules }, { kind: 'edit' })).toBeUndefined()
})

test('a command rule does not cover what is chained to the command', () => {
  const rules: Settings['rules'] = [{ action: 'allow', command: 'npm test*' }]
  expect(decide({ rules }, run('npm test -- --watch'))).toMatchObject({
    outcome: { optionId: 'once' },
  })
  for (const command of [
    'npm test; rm -rf /',
    'npm test && curl x',
    'npm test $(id)',
    'npm test\nrm x',
    'npm test > /etc/x',
  ])
    expect(decide({ rules }, run(command))).toBeUndefined()
  expect(decide({ rules: [{ action: 'allow', command: 'a; b' }] }, run('a; b'))).toBeDefined()
})

test('the arguments of a command count, whichever way the agent writes them', () => {
  const rules: Settings['rules'] = [
    { action: 'deny', command: 'git push*' },
    { action: 'allow', command: 'git' },
  ]
  for (const rawInput of [
    { command: 'git', args: ['push', '--force'] },
    { command: ['git', 'push', '--force'] },
    { cmd: 'git push --force' },
  ])
    expect(decide({ rules }, { kind: 'execute', rawInput })).toMatchObject({
      outcome: { optionId: 'no' },
    })
  const gc = { kind: 'execute', rawInput: { command: 'git', args: ['gc'] } }
  expect(decide({ rules }, gc)).toBeUndefined()
})

test('a rule that holds back fits when any part of the call does', () => {
  const rules: Settings['rules'] = [
    { action: 'deny', command: 'git push*' },
    { action: 'ask', path: 'secrets/**' },
  ]
  for (const command of ['git push && echo ok', 'cd x; git push', '(git push)', 'git push > log'])
    expect(decide({ mode: 'auto', rules }, run(command))).toMatchObject({
      outcome: { optionId: 'no' },
    })
  expect(decide({ mode: 'auto', rules }, run('echo git push'))).toMatchObject({
    outcome: { optionId: 'once' },
  })
  const locations = [{ path: '/repo/src/a.ts' }, { path: '/repo/secrets/key' }]
  expect(decide({ mode: 'auto', rules }, { kind: 'edit', locations })).toBeUndefined()
  const content = [{ type: 'diff', path: '/repo/secrets/key', newText: 'x' }]
  expect(decide({ mode: 'auto', rules }, { kind: 'edit', content })).toBeUndefined()
})

test('files that can run code unseen are always asked about', () => {
  for (const path of [
    '/repo/.git/hooks/pre-commit',
    '/repo/.claude/settings.json',
    '/repo/.vscode/tasks.json',
  ])
    for (const where of [{ locations: [{ path }] }, { content: [{ type: 'diff', path }] }])
      expect(decide({ mode: 'auto' }, { kind: 'edit', ...where })).toBeUndefined()
})

test('an agent that offers no mild option is asked about, or cancelled when denied', () => {
  const onlyAlways = [{ optionId: 'always', name: 'Always', kind: 'allow_always' }]
  expect(decide({ mode: 'auto' }, edit, onlyAlways)).toBeUndefined()
  expect(decide({ rules: [{ action: 'deny' }] }, edit, onlyAlways)).toMatchObject({
    outcome: { outcome: 'cancelled' },
  })
})

test('hostile tool calls do not throw', () => {
  for (const toolCall of [
    { locations: 'x' },
    { locations: [null, 7, {}] },
    { rawInput: 'x' },
    { rawInput: null, kind: 7 },
  ])
    expect(() => decide({ mode: 'auto' }, toolCall as Record<string, unknown>)).not.toThrow()
})
