// The modes, models and config options of an agent under one name each, for every generation of ACP.
import {
  type ConfigOption,
  readConfigOptions,
  readUpdate,
  type SessionUpdate,
} from '@quayside/protocol'
import { HubError, messageOfError } from '../../errors.js'
import { isObject, type JsonObject } from '../../json.js'
import type { AcpSession } from './read-agent-messages.js'

const INVALID_PARAMS = -32_602

export type Choice = { readonly optionId: string; readonly value: string | boolean }
/** A choice that was set, with all options if the agent lists them in its response, or `rejection` with the reason. */
export type AppliedChoice = Choice & {
  readonly configOptions?: readonly ConfigOption[]
  readonly rejection?: string
}

export class AgentOptions {
  /** As the agent last reported them. */
  #session: AcpSession
  readonly #request: (method: string, params: JsonObject) => Promise<JsonObject>

  constructor(
    session: AcpSession,
    request: (method: string, params: JsonObject) => Promise<JsonObject>,
  ) {
    this.#session = session
    this.#request = request
  }

  /** Returns all options if the agent lists them in its response. */
  async set(
    optionId: string,
    value: string | boolean,
  ): Promise<{ configOptions?: readonly ConfigOption[] }> {
    const { acpSessionId: sessionId, configOptions, modes, models } = this.#session
    if (configOptions?.some(({ id }) => id === optionId)) {
      const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value }
      const params = { sessionId, configId: optionId, ...typed }
      const answer = await this.#ask('session/set_config_option', params)
      const listed = readConfigOptions(answer['configOptions'])
      this.#noteOption(optionId, value, listed)
      return listed ? { configOptions: listed } : {}
    }
    if (optionId === 'mode' && modes) {
      const offered = modes.availableModes.map(({ id }) => id)
      const currentModeId = requireOffered(optionId, value, offered)
      await this.#ask('session/set_mode', { sessionId, modeId: currentModeId })
      this.#noteMode(currentModeId)
      return {}
    }
    // Gemini CLI 0.61 and others list models in the older form.
    if (optionId === 'model' && models) {
      const currentModelId = requireOffered(optionId, value, modelIds(models))
      await this.#ask('session/set_model', { sessionId, modelId: currentModelId })
      this.#session = { ...this.#session, models: { ...models, currentModelId } }
      return {}
    }
    throw new HubError('option_not_found', { optionId, value, known: this.#known() })
  }

  /** Sets the choices that differ from the current values. A rejected one does not stop the others. */
  async *apply(choices: readonly Choice[]): AsyncGenerator<AppliedChoice> {
    for (const choice of choices) {
      const { optionId, value } = choice
      if (this.current(optionId) === value) continue
      try {
        yield { ...choice, ...(await this.set(optionId, value)) }
      } catch (error) {
        const rejection = `The agent rejected ${optionId} "${value}" from the settings: ${messageOfError(error)}`
        yield { ...choice, rejection }
      }
    }
  }

  current(optionId: string): string | boolean | undefined {
    const { configOptions, modes, models } = this.#session
    const option = configOptions?.find(({ id }) => id === optionId)
    if (option) return option.currentValue
    if (optionId === 'mode') return modes?.currentModeId
    const model = optionId === 'model' ? models?.['currentModelId'] : undefined
    return typeof model === 'string' ? model : undefined
  }

  /** Agents also change and add options on their own. */
  observe(update: SessionUpdate): void {
    const { sessionUpdate } = update
    if (sessionUpdate !== 'config_option_update' && sessionUpdate !== 'current_mode_update') return
    const known = readUpdate(update)
    if (known?.sessionUpdate === 'current_mode_update') this.#noteMode(known.currentModeId)
    if (known?.sessionUpdate === 'config_option_update')
      this.#session = { ...this.#session, configOptions: known.configOptions }
  }

  #noteMode(currentModeId: string): void {
    const { modes } = this.#session
    if (modes) this.#session = { ...this.#session, modes: { ...modes, currentModeId } }
  }

  #noteOption(
    optionId: string,
    value: string | boolean,
    listed: readonly ConfigOption[] | undefined,
  ): void {
    const configOptions = (listed ?? this.#session.configOptions ?? []).map((option) =>
      option.id === optionId ? { ...option, currentValue: value } : option,
    )
    this.#session = { ...this.#session, configOptions }
  }

  /** A value that the agent refuses is the caller's mistake, not a failure of the agent. */
  async #ask(method: string, params: JsonObject): Promise<JsonObject> {
    try {
      return await this.#request(method, params)
    } catch (error) {
      const acp = error instanceof HubError ? error.details['acp'] : undefined
      if (!isObject(acp) || acp['code'] !== INVALID_PARAMS) throw error
      const { message } = error as HubError
      throw new HubError('invalid_settings', { message, acp }, { cause: error })
    }
  }

  #known(): string[] {
    const { configOptions, modes, models } = this.#session
    const named = [...(modes ? ['mode'] : []), ...(models ? ['model'] : [])]
    return [...new Set([...(configOptions ?? []).map(({ id }) => id), ...named])]
  }
}

function requireOffered(
  optionId: string,
  value: string | boolean,
  offered: readonly string[],
): string {
  const found = offered.find((known) => known === value)
  if (found !== undefined) return found
  throw new HubError('invalid_settings', {
    message: `${optionId} is "${value}"; allowed is one of ${offered.join(', ')}.`,
    known: offered,
  })
}

function modelIds({ availableModels }: JsonObject): string[] {
  if (!Array.isArray(availableModels)) return []
  return availableModels.flatMap((model: unknown) =>
    isObject(model) && typeof model['modelId'] === 'string' ? [model['modelId']] : [],
  )
}
