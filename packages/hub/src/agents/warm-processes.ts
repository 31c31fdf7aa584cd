// Initialised processes of one extension that wait for a session, so that it begins in milliseconds.
import { HubError, messageOfError } from '../errors.js'
import { type Log, logRejection } from '../log.js'
import { describeExit } from './acp-errors.js'
import type { AgentProcess } from './agent-process.js'
import { isSameLaunch, type Launch } from './launch.js'

export type WarmState = {
  readonly wanted: number
  readonly ready: number
  readonly starting: number
  /** Why the last one could not be started. */
  readonly problem?: string
}

export type WarmProcessesOptions = {
  readonly wanted: number
  /** Something else makes warm ones needless for now. */
  readonly isEnough: () => boolean
  /** Asked before each start, because settings change. */
  readonly launch: () => Launch
  readonly start: (launch: Launch) => Promise<AgentProcess>
  /** Aborts when the hub ends. */
  readonly signal: AbortSignal
  readonly log: Log
}

type Warm = { readonly launch: Launch; readonly process: AgentProcess }

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

export class WarmProcesses {
  readonly #options: WarmProcessesOptions
  readonly #ready = new Set<Warm>()
  readonly #starting = new Set<Promise<void>>()
  #failures = 0
  #problem: string | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: WarmProcessesOptions) {
    this.#options = options
    options.signal.addEventListener('abort', () => clearTimeout(this.#retry), { once: true })
  }

  get state(): WarmState {
    return {
      wanted: this.#options.wanted,
      ready: this.#ready.size,
      starting: this.#starting.size,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    }
  }

  /** Starts as many as are missing, unless the last one failed a moment ago. */
  fill(): void {
    const { wanted, isEnough, signal } = this.#options
    if (signal.aborted || isEnough() || this.#retry !== undefined) return
    while (this.#ready.size + this.#starting.size < wanted) {
      const start = this.#startOne().finally(() => this.#starting.delete(start))
      this.#starting.add(start)
    }
  }

  /** One that was launched in the same way. It is the caller's from now on, and another one takes its place. */
  take(launch: Launch): AgentProcess | undefined {
    for (const warm of this.#ready) {
      if (!isSameLaunch(warm.launch, launch)) continue
      this.#ready.delete(warm)
      this.fill()
      return warm.process
    }
    return undefined
  }

  /** Ends those that were launched in another way than they would be now. */
  refresh(): void {
    const { launch, log } = this.#options
    for (const warm of this.#ready) {
      if (isSameLaunch(warm.launch, launch())) continue
      this.#ready.delete(warm)
      logRejection(log, 'ending an outdated agent', warm.process.stop())
    }
    this.#failures = 0
    this.#cancelRetry()
    this.fill()
  }

  async close(): Promise<void> {
    await Promise.all(this.#starting)
    await Promise.all([...this.#ready].map(({ process }) => process.stop()))
  }

  async #startOne(): Promise<void> {
    const { launch: resolve, start, signal, log } = this.#options
    const begunAt = performance.now()
    try {
      const launch = resolve()
      const process = await start(launch)
      const startMs = Math.round(performance.now() - begunAt)
      log.info({ pid: process.pid, startMs }, 'an agent is ready for a session')
      this.#failures = 0
      this.#problem = undefined
      this.#keep({ launch, process })
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  #keep(warm: Warm): void {
    this.#ready.add(warm)
    logRejection(this.#options.log, 'watching an agent that waits', this.#watch(warm))
  }

  async #watch(warm: Warm): Promise<void> {
    const exit = await warm.process.exited
    if (this.#ready.delete(warm) && !this.#options.signal.aborted)
      this.#fail(new Error(describeExit(exit)))
  }

  #fail(error: unknown): void {
    this.#problem = messageOfError(error)
    const isMissing = error instanceof HubError && error.code === 'agent_not_installed'
    // Nothing changes by itself: the next session that starts tries again.
    if (isMissing) return
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#failures += 1
    this.#options.log.warn({ err: error, retryMs }, 'no agent could be made ready')
    this.#cancelRetry()
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.fill()
    }, retryMs)
  }

  #cancelRetry(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }
}
