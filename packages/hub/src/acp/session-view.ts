// A session as an ACP client sees it: event by event the updates it is told, and the modes and options as they are now.
import {
  type ConfigOption,
  type ContentBlock,
  type EventData,
  noticeOf,
  readConfigOptions,
  readModes,
  readUpdate,
  type SessionEvent,
  type SessionModes,
  type SessionUpdate,
  type ToolCallFields,
} from '@quayside/protocol'
import { TerminalText } from './terminal-text.js'

export class SessionView {
  #modes: SessionModes | undefined
  #configOptions: readonly ConfigOption[] | undefined
  #models: Readonly<Record<string, unknown>> | undefined
  #commands: SessionUpdate | undefined
  readonly #waiting = new Map<string, readonly ContentBlock[]>()
  /** Of the running turn: a permission may speak of one that nobody has heard of. */
  readonly #toolCalls = new Set<unknown>()
  readonly #terminals = new TerminalText()

  /** What opening the session answers. */
  get setup() {
    return {
      ...(this.#modes && { modes: this.#modes }),
      ...(this.#configOptions && { configOptions: this.#configOptions }),
      // Not in ACP any more, but what Gemini CLI 0.61 says and editors read.
      ...(this.#models && { models: this.#models }),
    }
  }

  get configOptions(): readonly ConfigOption[] {
    return this.#configOptions ?? []
  }

  /** For a client that was not sent what came before. */
  get commands(): SessionUpdate | undefined {
    return this.#commands
  }

  /** The updates that tell a client of this event. */
  take(event: SessionEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'acp.update':
        return [this.#takeUpdate(event.data.update)]
      case 'turn.queued':
        this.#waiting.set(event.data.turnId, event.data.prompt)
        return []
      case 'turn.started':
        return this.#startTurn(event.data.turnId)
      case 'turn.ended':
        this.#waiting.delete(event.data.turnId)
        return []
      case 'permission.requested':
        return this.#introduce(event.data.toolCall)
      case 'option.set':
        return this.#setOption(event.data)
      case 'terminal.opened':
        this.#terminals.opened(event.data)
        return []
      case 'terminal.exited':
        return this.#terminals.exited(event.data)
      default:
        return this.#takeSession(event)
    }
  }

  /** Commands that have not ended yet. */
  get runningTerminals(): readonly string[] {
    return this.#terminals.running
  }

  /** The updates that tell what a command has printed so far; none when it has ended. */
  printed(terminalId: string, output: string): readonly SessionUpdate[] {
    return this.#terminals.printed(terminalId, output)
  }

  /** A tool call as it is shown to this client. */
  show(call: ToolCallFields): ToolCallFields {
    return this.#terminals.apply(call)
  }

  #takeSession(event: SessionEvent): readonly SessionUpdate[] {
    if (event.type === 'agent.started') this.#startAgent(event.data)
    if (event.type === 'session.created' || event.type === 'session.updated') {
      const { title } = event.data
      return title === undefined ? [] : [{ sessionUpdate: 'session_info_update', title }]
    }
    const notice = noticeOf(event)
    if (notice === undefined) return []
    const { severity, message: title, code, details } = notice
    const quayside = { code, ...(details === undefined ? {} : { details }) }
    return [{ sessionUpdate: 'notice', severity, title, _meta: { quayside } }]
  }

  #takeUpdate(update: SessionUpdate): SessionUpdate {
    const known = readUpdate(update)
    switch (known?.sessionUpdate) {
      case 'current_mode_update':
        this.#setMode(known.currentModeId)
        return update
      case 'config_option_update':
        this.#configOptions = known.configOptions
        return update
      case 'available_commands_update':
        this.#commands = update
        return update
      case 'tool_call':
      case 'tool_call_update':
        this.#toolCalls.add(known.toolCallId)
        return this.#terminals.apply(update)
      default:
        return update
    }
  }

  /** Told when the agent gets it, so that it does not stand amid the answer to the one before. */
  #startTurn(turnId: string): SessionUpdate[] {
    const prompt = this.#waiting.get(turnId) ?? []
    this.#waiting.delete(turnId)
    this.#toolCalls.clear()
    this.#terminals.forget()
    return prompt.map((content) => ({
      sessionUpdate: 'user_message_chunk',
      content,
      messageId: turnId,
    }))
  }

  /** Gemini CLI asks before it has named the tool call; whoever is not asked would never hear of it. */
  #introduce(call: ToolCallFields): SessionUpdate[] {
    if (this.#toolCalls.has(call.toolCallId)) return []
    this.#toolCalls.add(call.toolCallId)
    const { title, status, ...fields } = this.show(call)
    return [
      {
        sessionUpdate: 'tool_call',
        ...fields,
        title: title ?? call.toolCallId,
        status: status ?? 'pending',
      },
    ]
  }

  #startAgent({ modes, configOptions, models }: EventData['agent.started']): void {
    this.#modes = readModes(modes)
    this.#configOptions = readConfigOptions(configOptions)
    this.#models = models
  }

  #setOption({ optionId, value, configOptions }: EventData['option.set']): SessionUpdate[] {
    if (optionId === 'mode') this.#setMode(String(value))
    if (optionId === 'model' && this.#models)
      this.#models = { ...this.#models, currentModelId: value }
    const listed = readConfigOptions(configOptions) ?? this.#configOptions
    if (listed?.some(({ id }) => id === optionId)) {
      this.#configOptions = listed.map((option) =>
        option.id === optionId ? { ...option, currentValue: value } : option,
      )
      return [{ sessionUpdate: 'config_option_update', configOptions: this.#configOptions }]
    }
    return optionId === 'mode'
      ? [{ sessionUpdate: 'current_mode_update', currentModeId: String(value) }]
      : []
  }

  #setMode(currentModeId: string): void {
    if (this.#modes) this.#modes = { ...this.#modes, currentModeId }
  }
}
