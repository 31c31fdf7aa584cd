// One agent as an operating system process: its own process group, a stderr tail, an end that always comes.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Log } from '../log.js'
import type { Launch } from './launch.js'

export type AgentExit = {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderrTail: string
}

const STDERR_TAIL_CHARS = 8 * 1024
const CLOSE_GRACE_MS = 500
const TERM_GRACE_MS = 3_000

export class AgentChild {
  /** Resolves when the process has ended and its output is read; never rejects. */
  readonly exited: Promise<AgentExit>
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #log: Log
  #stderrTail = ''
  #hasExited = false

  constructor(launch: Launch, log: Log) {
    this.#process = spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it and a Ctrl-C in our terminal does not reach it first.
      detached: true,
    })
    this.#log = log.child({ pid: this.#process.pid })
    this.#keepStderrTail()
    // A broken pipe is an asynchronous event; what follows from it is the exit.
    this.stdin.on('error', (error) => this.#log.debug({ err: error }, 'agent stdin closed'))
    this.exited = this.#waitForExit()
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get stdin(): Writable {
    return this.#process.stdin
  }

  get stdout(): Readable {
    return this.#process.stdout
  }

  /** Ends the whole process group: closed stdin, then SIGTERM, then SIGKILL. */
  async stop(): Promise<AgentExit> {
    this.stdin.end()
    if (await this.#exitsWithin(CLOSE_GRACE_MS)) return this.#killLeftovers()
    this.#signalGroup('SIGTERM')
    await this.#exitsWithin(TERM_GRACE_MS)
    return this.#killLeftovers()
  }

  /** Without waiting for anybody: for the end of the hub itself. */
  kill(): void {
    this.#signalGroup('SIGKILL')
  }

  /** The agent may be gone while a child of it lives on in the group. */
  #killLeftovers(): Promise<AgentExit> {
    this.#signalGroup('SIGKILL')
    return this.exited
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.pid === undefined) return
    try {
      process.kill(-this.pid, signal)
    } catch {
      // The group is empty: everybody has gone already.
    }
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
    await Promise.race([this.exited, late])
    clearTimeout(timer)
    return this.#hasExited
  }

  #waitForExit(): Promise<AgentExit> {
    return new Promise((resolve) => {
      const settle = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
        this.#hasExited = true
        resolve({ exitCode, signal, stderrTail: this.#stderrTail })
      }
      // 'close' comes after the last output, but not while a grandchild holds the pipe: then 'exit' has to do.
      this.#process.once('close', settle)
      this.#process.once('exit', (code, signal) =>
        setTimeout(() => settle(code, signal), CLOSE_GRACE_MS).unref(),
      )
      this.#process.once('error', (error) => {
        this.#stderrTail += error.message
        settle(null, null)
      })
    })
  }

  #keepStderrTail(): void {
    this.#process.stderr.setEncoding('utf8')
    this.#process.stderr.on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARS)
      this.#log.debug({ stderrChars: text.length }, 'agent stderr')
    })
  }
}
