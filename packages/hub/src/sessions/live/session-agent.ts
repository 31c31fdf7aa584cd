// The agent of one session: started, connected by the resume ladder, replaced when it has to be, ended with its terminals.
import { isDeepStrictEqual } from 'node:util'
import type { ContentBlock, EventBody, EventData } from '@quayside/protocol'
import type { AgentLease } from '../../agents/pool/agent-pool.js'
import type {
  AcpSessionHandlers,
  PromptResult,
  Workplace,
} from '../../agents/connection/agent-process.js'
import { connectSession, type KnownSession } from '../../agents/connection/connect-session.js'
import type { Launch } from '../../agents/extensions/launch.js'
import type { AgentExit } from '../../process/agent-child.js'
import type { Quirks } from '../../agents/extensions/quirks.js'
import type { ReceiveUpdate } from '../../agents/connection/update-router.js'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { AgentTerminals } from '../../terminals/agent-terminals.js'
import { AgentOptions } from './agent-options.js'

/** A mode, a model or another option that the settings ask for. */
export type AgentChoice = { readonly optionId: string; readonly value: string | boolean }

/** How the agent is launched, where it works, and what is set once its session is open. */
export type AgentPlace = {
  readonly launch: Launch
  readonly workplace: Workplace
  readonly choices: readonly AgentChoice[]
}

export type SessionAgentOptions = {
  readonly lease: (launch: Launch) => Promise<AgentLease>
  readonly place: AgentPlace
  readonly quirks: Quirks
  /** Once for each agent of the session: what one opened ends with it. */
  readonly openTerminals: (launch: Launch) => AgentTerminals
  readonly append: (body: EventBody) => Promise<unknown>
  /** The conversation so far as text, for an agent that has forgotten it. */
  readonly primer: () => Promise<string>
  readonly log: Log
}

/** The session, as its agent knows it. */
export type AgentUser = {
  readonly handlers: Omit<AcpSessionHandlers, 'terminals'>
  /** From then on no other agent is started. */
  readonly isEnding: () => boolean
  /** It went without being told to. */
  readonly onExit: (exit: AgentExit) => void
  /** It was to be started, or started again, and could not. */
  readonly onFailedStart: (error: unknown) => void
}

type Link = {
  readonly lease: AgentLease
  readonly acpSessionId: string
  readonly options: AgentOptions
  readonly terminals: AgentTerminals
  readonly startedAt: number
}

export class SessionAgent {
  readonly #options: SessionAgentOptions
  #place: AgentPlace
  #user: AgentUser | undefined
  #link: Link | undefined
  /** Everything that prompts have to wait for, one after the other. */
  #settled: Promise<unknown> = Promise.resolve()
  #isStopping = false
  #needsPrimer = false

  constructor(options: SessionAgentOptions) {
    this.#options = options
    this.#place = options.place
  }

  /** Gets a process and gets into the session; answers with what the log should say. Nothing stays when it fails. */
  async connect(known?: KnownSession): Promise<EventData['agent.started']> {
    const { quirks, openTerminals, log } = this.#options
    const { launch, workplace } = this.#place
    const lease = await this.#options.lease(launch)
    const { process } = lease
    try {
      const { how, ...session } = await connectSession(process, { workplace, quirks, known, log })
      const { acpSessionId } = session
      const options = new AgentOptions(session, (method, params) => process.request(method, params))
      const terminals = openTerminals(launch)
      this.#link = { lease, acpSessionId, options, terminals, startedAt: Date.now() }
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
      await lease.leave()
      throw error
    }
  }

  /** From here on the agent talks to this session, and every later one too. */
  attach(user: AgentUser): void {
    this.#user = user
    if (this.#link === undefined) return
    this.#listen(user, this.#link)
    this.#next(() => this.#choose())
  }

  /** Resolves when a prompt may be sent; starts the agent when nobody has yet. */
  async ready(): Promise<void> {
    if (this.#link === undefined) this.#next(() => this.#start())
    await this.#settled
  }

  /** Prompts wait for this too. */
  waitFor(work: Promise<unknown>): void {
    this.#next(() => work)
  }

  /** The commands that the agent runs, once there is one. */
  get terminals(): AgentTerminals | undefined {
    return this.#link?.terminals
  }

  /** One of its commands still runs. */
  get isInTerminal(): boolean {
    const terminals = this.terminals?.list() ?? []
    return terminals.some(({ exitStatus }) => exitStatus === undefined)
  }

  async prompt(prompt: readonly ContentBlock[]): Promise<PromptResult> {
    const { lease, acpSessionId } = this.#requireLink()
    const primer = this.#needsPrimer ? await this.#options.primer() : ''
    this.#needsPrimer = false
    const blocks = primer === '' ? prompt : [{ type: 'text', text: primer } as const, ...prompt]
    return lease.process.prompt(acpSessionId, blocks)
  }

  async cancel(): Promise<void> {
    await this.#link?.lease.process.cancel(this.#link.acpSessionId)
  }

  /** Sets a mode, a model or another option of the agent, in whichever way this agent has them. */
  async setOption(
    optionId: string,
    value: string | boolean,
  ): Promise<Pick<EventData['option.set'], 'configOptions'>> {
    await this.ready()
    return this.#requireLink().options.set(optionId, value)
  }

  /** Other choices are set at once; for another launch or workplace the agent starts again when `turn` is over: then true. */
  moveTo(place: AgentPlace, turn: Promise<void> | undefined): boolean {
    const { choices, ...before } = this.#place
    const { choices: wanted, ...now } = place
    this.#place = place
    if (isDeepStrictEqual(before, now)) {
      if (this.#link && !isDeepStrictEqual(choices, wanted)) this.#next(() => this.#choose())
      return false
    }
    this.#next(() => Promise.resolve(turn))
    this.#next(() => this.#restart(() => this.#leave()))
    return true
  }

  /** The agent did not answer `session/cancel`: its whole tree ends, and another one takes over the session. */
  replace(): void {
    this.#next(() => this.#restart(() => this.endProcess()))
  }

  /** Also when other sessions share the process. */
  endProcess(): Promise<AgentExit> {
    this.#isStopping = true
    return this.#requireLink().lease.process.stop()
  }

  /** Lets go of the process, which ends if it was the session's own. What is being started is waited for and ends too. */
  async stop(): Promise<AgentExit | undefined> {
    await this.#settled
    this.#isStopping = true
    return this.#leave()
  }

  /** Ends what the agent left in terminals and notes that it is gone. */
  async close(reason: 'stopped' | 'crashed', exit: AgentExit | undefined): Promise<void> {
    if (this.#link === undefined) return
    await this.#link.terminals.closeAll()
    await this.#options.append({ type: 'agent.exited', data: { reason, ...exit } })
  }

  kill(): void {
    this.#link?.lease.process.kill()
  }

  /** One after the other; what is left to do when the session ends is not done. */
  #next(work: () => Promise<unknown>): void {
    this.#settled = this.#settled
      .then(() => (this.#user?.isEnding() ? undefined : work()))
      .catch((error: unknown) => this.#user?.onFailedStart(error))
  }

  async #start(): Promise<void> {
    if (this.#link) return
    await this.#connectAgain()
  }

  async #restart(end: () => Promise<AgentExit | undefined>): Promise<void> {
    const before = this.#link
    if (before === undefined) return
    this.#isStopping = true
    await this.close('stopped', await end())
    const { acpSessionId, startedAt } = before
    await this.#connectAgain({ acpSessionId, startedAt })
  }

  async #connectAgain(known?: KnownSession): Promise<void> {
    const started = await this.connect(known)
    this.#isStopping = false
    await this.#options.append({ type: 'agent.started', data: started })
    if (this.#user) this.#listen(this.#user, this.#requireLink())
    await this.#choose()
  }

  /** A choice that the agent does not take is no reason to do without it. */
  async #choose(): Promise<void> {
    const { append } = this.#options
    const { options } = this.#requireLink()
    for (const { optionId, value } of this.#place.choices) {
      if (options.current(optionId) === value) continue
      try {
        const set = { optionId, value, ...(await options.set(optionId, value)), by: 'settings' }
        await append({ type: 'option.set', data: set })
      } catch (error) {
        const message = `The agent did not take ${optionId} "${value}" from the settings: ${messageOfError(error)}`
        const notice = { severity: 'warning', code: 'option_refused', message } as const
        await append({ type: 'notice', data: notice })
      }
    }
  }

  #listen(user: AgentUser, { lease, acpSessionId, options, terminals }: Link): void {
    const onUpdate: ReceiveUpdate = (update, chunks) => {
      options.hear(update)
      user.handlers.onUpdate(update, chunks)
    }
    lease.process.attach(acpSessionId, { ...user.handlers, onUpdate, terminals })
    logRejection(this.#options.log, 'hearing of an exit', this.#watch(user, lease))
  }

  async #watch(user: AgentUser, lease: AgentLease): Promise<void> {
    const exit = await lease.process.exited
    if (this.#link?.lease === lease && !this.#isStopping) user.onExit(exit)
  }

  async #leave(): Promise<AgentExit | undefined> {
    return this.#link?.lease.leave(this.#link.acpSessionId)
  }

  #requireLink(): Link {
    if (this.#link === undefined)
      throw new HubError('agent_failed', { message: 'The session has no agent.' })
    return this.#link
  }
}
