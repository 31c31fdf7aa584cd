// Modes, models and config options of an agent under one name each, whichever generation of ACP it speaks.
import { type ConfigOption, readConfigOptions } from '@quayside/protocol'
import type { AcpSession } from '../agents/agent-process.js'
import { isObject, type JsonObject } from '../agents/wire/frames.js'
import { HubError } from '../errors.js'

export class AgentOptions {
  readonly #session: AcpSession
  readonly #request: (method: string, params: JsonObject) => Promise<JsonObject>

  constructor(
    session: AcpSession,
    request: (method: string, params: JsonObject) => Promise<JsonObject>,
  ) {
    this.#session = session
    this.#request = request
  }

  /** Answers with all options as the agent lists them afterwards, if it does. */
  async set(
    optionId: string,
    value: string | boolean,
  ): Promise<{ configOptions?: readonly ConfigOption[] }> {
    const { acpSessionId: sessionId, configOptions, modes, models } = this.#session
    const option = configOptions?.find(({ id }) => id === optionId)
    if (option) {
      const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value }
      const params = { sessionId, configId: optionId, ...typed }
      const answer = await this.#request('session/set_config_option', params)
      const listed = readConfigOptions(answer['configOptions'])
      return listed ? { configOptions: listed } : {}
    }
    if (optionId === 'mode' && modes?.availableModes.some(({ id }) => id === value)) {
      await this.#request('session/set_mode', { sessionId, modeId: value })
      return {}
    }
    // Gemini CLI 0.61 and others still list models in an older way.
    if (optionId === 'model' && hasModel(models, value)) {
      await this.#request('session/set_model', { sessionId, modelId: value })
      return {}
    }
    throw new HubError('option_not_found', { optionId, value, known: this.#known() })
  }

  /** What the agent said when the session was opened, if it did. */
  current(optionId: string): string | boolean | undefined {
    const { configOptions, modes, models } = this.#session
    const option = configOptions?.find(({ id }) => id === optionId)
    if (option) return option.currentValue
    if (optionId === 'mode') return modes?.currentModeId
    const model = optionId === 'model' ? models?.['currentModelId'] : undefined
    return typeof model === 'string' ? model : undefined
  }

  #known(): string[] {
    const { configOptions, modes, models } = this.#session
    return [
      ...(configOptions ?? []).map(({ id }) => id),
      ...(modes ? ['mode'] : []),
      ...(models ? ['model'] : []),
    ]
  }
}

function hasModel(models: JsonObject | undefined, value: string | boolean): boolean {
  const available = models?.['availableModels']
  return (
    Array.isArray(available) &&
    available.some((model) => isObject(model) && model['modelId'] === value)
  )
}
