// The agent of one session: started, connected by the resume ladder, replaced when it has to be, ended with its terminals.
import { isDeepStrictEqual } from 'node:util'
import type { ContentBlock, EventData } from '@quayside/protocol'
import type { AgentExit } from '../agents/process/agent-child.js'
import type {
  AcpSession,
  AcpSessionHandlers,
  AgentProcess,
  PromptResult,
  Workplace,
} from '../agents/agent-process.js'
import { connectSession, type KnownSession } from '../agents/connect-session.js'
import type { JsonObject } from '../agents/wire/frames.js'
import type { Quirks } from '../agents/quirks.js'
import { HubError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { AgentOptions } from './agent-options.js'

export type SessionAgentOptions = {
  readonly start: () => Promise<AgentProcess>
  readonly workplace: Workplace
  readonly quirks: Quirks
  /** The conversation so far as text, for an agent that has forgotten it. */
  readonly primer: () => Promise<string>
  readonly log: Log
}

type Link = {
  readonly process: AgentProcess
  readonly session: AcpSession
  readonly startedAt: number
}

export class SessionAgent {
  readonly #options: SessionAgentOptions
  #link: Link | undefined
  #workplace: Workplace
  #isStopping = false
  #needsPrimer = false

  constructor(options: SessionAgentOptions) {
    this.#options = options
    this.#workplace = options.workplace
  }

  /** Starts a process and gets into the session; answers with what the log should say. Nothing stays when it fails. */
  async connect(known?: KnownSession): Promise<EventData['agent.started']> {
    const { start, quirks, log } = this.#options
    const workplace = this.#workplace
    const process = await start()
    try {
      const { how, ...session } = await connectSession(process, { workplace, quirks, known, log })
      this.#link = { process, session, startedAt: Date.now() }
      this.#needsPrimer = how === 'primer'
      const { agentInfo, capabilities } = process.description
      return {
        ...session,
        how,
        capabilities,
        ...(process.pid === undefined ? {} : { pid: process.pid }),
        ...(agentInfo ? { agentInfo } : {}),
      }
    } catch (error) {
      await process.stop()
      throw error
    }
  }

  /** Hands the agent's updates and questions to `handlers`; `onExit` hears when it goes without being told to. */
  attach(handlers: AcpSessionHandlers, onExit: (exit: AgentExit) => void): void {
    const { process, session } = this.#requireLink()
    process.attach(session.acpSessionId, handlers)
    logRejection(this.#options.log, 'hearing of an exit', this.#watch(process, onExit))
  }

  async #watch(process: AgentProcess, onExit: (exit: AgentExit) => void): Promise<void> {
    const exit = await process.exited
    if (this.#link?.process === process && !this.#isStopping) onExit(exit)
  }

  async prompt(prompt: readonly ContentBlock[]): Promise<PromptResult> {
    const { process, session } = this.#requireLink()
    const primer = this.#needsPrimer ? await this.#options.primer() : ''
    this.#needsPrimer = false
    const blocks = primer === '' ? prompt : [{ type: 'text', text: primer } as const, ...prompt]
    return process.prompt(session.acpSessionId, blocks)
  }

  async cancel(): Promise<void> {
    const { process, session } = this.#requireLink()
    await process.cancel(session.acpSessionId)
  }

  /** Ends this process and starts another one in the same session. */
  async restart(): Promise<{ exit: AgentExit; started: EventData['agent.started'] }> {
    const { session, startedAt } = this.#requireLink()
    const exit = await this.stop()
    const started = await this.connect({ acpSessionId: session.acpSessionId, startedAt })
    this.#isStopping = false
    return { exit, started }
  }

  /** Sets a mode, a model or another option of the agent, in whichever way this agent has them. */
  async setOption(
    optionId: string,
    value: string | boolean,
  ): Promise<Pick<EventData['option.set'], 'configOptions'>> {
    const { process, session } = this.#requireLink()
    const request = (method: string, params: JsonObject) => process.request(method, params)
    return new AgentOptions(session, request).set(optionId, value)
  }

  /** Where the next process works; false when nothing changes. */
  moveTo(workplace: Workplace): boolean {
    if (isDeepStrictEqual(workplace, this.#workplace)) return false
    this.#workplace = workplace
    return true
  }

  async stop(): Promise<AgentExit> {
    this.#isStopping = true
    return this.#requireLink().process.stop()
  }

  kill(): void {
    this.#link?.process.kill()
  }

  #requireLink(): Link {
    if (this.#link === undefined)
      throw new HubError('agent_failed', { message: 'The session has no agent.' })
    return this.#link
  }
}
