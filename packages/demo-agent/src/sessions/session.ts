// A session that is open in this process: its conversation and the one turn that may run in it.
import { RequestError } from '@agentclientprotocol/sdk'
import type { McpServer, ToolKind } from '@agentclientprotocol/sdk'
import type { Conversation } from './conversation.js'

export class Session {
  /** Kinds of tool calls that a person has always allowed, until this process exits. */
  readonly alwaysAllowed = new Set<ToolKind>()
  #running: AbortController | undefined

  constructor(
    readonly conversation: Conversation,
    readonly mcpServers: readonly McpServer[],
  ) {}

  get id(): string {
    return this.conversation.sessionId
  }

  get cwd(): string {
    return this.conversation.cwd
  }

  /** Runs a turn. Throws when another one is running in this session. */
  async runTurn<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.requireIdle()
    const running = new AbortController()
    this.#running = running
    try {
      return await work(running.signal)
    } finally {
      this.#running = undefined
    }
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  requireIdle() {
    if (!this.#running) return
    throw RequestError.invalidRequest(
      { sessionId: this.id },
      'a turn is already running in this session; wait for it or cancel it',
    )
  }

  cancelTurn() {
    this.#running?.abort()
  }
}
