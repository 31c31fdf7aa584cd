// The error of a rejected terminal request of an agent. The callers of AgentTerminals map it to a JSON-RPC error.
export type TerminalErrorCode = 'outside' | 'not_found' | 'spawn_failed' | 'too_many' | 'invalid'

export class TerminalError extends Error {
  readonly code: TerminalErrorCode

  constructor(code: TerminalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
    this.code = code
  }
}
