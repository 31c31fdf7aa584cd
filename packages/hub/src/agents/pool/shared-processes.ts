// The shared processes of one extension: one for each distinct launch, serving many sessions.
import { type Log, logRejection } from '../../log.js'
import type { AgentLease } from './agent-pool.js'
import type { AgentProcess } from '../connection/agent-process.js'
import { isSameLaunch, type Launch } from '../extensions/launch.js'
import type { AgentExit } from '../../process/agent-child.js'

export type SharedProcessesOptions = {
  readonly obtain: (launch: Launch) => Promise<AgentProcess>
  /** Keeps a process without sessions for the next session. */
  readonly keepsIdle: boolean
  /** Called when a process has ended. */
  readonly onGone: () => void
  readonly log: Log
}

type Shared = {
  readonly launch: Launch
  readonly process: Promise<AgentProcess>
  sessions: number
  /** Accepts no more sessions. */
  isRetired: boolean
}

export class SharedProcesses {
  readonly #options: SharedProcessesOptions
  readonly #all = new Set<Shared>()

  constructor(options: SharedProcessesOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return [...this.#all].some(({ isRetired }) => !isRetired)
  }

  /** The number of processes without a session. */
  get idleCount(): number {
    return [...this.#all].filter(({ sessions, isRetired }) => sessions === 0 && !isRetired).length
  }

  async lease(launch: Launch): Promise<AgentLease> {
    const shared =
      [...this.#all].find((one) => !one.isRetired && isSameLaunch(one.launch, launch)) ??
      this.#open(launch)
    shared.sessions += 1
    const process = await shared.process
    return { process, leave: (acpSessionId) => this.#leave(shared, process, acpSessionId) }
  }

  /** New sessions get a new process. Processes in use end with their last session. */
  retire(): void {
    for (const shared of this.#all) {
      shared.isRetired = true
      if (shared.sessions === 0) logRejection(this.#options.log, 'ending an agent', end(shared))
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#all].map(end))
  }

  #open(launch: Launch): Shared {
    // Registered before `obtain` runs, so that the warm process it takes is not replaced.
    const process = Promise.resolve().then(() => this.#options.obtain(launch))
    const shared: Shared = { launch, process, sessions: 0, isRetired: false }
    this.#all.add(shared)
    const gone = shared.process
      .then((process) => process.exited)
      // The caller of `lease` gets the error.
      .catch(() => undefined)
      .then(() => this.#forget(shared))
    logRejection(this.#options.log, 'sharing an agent', gone)
    return shared
  }

  async #leave(
    shared: Shared,
    process: AgentProcess,
    acpSessionId: string | undefined,
  ): Promise<AgentExit | undefined> {
    shared.sessions -= 1
    if (!this.#all.has(shared)) return process.exited
    if (shared.sessions === 0 && (shared.isRetired || !this.#options.keepsIdle)) {
      // Set before it ends, so that a session that begins now gets a new process.
      shared.isRetired = true
      return process.stop()
    }
    if (acpSessionId !== undefined) await process.closeSession(acpSessionId)
    return undefined
  }

  #forget(shared: Shared): void {
    this.#all.delete(shared)
    this.#options.onGone()
  }
}

async function end({ process }: Shared): Promise<void> {
  await (await process).stop()
}
