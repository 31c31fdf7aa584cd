// Converts the events of a session to the updates for an ACP client, and keeps its current modes and options.
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
  /** The tool calls of the running turn that the client knows. */
  readonly #toolCalls = new Set<unknown>()
  readonly #terminals = new TerminalText()

  /** For the response that opens the session. */
  get setup() {
    return {
      ...(this.#modes && { modes: this.#modes }),
      ...(this.#configOptions && { configOptions: this.#configOptions }),
      // No longer in ACP, but Gemini CLI 0.61 sends it and editors read it.
      ...(this.#models && { models: this.#models }),
    }
  }

  get configOptions(): readonly ConfigOption[] {
    return this.#configOptions ?? []
  }

  /** For a client that gets no replay. */
  get commands(): SessionUpdate | undefined {
    return this.#commands
  }

  /** The updates that a client gets for this event. */
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

  /** The terminals of running commands. */
  get runningTerminals(): readonly string[] {
    return this.#terminals.running
  }

  /** The updates for the output of a running command so far; none when it has ended. */
  printed(terminalId: string, output: string): readonly SessionUpdate[] {
    return this.#terminals.printed(terminalId, output)
  }

  /** A tool call with its terminals as text. */
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

  /** The prompt is sent when its turn starts, so that it does not appear inside the answer to an earlier one. */
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

  /** Gemini CLI requests a permission before it announces the tool call. Clients that are not asked need the call too. */
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
