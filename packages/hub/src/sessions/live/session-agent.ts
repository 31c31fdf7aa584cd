// The agent of one session: started, connected by the resume ladder, replaced when necessary, ended with its terminals.
import { isDeepStrictEqual } from 'node:util'
import type { AgentCapabilities, ContentBlock, EventBody, EventData } from '@quayside/protocol'
import type { AgentLease } from '../../agents/pool/agent-pool.js'
import { AgentOptions } from '../../agents/connection/agent-options.js'
import type { AcpSessionHandlers, PromptResult } from '../../agents/connection/agent-process.js'
import {
  connectSession,
  type ForkedSession,
  type KnownSession,
} from '../../agents/connection/connect-session.js'
import type { Launch } from '../../agents/extensions/launch.js'
import { explainRefusal } from '../../agents/mcp/mcp-servers.js'
import type { AgentExit } from '../../process/agent-child.js'
import type { EndCause } from '../../process/end-cause.js'
import type { Quirks } from '../../agents/extensions/quirks.js'
import type { ReceiveUpdate } from '../../agents/connection/update-router.js'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { AgentTerminals } from '../../terminals/agents/agent-terminals.js'
import { quoteFiles, requireAccepted } from './accepted-content.js'
import type { AgentSetup } from './agent-setup.js'

export type SessionAgentDeps = {
  /** For messages to people. */
  readonly name: string
  readonly lease: (launch: Launch) => Promise<AgentLease>
  readonly setup: AgentSetup
  readonly quirks: Quirks
  /** Called once for each agent of the session, whose terminals end with it. */
  readonly openTerminals: (launch: Launch) => AgentTerminals
  readonly append: (body: EventBody) => Promise<unknown>
  /** The conversation before a turn as text, for an agent that has lost its memory of it. */
  readonly primer: (turnId: string) => Promise<string>
  readonly log: Log
}

/** The session's side of its agent. */
export type AgentListener = {
  readonly handlers: Omit<AcpSessionHandlers, 'terminals'>
  /** Once true, no other agent is started. */
  readonly isEnding: () => boolean
  /** The agent exited without being stopped by the hub. */
  readonly onExit: (exit: AgentExit) => void
  readonly onFailedStart: (error: unknown) => void
}

/** The agent's session before a restart, or that of the session that was forked. Neither for a new session. */
export type AgentPast = {
  readonly known?: KnownSession | undefined
  readonly forkOf?: ForkedSession | undefined
}

type Link = {
  readonly lease: AgentLease
  readonly acpSessionId: string
  readonly options: AgentOptions
  readonly terminals: AgentTerminals
  readonly startedAt: number
}

type State =
  | { readonly is: 'unstarted' }
  /** Connected without a memory of the conversation: the next prompt begins with it. */
  | { readonly is: 'unprimed'; readonly link: Link }
  | { readonly is: 'connected'; readonly link: Link }
  /** The hub ends the process, so that its exit is expected. Until another agent is connected, the link is the last one. */
  | { readonly is: 'stopping'; readonly link: Link }

export class SessionAgent {
  readonly #deps: SessionAgentDeps
  #setup: AgentSetup
  #listener: AgentListener | undefined
  #state: State = { is: 'unstarted' }
  /** The work that prompts wait for, one step after the other. */
  #settled: Promise<unknown> = Promise.resolve()

  constructor(deps: SessionAgentDeps) {
    this.#deps = deps
    this.#setup = deps.setup
  }

  /** Leases a process and opens the session in it. Returns the data of `agent.started`. After a failure no process is leased. */
  async connect({ known, forkOf }: AgentPast = {}): Promise<EventData['agent.started']> {
    const { name, quirks, openTerminals, log } = this.#deps
    const { launch, workplace } = this.#setup
    const lease = await this.#deps.lease(launch)
    const { process } = lease
    try {
      const { agentInfo, capabilities } = process.description
      const mcpServers = workplace.mcpServers.filter(
        (server) => explainRefusal(server, { name, capabilities }) === undefined,
      )
      const { how, ...session } = await connectSession(process, {
        workplace: { ...workplace, mcpServers },
        quirks,
        known,
        forkOf,
        log,
      })
      const { acpSessionId } = session
      const options = new AgentOptions(session, (method, params) => process.request(method, params))
      const terminals = openTerminals(launch)
      const link = { lease, acpSessionId, options, terminals, startedAt: Date.now() }
      this.#state = { is: how === 'primer' ? 'unprimed' : 'connected', link }
      return {
        ...session,
        how,
        capabilities,
        ...(process.pid === undefined ? {} : { pid: process.pid }),
        ...(agentInfo ? { agentInfo } : {}),
      }
    } catch (error) {
      await lease.leave()
      throw error
    }
  }

  /** Connects this agent and every later one to the session. */
  attach(listener: AgentListener): void {
    this.#listener = listener
    const link = this.#link
    if (link === undefined) return
    this.#listen(listener, link)
    this.#enqueue(() => this.#settleIn())
  }

  /** Resolves when a prompt may be sent; starts an agent that has not been started yet. */
  async ready(): Promise<void> {
    if (this.#link === undefined) this.#enqueue(() => this.#start())
    await this.#settled
  }

  /** Delays prompts until `work` is done. */
  waitFor(work: Promise<unknown>): void {
    this.#enqueue(() => work)
  }

  /** The commands that the agent runs. Undefined before its start. */
  get terminals(): AgentTerminals | undefined {
    return this.#link?.terminals
  }

  /** True while one of its commands runs. */
  get isInTerminal(): boolean {
    const terminals = this.terminals?.list() ?? []
    return terminals.some(({ exitStatus }) => exitStatus === undefined)
  }

  /** It has no memory of the conversation. */
  get isUnprimed(): boolean {
    return this.#state.is === 'unprimed'
  }

  /** The prompt as it is sent: for an agent that has lost its memory it begins with the conversation so far. */
  async withPrimer(
    prompt: readonly ContentBlock[],
    turnId: string,
  ): Promise<readonly ContentBlock[]> {
    if (!this.isUnprimed) return prompt
    const text = await this.#deps.primer(turnId)
    return text === '' ? prompt : [{ type: 'text', text }, ...prompt]
  }

  /**
   * Throws `content_not_supported` by the capabilities of the agent, while it restarts by those of the last one.
   * An agent that has not been started yet has none: its prompts are checked when they are sent.
   */
  requireAccepted(prompt: readonly ContentBlock[]): void {
    const capabilities = this.#capabilities
    if (capabilities) requireAccepted(prompt, { name: this.#deps.name, capabilities })
  }

  /** The prompt without embedded files, unless this agent is known to accept them. */
  quoteFiles(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    return quoteFiles(prompt, this.#capabilities ?? {})
  }

  /** Sends a prompt that `withPrimer` returned, without waiting for anything first. */
  async prompt(prompt: readonly ContentBlock[]): Promise<PromptResult> {
    const link = this.#requireLink()
    if (this.#state.is === 'unprimed') this.#state = { is: 'connected', link }
    return link.lease.process.prompt(link.acpSessionId, prompt)
  }

  async cancel(): Promise<void> {
    const link = this.#link
    await link?.lease.process.cancel(link.acpSessionId)
  }

  /** Sets a mode, a model or another option, by the method that this agent supports. */
  async setOption(
    optionId: string,
    value: string | boolean,
  ): Promise<Pick<EventData['option.set'], 'configOptions'>> {
    await this.ready()
    return this.#requireLink().options.set(optionId, value)
  }

  /** Sets other choices at once. For another launch or workplace the agent restarts when `turn` is over: then true. */
  changeSetup(setup: AgentSetup, turn: Promise<void> | undefined): boolean {
    const { choices, ...before } = this.#setup
    const { choices: wanted, ...now } = setup
    this.#setup = setup
    if (isDeepStrictEqual(before, now)) {
      if (this.#link && !isDeepStrictEqual(choices, wanted))
        this.#enqueue(() => this.#applyChoices())
      return false
    }
    this.#enqueue(() => Promise.resolve(turn))
    this.#enqueue(() => this.#restart(() => this.#release()))
    return true
  }

  /** Ends the agent's whole process tree and connects another agent to the session. */
  replace(): void {
    this.#enqueue(() => this.#restart(() => this.endProcess()))
  }

  /** Ends a process that hangs or has exited, also when other sessions share it. */
  endProcess(): Promise<AgentExit> {
    const link = this.#requireLink()
    this.#state = { is: 'stopping', link }
    return link.lease.process.stop('agent_hung')
  }

  /** Releases the process, which ends if it was the session's own. Waits for a start that is under way. */
  async stop(): Promise<AgentExit | undefined> {
    await this.#settled
    return this.#release()
  }

  /** Ends the agent's commands and records its exit. */
  async close(reason: 'stopped' | 'crashed', exit: AgentExit | undefined): Promise<void> {
    const link = this.#link
    if (link === undefined) return
    await link.terminals.closeAll()
    await this.#deps.append({ type: 'agent.exited', data: { reason, ...exit } })
  }

  kill(cause: EndCause): void {
    this.#link?.lease.process.kill(cause)
  }

  get #link(): Link | undefined {
    return this.#state.is === 'unstarted' ? undefined : this.#state.link
  }

  get #capabilities(): AgentCapabilities | undefined {
    return this.#link?.lease.process.description.capabilities
  }

  #requireLink(): Link {
    const link = this.#link
    if (link === undefined)
      throw new HubError('agent_failed', { message: 'The session has no agent.' })
    return link
  }

  /** Steps run one after the other; steps that remain when the session ends are skipped. */
  #enqueue(step: () => Promise<unknown>): void {
    this.#settled = this.#settled
      .then(() => (this.#listener?.isEnding() ? undefined : step()))
      .catch((error: unknown) => this.#listener?.onFailedStart(error))
  }

  async #start(): Promise<void> {
    if (this.#link === undefined) await this.#connectAndListen()
  }

  async #restart(end: () => Promise<AgentExit | undefined>): Promise<void> {
    const before = this.#link
    if (before === undefined) return
    await this.close('stopped', await end())
    const { acpSessionId, startedAt } = before
    await this.#connectAndListen({ acpSessionId, startedAt })
  }

  async #connectAndListen(known?: KnownSession): Promise<void> {
    const started = await this.connect({ known })
    await this.#deps.append({ type: 'agent.started', data: started })
    if (this.#listener) this.#listen(this.#listener, this.#requireLink())
    await this.#settleIn()
  }

  /** After the start is in the log. */
  async #settleIn(): Promise<void> {
    await this.#noteRefusedServers()
    await this.#applyChoices()
  }

  async #noteRefusedServers(): Promise<void> {
    const { name, append } = this.#deps
    const capabilities = this.#capabilities ?? {}
    for (const server of this.#setup.workplace.mcpServers) {
      const message = explainRefusal(server, { name, capabilities })
      if (message === undefined) continue
      const notice = { severity: 'warning', code: 'mcp_server_refused', message } as const
      await append({ type: 'notice', data: notice })
    }
  }

  /** A choice that the agent refuses becomes a notice; the session goes on without it. */
  async #applyChoices(): Promise<void> {
    const { append } = this.#deps
    const { options } = this.#requireLink()
    for await (const { rejection, ...set } of options.apply(this.#setup.choices))
      await append(
        rejection === undefined
          ? { type: 'option.set', data: { ...set, by: 'settings' } }
          : {
              type: 'notice',
              data: { severity: 'warning', code: 'option_refused', message: rejection },
            },
      )
  }

  #listen(listener: AgentListener, { lease, acpSessionId, options, terminals }: Link): void {
    const onUpdate: ReceiveUpdate = (update, chunks) => {
      options.observe(update)
      listener.handlers.onUpdate(update, chunks)
    }
    lease.process.attach(acpSessionId, { ...listener.handlers, onUpdate, terminals })
    logRejection(this.#deps.log, 'reporting an exit', this.#reportExit(listener, lease))
  }

  async #reportExit(listener: AgentListener, lease: AgentLease): Promise<void> {
    const exit = await lease.process.exited
    const state = this.#state
    const isExpected = state.is === 'stopping' || state.is === 'unstarted'
    if (!isExpected && state.link.lease === lease) listener.onExit(exit)
  }

  async #release(): Promise<AgentExit | undefined> {
    const link = this.#link
    if (link === undefined) return undefined
    this.#state = { is: 'stopping', link }
    return link.lease.leave(link.acpSessionId)
  }
}
