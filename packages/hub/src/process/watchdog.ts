// Starts the watchdog: a process that holds a pipe from the hub, and ends the hub's agents when that pipe breaks. A hub that shares its
// database also reports how long its lease is trusted: the watchdog ends the agents when no later report has come by then.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { within } from '../deadline.js'
import type { Log } from '../log.js'
import type { HubLease } from '../store/cluster-store.js'
import { PROGRAMS } from '../places.js'
import { NO_OWNER, OWNER_VARIABLE } from './process-tag.js'
import { ProcessTree } from './process-tree.js'
import { requireSpawned } from './require-spawned.js'

// A shell waits (under 2 MB of memory; an idle Node takes 43) and execs Node when the pipe breaks without a message. It
// ignores signals, because a service manager signals all processes at once, and the watchdog must outlive the hub.
const WAIT = 'trap "" HUP INT TERM; read -r word && exit 0; exec "$@"'
const ALL_ENDED = 'ended\n'
/** More is not written to a watchdog that does not read. */
const MAX_UNREAD_BYTES = 4_096
const RESTART_MS = 1_000
const STOP_DEADLINE_MS = 5_000

type WatchdogProcess = ChildProcessByStdio<Writable, null, null>

export class Watchdog {
  readonly #prefix: string
  readonly #log: Log
  readonly #lease: HubLease | undefined
  #process: WatchdogProcess | undefined
  #isStopped = false

  /** The watchdog ends processes whose tag begins with `prefix`. */
  constructor(prefix: string, log: Log, lease?: HubLease) {
    this.#prefix = prefix
    this.#log = log
    this.#lease = lease
    lease?.onTrust((until) => this.#report(until))
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Synchronous: call it before an agent is started. Idempotent. */
  start(): void {
    if (this.#process || this.#isStopped) return
    const { command, args } = this.#command()
    const child = spawn(command, args, {
      // Its own session, so that neither Ctrl-C nor the end of the terminal reaches it.
      detached: true,
      cwd: '/',
      env: watchdogEnvironment(),
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const watchdog = requireSpawned(child)
    this.#process = watchdog
    watchdog.stdin.on('error', (error) => this.#log.debug({ err: error }, 'watchdog pipe closed'))
    watchdog.once('error', (error) =>
      this.#log.error({ err: error }, 'could not start the watchdog'),
    )
    watchdog.once('exit', (exitCode, signal) => this.#lose({ exitCode, signal }))
    unref(watchdog)
  }

  /** Call after the last agent has ended. The watchdog ends processes that are left, then exits. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const watchdog = this.#process
    if (watchdog?.pid === undefined) return
    const gone = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()))
    watchdog.ref()
    watchdog.stdin.end(this.#hasProcessesLeft() ? '' : ALL_ENDED)
    await within(gone, STOP_DEADLINE_MS)
    watchdog.unref()
  }

  /** A shell cannot count a lease down. */
  #command(): { command: string; args: string[] } {
    const node = [process.execPath, PROGRAMS.watchdog, this.#prefix] as const
    if (this.#lease === undefined)
      return { command: '/bin/sh', args: ['-c', WAIT, 'quayside-watchdog', ...node] }
    const [command, ...args] = node
    return { command, args: [...args, String(this.#lease.trustedUntil)] }
  }

  #report(until: number): void {
    const pipe = this.#process?.stdin
    if (pipe?.writable && pipe.writableLength < MAX_UNREAD_BYTES) pipe.write(`${until}\n`)
  }

  #hasProcessesLeft(): boolean {
    try {
      return ProcessTree.ofPrefix(this.#prefix).find().length > 0
    } catch (error) {
      this.#log.warn({ err: error }, 'could not list processes; leaving it to the watchdog')
      return true
    }
  }

  #lose(exit: { exitCode: number | null; signal: NodeJS.Signals | null }): void {
    this.#process = undefined
    if (this.#isStopped) return
    this.#log.warn(exit, 'the watchdog exited; starting another')
    this.#restartLater()
  }

  #restartLater(): void {
    const restart = (): void => {
      try {
        this.start()
      } catch (error) {
        this.#log.error({ err: error }, 'could not start the watchdog')
        this.#restartLater()
      }
    }
    setTimeout(restart, RESTART_MS).unref()
  }
}

/** The watchdog does not keep the hub's process alive. */
function unref(watchdog: WatchdogProcess): void {
  watchdog.unref()
  const pipe: Writable & { unref?: () => void } = watchdog.stdin
  pipe.unref?.()
}

/** Without secrets, and without an owner: a hub that runs inside an agent's tree ends with it, and its watchdog later. */
function watchdogEnvironment(): Record<string, string> {
  const { PATH, LD_LIBRARY_PATH } = process.env
  return {
    [OWNER_VARIABLE]: NO_OWNER,
    ...(PATH === undefined ? {} : { PATH }),
    ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }),
  }
}
