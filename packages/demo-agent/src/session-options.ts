// The modes and options every session offers. Clients that know options ignore modes, so the mode is both.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { Conversation } from './conversation.js'

const MODES = [
  { id: 'ask', name: 'Ask', description: 'Talks things through first.' },
  { id: 'code', name: 'Code', description: 'Gets to work, and still asks before every change.' },
]

const MODELS = [
  { value: 'script-small', name: 'Script S', description: 'A short script instead of a model.' },
  {
    value: 'script-large',
    name: 'Script L',
    description: 'The same script, with more confidence.',
  },
]

export const DEFAULT_MODE_ID = 'ask'
export const DEFAULT_MODEL = 'script-small'

export function isMode(modeId: string): boolean {
  return MODES.some((mode) => mode.id === modeId)
}

export function isModel(model: string): boolean {
  return MODELS.some(({ value }) => value === model)
}

export function modesOf({ modeId }: Conversation): SessionModeState {
  return { currentModeId: modeId, availableModes: MODES }
}

export function configOptionsOf({ modeId, model }: Conversation): SessionConfigOption[] {
  const modes = MODES.map(({ id, ...mode }) => ({ value: id, ...mode }))
  return [
    {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: modeId,
      options: modes,
    },
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: MODELS,
    },
  ]
}
