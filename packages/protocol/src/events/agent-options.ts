// The options of an agent (modes, models and others), the same for every version of ACP.
import type { ConfigOption, SessionModes } from '../acp/acp.js'
import { type Fields, isFields } from '../acp/fields.js'
import type { EventData } from './events.js'

export type AgentChoice = {
  readonly value: string
  readonly name: string
  readonly description?: string | undefined
}
export type AgentOption = {
  readonly id: string
  readonly name: string
  readonly value: string | boolean
  /** Empty for a switch. */
  readonly choices: readonly AgentChoice[]
}

/** The parts of a session's state that list options. */
export type AgentOffer = {
  readonly options: readonly ConfigOption[]
  readonly modes: SessionModes | null
  readonly agent: Pick<EventData['agent.started'], 'models'> | null
}

/** Agents with config options list their modes among them. */
export function agentOptionsOf({ options, modes, agent }: AgentOffer): AgentOption[] {
  if (options.length > 0) return options.flatMap(readOption)
  return [...modeOption(modes), ...modelOption(agent?.models)]
}

/** The name of the chosen value. */
export function chosenName({ value, choices, name }: AgentOption): string {
  if (typeof value === 'boolean') return name
  return choices.find((choice) => choice.value === value)?.name ?? value
}

function readOption({ id, name, currentValue, options }: ConfigOption): AgentOption[] {
  const choices = (options ?? []).flatMap(readChoices)
  if (typeof currentValue === 'string' && choices.length === 0) return []
  return [{ id, name, value: currentValue, choices }]
}

/** A choice, or a group of them. */
function readChoices(entry: unknown): AgentChoice[] {
  if (!isFields(entry)) return []
  if (Array.isArray(entry['options'])) return entry['options'].flatMap(readChoices)
  const { value, name, description } = entry
  if (typeof value !== 'string') return []
  return [choiceOf(value, name, description)]
}

function modeOption(modes: SessionModes | null): AgentOption[] {
  if (modes === null || modes.availableModes.length === 0) return []
  const choices = modes.availableModes.map(({ id, name, description }) =>
    choiceOf(id, name, description),
  )
  return [{ id: 'mode', name: 'Mode', value: modes.currentModeId, choices }]
}

/** Models as Gemini CLI 0.61 and others list them. */
function modelOption(models: Fields | undefined): AgentOption[] {
  const { availableModels, currentModelId } = models ?? {}
  if (!Array.isArray(availableModels) || typeof currentModelId !== 'string') return []
  const choices = availableModels.flatMap((model: unknown) =>
    isFields(model) && typeof model['modelId'] === 'string'
      ? [choiceOf(model['modelId'], model['name'], model['description'])]
      : [],
  )
  return choices.length === 0
    ? []
    : [{ id: 'model', name: 'Model', value: currentModelId, choices }]
}

function choiceOf(value: string, name: unknown, description: unknown): AgentChoice {
  return {
    value,
    name: typeof name === 'string' && name !== '' ? name : value,
    description: typeof description === 'string' ? description : undefined,
  }
}
