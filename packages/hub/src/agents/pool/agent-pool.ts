// Which process a session works with: one of its own, a warm one that has waited for it, or one that several share.
import { setMaxListeners } from 'node:events'
import type { WarmState } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { AgentProcess } from '../connection/agent-process.js'
import type { InstalledExtension } from '../extensions/extensions.js'
import type { Launch } from '../extensions/launch.js'
import type { AgentExit } from '../../process/agent-child.js'
import { SharedProcesses } from './shared-processes.js'
import { WarmProcesses } from './warm-processes.js'

/** A process as one session has it. */
export type AgentLease = {
  readonly process: AgentProcess
  /** A process of its own ends. In a shared one only the ACP session ends, and there is no exit to tell of. */
  leave(acpSessionId?: string): Promise<AgentExit | undefined>
}

/** Spawns and initialises; an aborted start leaves no process. */
export type StartAgent = (launch: Launch, signal: AbortSignal) => Promise<AgentProcess>

export type AgentPoolOptions = {
  readonly start: (
    extension: InstalledExtension,
    ...how: Parameters<StartAgent>
  ) => Promise<AgentProcess>
  /** How an agent is launched that nobody has asked for yet: in a neutral folder, with its defaults. */
  readonly neutralLaunch: (extension: InstalledExtension) => Launch
  readonly log: Log
}

/** Each takes tens to hundreds of megabytes. */
const MAX_WARM = 8

type Pooled = { readonly warm: WarmProcesses; readonly shared: SharedProcesses | undefined }

export class AgentPool {
  readonly #options: AgentPoolOptions
  readonly #pooled = new Map<string, Pooled>()
  readonly #closing = new AbortController()
  #places = MAX_WARM

  constructor(options: AgentPoolOptions) {
    this.#options = options
    // Every start in progress listens to it.
    setMaxListeners(0, this.#closing.signal)
  }

  /** Begins to start what should be ready. Nobody waits for it. */
  warmUp(extensions: readonly InstalledExtension[]): void {
    for (const extension of extensions) this.#of(extension).warm.fill()
  }

  /** The quickest process that fits. Throws what its start throws. */
  async lease(extension: InstalledExtension, launch: Launch): Promise<AgentLease> {
    if (this.#closing.signal.aborted) throw new HubError('shutting_down')
    const { warm, shared } = this.#of(extension)
    if (shared) return shared.lease(launch)
    const process =
      (await warm.take(launch)) ?? (await this.#start(extension)(launch, this.#closing.signal))
    // A cold start that worked shows that warm ones can, whatever went wrong before.
    warm.fill()
    return { process, leave: () => process.stop() }
  }

  /** After its settings or its sign-in changed: those that wait know only the old ones, and are replaced. */
  refresh(extension: InstalledExtension): void {
    const { warm, shared } = this.#of(extension)
    shared?.retire()
    warm.refresh()
  }

  /** The extension is gone, or another one by the same id: those that wait are ended, the others end with their sessions. */
  forget(extensionId: string): void {
    const known = this.#pooled.get(extensionId)
    if (!known) return
    this.#pooled.delete(extensionId)
    this.#places += known.warm.state.wanted
    known.shared?.retire()
    logRejection(this.#options.log, 'ending agents that wait', known.warm.close())
  }

  warmState(extension: InstalledExtension): WarmState {
    const { warm, shared } = this.#of(extension)
    const { wanted, ready, ...rest } = warm.state
    return { wanted, ready: ready + (shared?.idleCount ?? 0), ...rest }
  }

  /** Ends the ones that nobody uses, and those that are just being started. */
  async close(): Promise<void> {
    this.#closing.abort()
    const end = async ({ warm, shared }: Pooled): Promise<void> => {
      await warm.close()
      await shared?.close()
    }
    await Promise.all([...this.#pooled.values()].map(end))
  }

  #of(extension: InstalledExtension): Pooled {
    const { id } = extension.manifest
    const known = this.#pooled.get(id)
    if (known) return known
    const made = this.#make(extension)
    this.#pooled.set(id, made)
    return made
  }

  #make(extension: InstalledExtension): Pooled {
    const { neutralLaunch, log } = this.#options
    const { id, agent } = extension.manifest
    const isShared = agent.processModel === 'shared'
    const wanted = Math.min(isShared ? Math.min(agent.warm, 1) : agent.warm, this.#places)
    if (wanted < agent.warm && !isShared)
      log.warn(
        { extensionId: id, warm: agent.warm, wanted },
        'fewer processes are kept warm than its manifest says',
      )
    this.#places -= wanted
    const start = this.#start(extension)
    const signal = this.#closing.signal
    const warm: WarmProcesses = new WarmProcesses({
      wanted,
      // One that is shared already is as good as a warm one.
      isEnough: () => shared?.isRunning === true,
      launch: () => neutralLaunch(extension),
      start: (launch) => start(launch, signal),
      signal,
      log: log.child({ extensionId: id }),
    })
    const shared = isShared
      ? new SharedProcesses({
          obtain: async (launch) => (await warm.take(launch)) ?? (await start(launch, signal)),
          keepsIdle: wanted > 0,
          onGone: () => warm.fill(),
          log,
        })
      : undefined
    return { warm, shared }
  }

  #start(extension: InstalledExtension): StartAgent {
    return (launch, signal) => this.#options.start(extension, launch, signal)
  }
}
