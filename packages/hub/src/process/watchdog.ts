// A process that outlives the hub for a moment: it holds a pipe from the hub, and when that breaks it ends the hub's agents.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { within } from '../deadline.js'
import type { Log } from '../log.js'
import { PROGRAMS } from '../places.js'
import { NO_OWNER, OWNER_VARIABLE } from './process-tag.js'
import { ProcessTree } from './process-tree.js'

// A shell waits (under 2 MB; a Node that only waits takes 43) and becomes Node when the pipe breaks without a word. A service
// manager that stops the hub signals everybody at once: the watchdog goes when the hub has gone, not before.
const WAIT = 'trap "" HUP INT TERM; read -r word && exit 0; exec "$@"'
const ALL_ENDED = 'ended\n'
const RESTART_MS = 1_000
const STOP_DEADLINE_MS = 5_000

type WatchdogProcess = ChildProcessByStdio<Writable, null, null>

export class Watchdog {
  readonly #prefix: string
  readonly #log: Log
  #process: WatchdogProcess | undefined
  #isStopped = false

  /** It ends what carries a tag that begins with `prefix`. */
  constructor(prefix: string, log: Log) {
    this.#prefix = prefix
    this.#log = log
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** When it returns, the watchdog is there; only then may an agent be started. Again is nothing. */
  start(): void {
    if (this.#process || this.#isStopped) return
    const watchdog = spawn(
      '/bin/sh',
      ['-c', WAIT, 'quayside-watchdog', process.execPath, PROGRAMS.watchdog, this.#prefix],
      {
        // A session of its own: neither Ctrl-C nor the end of the terminal reaches it.
        detached: true,
        cwd: '/',
        env: watchdogEnvironment(),
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    )
    this.#process = watchdog
    watchdog.stdin.on('error', (error) => this.#log.debug({ err: error }, 'watchdog pipe closed'))
    watchdog.once('error', (error) => this.#log.error({ err: error }, 'there is no watchdog'))
    watchdog.once('exit', (code, signal) => this.#lose({ code, signal }))
    letGo(watchdog)
  }

  /** After the last agent. What is left, if anything, it ends itself; then it goes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const watchdog = this.#process
    if (watchdog?.pid === undefined) return
    const gone = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()))
    watchdog.ref()
    watchdog.stdin.end(this.#isAnybodyLeft() ? '' : ALL_ENDED)
    await within(gone, STOP_DEADLINE_MS)
    watchdog.unref()
  }

  #isAnybodyLeft(): boolean {
    try {
      return ProcessTree.ofPrefix(this.#prefix).find().length > 0
    } catch (error) {
      this.#log.warn({ err: error }, 'processes could not be listed; the watchdog will look')
      return true
    }
  }

  #lose(exit: { code: number | null; signal: NodeJS.Signals | null }): void {
    this.#process = undefined
    if (this.#isStopped) return
    this.#log.warn(exit, 'the watchdog has gone; starting another')
    setTimeout(() => this.start(), RESTART_MS).unref()
  }
}

/** Whether it runs or not, the hub may end. */
function letGo(watchdog: WatchdogProcess): void {
  watchdog.unref()
  const pipe: Writable & { unref?: () => void } = watchdog.stdin
  pipe.unref?.()
}

/** Without secrets, and with an owner that is nobody: a hub inside an agent's tree ends with that tree, its watchdog after it. */
function watchdogEnvironment(): Record<string, string> {
  const { PATH, LD_LIBRARY_PATH } = process.env
  return {
    [OWNER_VARIABLE]: NO_OWNER,
    ...(PATH === undefined ? {} : { PATH }),
    ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }),
  }
}
