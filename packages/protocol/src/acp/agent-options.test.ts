// An agent's options, modes and models as one list.
import { expect, test } from 'vitest'
import { chosenName, agentOptionsOf } from './agent-options.js'

const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] }
const models = { currentModelId: 'm', availableModels: [{ modelId: 'm', name: 'Model M' }] }

test('options come in the order of the agent, and its modes are not listed twice', () => {
  const options = agentOptionsOf({
    modes,
    agent: null,
    options: [
      {
        id: 'model',
        name: 'Model',
        type: 'select',
        currentValue: 'b',
        options: [
          { name: 'Fast', options: [{ value: 'a', name: 'A' }] },
          { value: 'b', name: 'B' },
        ],
      },
      { id: 'web', name: 'Web search', type: 'boolean', currentValue: true },
      { id: 'odd', name: 'Odd', type: 'select', currentValue: 'x', options: [7] },
    ],
  })
  expect(options.map(({ id }) => id)).toEqual(['model', 'web'])
  expect(options.map(chosenName)).toEqual(['B', 'Web search'])
})

test('agents without options have their modes and models', () => {
  const agent = { acpSessionId: 's', how: 'new', models } as const
  const options = agentOptionsOf({ options: [], modes, agent })
  expect(options.map(chosenName)).toEqual(['Ask', 'Model M'])
  expect(agentOptionsOf({ options: [], modes: null, agent: null })).toEqual([])
})
