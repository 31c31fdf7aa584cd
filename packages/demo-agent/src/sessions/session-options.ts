// The modes and options every session offers. Clients that know options ignore modes, so the mode is both.
import type {
  SessionConfigOption,
  SessionModeState,
  SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk'
import { z } from 'zod'
import type { Conversation } from './conversation.js'
import type { Settings } from '../settings.js'

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

/** `session/set_model` is no longer in ACP's schema; Gemini CLI 0.61 still has it. */
export const setModelSchema = z.object({ sessionId: z.string(), modelId: z.string() })

interface LegacyModels {
  readonly availableModels: { modelId: string; name: string }[]
  readonly currentModelId: string
}

/** The modes, models and options in the response that opens a session. */
export function optionsOf(
  conversation: Conversation,
  { models }: Settings,
): { modes: SessionModeState } & (SetSessionConfigOptionResponse | { models: LegacyModels }) {
  const modes = { currentModeId: conversation.modeId, availableModes: MODES }
  if (models === 'options') return { modes, configOptions: configOptionsOf(conversation) }
  return { modes, models: legacyModelsOf(conversation) }
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

function legacyModelsOf({ model }: Conversation): LegacyModels {
  return {
    availableModels: MODELS.map(({ value, name }) => ({ modelId: value, name })),
    currentModelId: model,
  }
}
