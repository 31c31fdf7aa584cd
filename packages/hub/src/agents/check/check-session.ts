// One ACP session of the agent check: prompts with a deadline, and answers permissions as the check decides.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PermissionOutcome } from '@quayside/protocol'
import { messageOfError } from '../../errors.js'
import type { ConfinedFiles } from '../../repos/files/confined-files.js'
import type { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import type { AcpSessionHandlers, AgentProcess } from '../connection/agent-process.js'
import type { PermissionRequest } from '../connection/read-agent-messages.js'
import type { WireRecording } from '../wire/log/wire-recording.js'
import { within } from '../../deadline.js'

/** A running agent and the record of its wire traffic. */
export type WatchedAgent = { readonly process: AgentProcess; readonly recording: WireRecording }

export type CheckTurn =
  | { readonly is: 'ended'; readonly stopReason: string }
  | { readonly is: 'failed'; readonly problem: string }
  | { readonly is: 'late' }

/** A permission request. `isTooLate`: the file existed before the agent asked. */
export type Asked = { readonly title: string; readonly isTooLate: boolean }

export type CheckSessionOptions = {
  readonly acpSessionId: string
  /** The mode after the settings were applied, for agents that have modes. */
  readonly modeId?: string | undefined
  readonly agent: WatchedAgent
  readonly folder: string
  readonly turnMs: number
  readonly files: ConfinedFiles
  readonly terminals: AgentTerminals
}

export class CheckSession {
  readonly acpSessionId: string
  readonly modeId: string | undefined
  readonly agent: WatchedAgent
  readonly #options: CheckSessionOptions
  #asked: Asked[] = []
  #answer: 'allow' | 'reject' | 'cancel' = 'allow'
  #file: string | undefined

  constructor(options: CheckSessionOptions) {
    this.#options = options
    this.acpSessionId = options.acpSessionId
    this.modeId = options.modeId
    this.agent = options.agent
    this.agent.process.attach(this.acpSessionId, this.#handlers())
  }

  /** The permission requests since the last prompt began. */
  get asked(): readonly Asked[] {
    return this.#asked
  }

  /** Sets the answer to permission requests; `file` is the file they are about. */
  decide(answer: 'allow' | 'reject' | 'cancel', file?: string): void {
    this.#answer = answer
    this.#file = file
  }

  /** Kills the agent when the turn does not end in time. */
  async prompt(text: string): Promise<CheckTurn> {
    this.#asked = []
    const blocks = [{ type: 'text', text } as const]
    const turn = this.agent.process.prompt(this.acpSessionId, blocks).then(
      ({ stopReason }): CheckTurn => ({ is: 'ended', stopReason }),
      (error: unknown): CheckTurn => ({ is: 'failed', problem: messageOfError(error) }),
    )
    const ended = await within(turn, this.#options.turnMs)
    if (ended !== undefined) return ended
    await this.giveUp()
    return { is: 'late' }
  }

  async cancel(): Promise<void> {
    this.#answer = 'cancel'
    await this.agent.process.cancel(this.acpSessionId)
  }

  /** Kills an agent with a turn that hangs, so that the next check starts another. */
  async giveUp(): Promise<void> {
    this.agent.process.kill()
    await this.agent.process.exited
  }

  #handlers(): AcpSessionHandlers {
    const { acpSessionId, files, terminals } = this.#options
    return {
      sessionId: acpSessionId,
      files,
      terminals,
      onUpdate: () => {},
      whenRoom: () => undefined,
      onNotice: () => {},
      onAuthChanged: () => {},
      onPermission: async (request) => this.#decide(request),
      onQuestion: async () => ({ action: 'decline' }),
      onQuestionDone: () => {},
    }
  }

  #decide({ toolCall, options }: PermissionRequest): PermissionOutcome {
    const file = this.#file
    const isTooLate = file !== undefined && existsSync(join(this.#options.folder, file))
    this.#asked.push({ title: toolCall['title'] ?? toolCall.toolCallId, isTooLate })
    const kinds = options.filter(({ kind }) => kind.startsWith(this.#answer))
    const option = kinds.find(({ kind }) => kind.endsWith('_once')) ?? kinds[0]
    if (option === undefined) return { outcome: 'cancelled' }
    return { outcome: 'selected', optionId: option.optionId }
  }
}
