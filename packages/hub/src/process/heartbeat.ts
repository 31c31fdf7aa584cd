// Logs the health of one agent process at regular intervals: alive, writable, memory, age of its last frame.
import { isAlive } from '../is-alive.js'
import type { Log } from '../log.js'
import type { AgentChild } from './agent-child.js'
import { CAN_LIST_PROCESSES } from './process-table.js'

export type Beat = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly pid: number | undefined
  readonly isAlive: boolean
  readonly isStdinOpen: boolean
  /** Of the whole process tree; absent on platforms that cannot list processes. */
  readonly processes?: number
  readonly rssBytes?: number
  /** Milliseconds since the agent's last frame; absent before the first. */
  readonly frameAgeMs?: number
}

export type HeartbeatOptions = {
  readonly child: AgentChild
  /** When the agent wrote its last frame, by the monotonic clock. */
  readonly lastFrameAt: () => number | undefined
  readonly log: Log
  readonly intervalMs?: number
}

const INTERVAL_MS = 30_000

export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout

  /** Beats until the process has exited. */
  constructor(options: HeartbeatOptions) {
    const { child, intervalMs = INTERVAL_MS } = options
    this.#options = options
    this.#timer = setInterval(() => this.#beat(), intervalMs)
    this.#timer.unref()
    void child.exited.then(() => this.stop())
  }

  /** Measures the process now. */
  read(): Beat {
    const { child, lastFrameAt } = this.#options
    const tree = child.findTree()
    const rssBytes = tree.reduce((sum, entry) => sum + entry.rssBytes, 0)
    const frameAt = lastFrameAt()
    return {
      at: Date.now(),
      pid: child.pid,
      isAlive: isRunning(child),
      isStdinOpen: child.stdin.writable,
      ...(CAN_LIST_PROCESSES ? { processes: tree.length, rssBytes } : {}),
      ...(frameAt === undefined ? {} : { frameAgeMs: Math.round(performance.now() - frameAt) }),
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    const { log } = this.#options
    try {
      log.debug(this.read(), 'agent heartbeat')
    } catch (error) {
      // Too many open files, for example. A failed measurement must not crash the hub.
      log.warn({ err: error }, 'could not read the health of an agent')
    }
  }
}

function isRunning({ pid, hasExited }: AgentChild): boolean {
  return pid !== undefined && !hasExited && isAlive(pid)
}
