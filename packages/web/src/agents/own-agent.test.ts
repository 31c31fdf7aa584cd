import { expect, test } from 'vitest'
import { extensionOf, idOf, splitArguments } from './own-agent.js'

test('arguments are split by spaces, except in quotes', () => {
  expect(splitArguments(`  --acp --name "My agent" '' --x='a b'c `)).toEqual([
    '--acp',
    '--name',
    'My agent',
    '',
    '--x=a bc',
  ])
  expect(splitArguments('')).toEqual([])
})

test('a name becomes an id that a manifest may have', () => {
  expect(['My Agent', 'Élan 2!', '7 dwarfs', '…'].map(idOf)).toEqual([
    'my-agent',
    'e-lan-2',
    'agent-7-dwarfs',
    'agent',
  ])
})

test('variables that are called like secrets are kept apart, and those without a name are left out', () => {
  const variables = [
    { name: 'MY_API_KEY', value: 'k' },
    { name: ' REGION ', value: 'eu' },
    { name: '', value: 'lost' },
  ]
  const extension = extensionOf({ name: ' Mine ', command: 'mine', args: '--acp', variables })
  expect(extension).toEqual({
    name: 'Mine',
    command: 'mine',
    args: ['--acp'],
    env: { REGION: 'eu' },
    secrets: { MY_API_KEY: 'k' },
  })
})
