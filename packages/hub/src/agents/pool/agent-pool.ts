// Provides each session with a process: its own, a warm one that was started in advance, or a shared one.
import type { WarmState } from '@quayside/protocol/schemas'
import { HubError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import type { AgentProcess } from '../connection/agent-process.js'
import type { InstalledExtension } from '../extensions/extensions.js'
import type { Launch } from '../extensions/launch.js'
import type { AgentExit } from '../../process/agent-child.js'
import { SharedProcesses } from './shared-processes.js'
import { WarmProcesses } from './warm-processes.js'

/** One session's hold on a process. */
export type AgentLease = {
  readonly process: AgentProcess
  /** Stops a process of its own. In a shared process only the ACP session ends, and the result is undefined. */
  leave(acpSessionId?: string): Promise<AgentExit | undefined>
}

export type AgentPoolOptions = {
  /** Spawns and initialises a process. A failed start leaves no process behind. */
  readonly start: (extension: InstalledExtension, launch: Launch) => Promise<AgentProcess>
  /** The launch of a warm process: in a neutral folder, with default settings. */
  readonly neutralLaunch: (extension: InstalledExtension) => Launch
  readonly log: Log
}

/** Each process takes tens to hundreds of megabytes. */
const MAX_WARM = 8

type Pooled = { readonly warm: WarmProcesses; readonly shared: SharedProcesses | undefined }

export class AgentPool {
  readonly #options: AgentPoolOptions
  readonly #pooled = new Map<string, Pooled>()
  readonly #closing = new AbortController()
  #freeWarmSlots = MAX_WARM

  constructor(options: AgentPoolOptions) {
    this.#options = options
  }

  /** Starts warm processes in the background. */
  warmUp(extensions: readonly InstalledExtension[]): void {
    for (const extension of extensions) this.#of(extension).warm.fill()
  }

  /** Returns the fastest process that fits. Throws the error of its start. */
  async lease(extension: InstalledExtension, launch: Launch): Promise<AgentLease> {
    if (this.#closing.signal.aborted) throw new HubError('shutting_down')
    const { warm, shared } = this.#of(extension)
    if (shared) return shared.lease(launch)
    const process = (await warm.take(launch)) ?? (await this.#options.start(extension, launch))
    // A successful cold start shows that warm starts can work again.
    warm.fill()
    return { process, leave: () => process.stop() }
  }

  /** Replaces waiting processes after a change of settings or sign-in. */
  refresh(extension: InstalledExtension): void {
    const { warm, shared } = this.#of(extension)
    shared?.retire()
    warm.refresh()
  }

  /** Call when an extension was removed or replaced. Ends waiting processes; those in use end with their sessions. */
  forget(extensionId: string): void {
    const known = this.#pooled.get(extensionId)
    if (!known) return
    this.#pooled.delete(extensionId)
    this.#freeWarmSlots += known.warm.state.wanted
    known.shared?.retire()
    logRejection(this.#options.log, 'ending waiting agents', known.warm.close())
  }

  warmState(extension: InstalledExtension): WarmState {
    const { warm, shared } = this.#of(extension)
    const { wanted, ready, ...rest } = warm.state
    return { wanted, ready: ready + (shared?.idleCount ?? 0), ...rest }
  }

  /** Ends unused processes and starts no more. */
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
    const wanted = Math.min(isShared ? Math.min(agent.warm, 1) : agent.warm, this.#freeWarmSlots)
    if (wanted < agent.warm && !isShared)
      log.warn(
        { extensionId: id, warm: agent.warm, wanted },
        'fewer warm processes than the manifest asks for: the limit is reached',
      )
    this.#freeWarmSlots -= wanted
    const start = (launch: Launch) => this.#options.start(extension, launch)
    const warm: WarmProcesses = new WarmProcesses({
      wanted,
      // A running shared process makes a warm one unnecessary.
      isEnough: () => shared?.isRunning === true,
      launch: () => neutralLaunch(extension),
      start,
      signal: this.#closing.signal,
      log: log.child({ extensionId: id }),
    })
    const shared = isShared
      ? new SharedProcesses({
          obtain: async (launch) => (await warm.take(launch)) ?? (await start(launch)),
          keepsIdle: wanted > 0,
          onGone: () => warm.fill(),
          log,
        })
      : undefined
    return { warm, shared }
  }
}
