// Keeps initialised processes of one extension ready, so that a session starts in milliseconds.
import type { WarmState } from '@quayside/protocol/schemas'
import { HubError, messageOfError } from '../../errors.js'
import { type Log, logRejection } from '../../log.js'
import { describeExit } from '../connection/acp-errors.js'
import type { AgentProcess } from '../connection/agent-process.js'
import { isSameLaunch, type Launch } from '../extensions/launch.js'

export type WarmProcessesOptions = {
  readonly wanted: number
  /** True while no warm process is needed. */
  readonly isEnough: () => boolean
  /** Called before each start, because settings change. */
  readonly launch: () => Launch
  readonly start: (launch: Launch) => Promise<AgentProcess>
  /** Aborts when the hub stops. */
  readonly signal: AbortSignal
  readonly log: Log
}

/** Starting or ready. */
type Warm = {
  readonly launch: Launch
  readonly process: Promise<AgentProcess>
  isReady: boolean
}

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

export class WarmProcesses {
  readonly #options: WarmProcessesOptions
  /** Processes that no session has taken. */
  readonly #all = new Set<Warm>()
  #failures = 0
  #problem: string | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(options: WarmProcessesOptions) {
    this.#options = options
  }

  get state(): WarmState {
    const ready = [...this.#all].filter(({ isReady }) => isReady).length
    return {
      wanted: this.#options.wanted,
      ready,
      starting: this.#all.size - ready,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    }
  }

  /** Starts the missing processes, unless a retry is scheduled after a failure. */
  fill(): void {
    const { wanted, isEnough, signal } = this.#options
    if (signal.aborted || isEnough() || this.#retry !== undefined) return
    for (let missing = wanted - this.#all.size; missing > 0; missing -= 1) this.#add()
  }

  /**
   * Hands over a process with the same launch, preferably a ready one, else one that is starting, and starts a
   * replacement. Rejects when the process could not be started.
   */
  async take(launch: Launch): Promise<AgentProcess | undefined> {
    const fitting = [...this.#all].filter((warm) => isSameLaunch(warm.launch, launch))
    const warm = fitting.find(({ isReady }) => isReady) ?? fitting[0]
    if (warm === undefined) return undefined
    this.#all.delete(warm)
    this.fill()
    return warm.process
  }

  /** Replaces all waiting processes. */
  refresh(): void {
    for (const warm of this.#all) logRejection(this.#options.log, 'ending an agent', end(warm))
    this.#all.clear()
    this.#failures = 0
    this.#cancelRetry()
    this.fill()
  }

  async close(): Promise<void> {
    this.#cancelRetry()
    await Promise.all([...this.#all].map(end))
  }

  #add(): void {
    const { launch: resolve, log } = this.#options
    try {
      const launch = resolve()
      const warm: Warm = { launch, process: this.#start(launch), isReady: false }
      this.#all.add(warm)
      logRejection(log, 'watching a waiting agent', this.#watch(warm))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #start(launch: Launch): Promise<AgentProcess> {
    const { start, log } = this.#options
    const begunAt = performance.now()
    try {
      const process = await start(launch)
      const startMs = Math.round(performance.now() - begunAt)
      log.info({ pid: process.pid, startMs }, 'an agent is ready for a session')
      this.#failures = 0
      this.#problem = undefined
      return process
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  async #watch(warm: Warm): Promise<void> {
    try {
      const { exited } = await warm.process
      warm.isReady = true
      const exit = await exited
      if (this.#all.has(warm)) this.#fail(new Error(describeExit(exit)))
    } catch {
      // `#start` has recorded the error.
    } finally {
      this.#all.delete(warm)
    }
  }

  #fail(error: unknown): void {
    const { signal, log } = this.#options
    if (signal.aborted) return
    this.#problem = messageOfError(error)
    const isMissing = error instanceof HubError && error.code === 'agent_not_installed'
    // Retrying does not help until the program is installed. The next session tries again.
    if (isMissing) return
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#failures += 1
    log.warn({ err: error, retryMs }, 'could not start a warm agent; retrying')
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

async function end({ process }: Warm): Promise<void> {
  // A failed start leaves no process.
  const started = await process.catch(() => undefined)
  await started?.stop()
}
