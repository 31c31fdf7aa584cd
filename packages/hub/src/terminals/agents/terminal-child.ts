// One command of an agent as an operating system process, in its own process group, with its output and exit.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { messageOfError } from '../../errors.js'
import type { Log } from '../../log.js'
import { openOutputPipe, type OutputPipe } from './output-pipe.js'
import { settlesWithin } from '../../deadline.js'
import { explainSpawnError } from '../../process/spawn-error.js'
import { TerminalError } from '../terminal-error.js'
import type { TerminalLaunch } from '../terminal-launch.js'
import { TerminalOutput } from './terminal-output.js'

export type TerminalExit = {
  readonly exitCode: number | null
  readonly signal: string | null
}

const CLOSE_GRACE_MS = 500
const TERM_GRACE_MS = 3_000
const KILL_GRACE_MS = 1_000

export class TerminalChild {
  /** Resolves when the command has ended and its output is read; never rejects. */
  readonly exited: Promise<TerminalExit>
  readonly output: TerminalOutput
  readonly pid: number
  readonly #process: ChildProcess
  readonly #log: Log
  /** Aborted when the command cannot be ended, so that `exited` resolves anyway. */
  readonly #givenUp = new AbortController()
  #exit: TerminalExit | undefined
  #exitedAt = ''
  #groupIsGone = false
  #stopping: Promise<void> | undefined

  /** Throws `spawn_failed` when the program cannot be run. */
  static async start(launch: TerminalLaunch, log: Log): Promise<TerminalChild> {
    const pipe = await openPipe()
    try {
      const child = spawnInto(pipe, launch)
      await once(child, 'spawn')
      const output = new TerminalOutput(pipe.reader, launch.outputByteLimit, log)
      return new TerminalChild(child, output, log)
    } catch (error) {
      pipe.reader.destroy()
      const message = explainSpawnError(error, launch.program, launch.cwd)
      throw new TerminalError('spawn_failed', message, { cause: error })
    }
  }

  private constructor(child: ChildProcess, output: TerminalOutput, log: Log) {
    if (child.pid === undefined) throw new Error('The process has no id.')
    this.pid = child.pid
    this.#process = child
    this.output = output
    this.#log = log.child({ pid: child.pid })
    child.on('error', (error) => this.#log.warn({ err: error }, 'terminal process error'))
    this.exited = this.#waitForExit()
  }

  /** Undefined while the command runs. */
  get exit(): TerminalExit | undefined {
    return this.#exit
  }

  /** ISO 8601; empty while the command runs. */
  get exitedAt(): string {
    return this.#exitedAt
  }

  /** True while the command or another process of its group runs. */
  get isAlive(): boolean {
    return this.#exit === undefined || this.#hasGroup()
  }

  /** Ends the whole process group: SIGTERM, then SIGKILL. Concurrent calls share the result. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => (this.#stopping = undefined))
    return this.#stopping
  }

  /** Ends the group and closes the pipe, even when a process outside of the group still holds it. */
  async close(): Promise<void> {
    await this.stop()
    await this.output.close()
    this.#givenUp.abort()
    await this.exited
    this.#process.removeAllListeners('exit')
  }

  async #stop(): Promise<void> {
    if (!this.isAlive) return
    // The output ends when the command's children have exited too. They get the same grace period.
    const allGone = this.exited.then(() => (this.#hasGroup() ? this.output.ended : undefined))
    this.#signalGroup('SIGTERM')
    await settlesWithin(allGone, TERM_GRACE_MS)
    this.#signalGroup('SIGKILL')
    await settlesWithin(allGone, KILL_GRACE_MS)
    // The hub may not signal a process of another user (sudo).
    if (this.#exit === undefined) this.#log.warn('could not end a terminal command')
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (!this.#hasGroup()) return
    try {
      process.kill(-this.pid, signal)
      // SIGKILL cannot be ignored; polling would only find unreaped zombies.
      if (signal === 'SIGKILL') this.#groupIsGone = true
    } catch {
      // Exited meanwhile, or owned by another user. The caller checks the state afterwards.
    }
  }

  /** Never polled again once empty, because the group id may be reused. */
  #hasGroup(): boolean {
    if (this.#groupIsGone) return false
    try {
      process.kill(-this.pid, 0)
    } catch (error) {
      this.#groupIsGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    }
    return !this.#groupIsGone
  }

  async #waitForExit(): Promise<TerminalExit> {
    const exit = await new Promise<TerminalExit>((resolve) => {
      this.#process.once('exit', (exitCode, signal) => {
        this.#hasGroup()
        resolve({ exitCode, signal })
      })
      this.#givenUp.signal.addEventListener('abort', () =>
        resolve({ exitCode: null, signal: null }),
      )
    })
    // The last output may still be in the pipe, but a background process may hold it open indefinitely.
    if (!(await settlesWithin(this.output.ended, CLOSE_GRACE_MS)))
      this.#log.debug('a process still holds the output of an ended terminal')
    this.#hasGroup()
    this.#exit = exit
    this.#exitedAt = new Date().toISOString()
    return exit
  }
}

async function openPipe(): Promise<OutputPipe> {
  try {
    return await openOutputPipe()
  } catch (error) {
    const message = `Could not create a pipe for the output: ${messageOfError(error)}`
    throw new TerminalError('spawn_failed', message, { cause: error })
  }
}

function spawnInto(pipe: OutputPipe, launch: TerminalLaunch): ChildProcess {
  try {
    return spawn(launch.program, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      stdio: ['ignore', pipe.writer, pipe.writer],
      // Its own group, so that its children end with it.
      detached: true,
    })
  } finally {
    pipe.closeWriter()
  }
}
