import { expect, test } from 'vitest'
import type { JsonObject } from '../../json.js'
import { fillSecrets, hasPlaceholder, hideSecrets } from './mcp-secrets.js'

const SET = { isSet: true }

const COMMAND = {
  name: 'notes',
  command: 'npx',
  args: ['-y', 'notes', '--token', 'open sesame', '--url=https://me:p4ss@notes.dev', '--verbose'],
  env: [
    { name: 'HARMLESS', value: 'open sesame' },
    { name: 'EMPTY', value: '' },
  ],
}
const ADDRESS = {
  type: 'http',
  name: 'web',
  url: 'https://mcp.dev/mcp?api_key=qwertz',
  headers: [{ name: 'X-Team', value: 'open sesame' }],
}
const HIDDEN = [
  {
    ...COMMAND,
    args: ['-y', 'notes', '--token', SET, SET, '--verbose'],
    env: [
      { name: 'HARMLESS', value: SET },
      { name: 'EMPTY', value: '' },
    ],
  },
  { ...ADDRESS, url: SET, headers: [{ name: 'X-Team', value: SET }] },
]

test('every value of env and headers is hidden, and of the rest what looks like a secret', () => {
  expect(hideSecrets([COMMAND, ADDRESS])).toEqual(HIDDEN)
})

test('hiding twice is hiding once', () => {
  expect(hideSecrets(HIDDEN)).toEqual(HIDDEN)
})

test('servers without secrets stay as they are', () => {
  const plain = [{ name: 'api-key', command: '/bin/true', args: ['--port', '80'], env: [] }]
  expect(hideSecrets(plain)).toEqual(plain)
  expect(hasPlaceholder(plain)).toBe(false)
})

test('placeholders get the stored values again, also when servers and entries change places', () => {
  const stored = [COMMAND, ADDRESS]
  expect(fillSecrets(HIDDEN, stored)).toEqual(stored)
  const [notes, web] = HIDDEN
  const changed = [
    web!,
    {
      ...notes!,
      args: ['notes', '--token', SET],
      env: [
        { name: 'MORE', value: 'x' },
        { name: 'HARMLESS', value: SET },
      ],
    },
  ]
  expect(fillSecrets(changed, stored)).toEqual([
    ADDRESS,
    {
      ...COMMAND,
      args: ['notes', '--token', 'open sesame'],
      env: [
        { name: 'MORE', value: 'x' },
        { name: 'HARMLESS', value: 'open sesame' },
      ],
    },
  ])
})

test.each([
  ['another server', [{ ...COMMAND, name: 'other', env: [{ name: 'HARMLESS', value: SET }] }]],
  ['another variable', [{ ...COMMAND, env: [{ name: 'OTHER', value: SET }] }]],
  ['another flag', [{ ...COMMAND, args: ['--other-token', SET] }]],
])('a placeholder of %s gets no stored value', (_, servers: JsonObject[]) => {
  expect(fillSecrets(servers, [COMMAND])).toEqual(servers)
})
