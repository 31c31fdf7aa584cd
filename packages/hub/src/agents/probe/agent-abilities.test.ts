import { expect, test } from 'vitest'
import { abilitiesOf, signInMethodsOf } from './agent-abilities.js'

test('capabilities are told in words, whether they are true or an object', () => {
  expect(
    abilitiesOf({
      loadSession: true,
      promptCapabilities: { image: true, audio: false },
      sessionCapabilities: { resume: {}, list: null, novelty: {} },
      mcpCapabilities: { http: true },
      auth: { logout: {} },
    }),
  ).toEqual([
    'loads earlier sessions',
    'resumes earlier sessions',
    'takes pictures',
    'MCP servers over HTTP',
    'signs out',
  ])
  expect(abilitiesOf({ promptCapabilities: null, loadSession: 'yes' })).toEqual([])
})

test('each way to sign in says what a person has to do', () => {
  expect(
    signInMethodsOf([
      { id: 'web', name: 'Log in', description: 'In a browser' },
      { id: 'shell', name: 'Set up', type: 'terminal' },
      { id: 'key', name: 'API key', type: 'env_var', vars: [{ name: 'SOME_KEY' }] },
      { id: 'old-key', type: 'env_var', varName: 'OLD_KEY' },
      { name: 'without an id' },
      null,
    ]),
  ).toEqual([
    { id: 'web', name: 'Log in', description: 'In a browser', how: 'agent' },
    { id: 'shell', name: 'Set up', how: 'terminal' },
    { id: 'key', name: 'API key', how: 'environment', variables: ['SOME_KEY'] },
    { id: 'old-key', name: 'old-key', how: 'environment', variables: ['OLD_KEY'] },
  ])
})
