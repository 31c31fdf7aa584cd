// One agent as an operating system process: its own process group, a stderr tail, an end that always comes and takes its
// whole tree along, also those who left the group.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { settlesWithin } from '../deadline.js'
import type { Log } from '../log.js'
import { killNow, LEFTOVER_GRACE_MS, logLeft, signalProcess, sweep } from './process-sweep.js'
import { CAN_LIST_PROCESSES, findStartTime, type ProcessEntry } from './process-table.js'
import { OWNER_VARIABLE, ProcessTags } from './process-tag.js'
import { ProcessTree } from './process-tree.js'

export type AgentExit = {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderrTail: string
}

export type AgentChildOptions = {
  /** How long it may take to end after its stdin closed (real agents: 0.03 to 2.5 s), then after SIGTERM. */
  readonly closeGraceMs?: number
  readonly termGraceMs?: number
  /** How long what it started may take to end by itself once it is gone. */
  readonly lingerMs?: number
}

/** How it went when it had to go. */
export type AgentEnding = {
  /** What it took, when closing its stdin was not enough. */
  readonly signalled: 'SIGTERM' | 'SIGKILL' | undefined
  /** What it left running and had to be ended for it, such as `sleep 4711`. */
  readonly left: readonly string[]
}

const STDERR_TAIL_CHARS = 8 * 1024
const CLOSE_GRACE_MS = 1_000
const TERM_GRACE_MS = 3_000
const LAST_OUTPUT_MS = 500
const STRAGGLER_ROUND_MS = 50

/** The command of a child and where it runs. */
export type ChildCommand = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** For a launch that nobody has tagged: its tree is found all the same, but not by a watchdog or at the next start. */
const untagged = new ProcessTags(randomUUID())

export class AgentChild {
  /** Resolves when the process has ended and its output is read; never rejects. */
  readonly exited: Promise<AgentExit>
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #log: Log
  readonly #tag: string
  readonly #options: AgentChildOptions
  readonly #tree: ProcessTree
  /** Resolves when the process has ended, whoever still holds its output. */
  readonly #ended: Promise<void>
  /** Resolves when its tree has ended too. */
  readonly ending: Promise<AgentEnding>
  #stderrTail = ''
  #hasExited = false
  /** Until the agent is gone: the number of an empty group may become somebody else's. */
  #ownsGroup = true
  /** Who has been sent a SIGTERM. */
  #told = new Set<number>()
  /** Until when what it leaves behind may end by itself. */
  #graceEndsAt: number | undefined
  #signalled: AgentEnding['signalled']

  constructor(launch: ChildCommand, log: Log, options: AgentChildOptions = {}) {
    this.#options = options
    this.#tag = launch.env[OWNER_VARIABLE] ?? untagged.next()
    this.#process = spawn(launch.command, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.env, [OWNER_VARIABLE]: this.#tag },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it and a Ctrl-C in our terminal does not reach it first.
      detached: true,
    })
    const startTime = this.pid === undefined ? 0 : findStartTime(this.pid)
    this.#tree = new ProcessTree((entry) => this.#isOurs(entry), startTime)
    this.#log = log.child({ pid: this.#process.pid })
    this.#keepStderrTail()
    // A broken pipe is an asynchronous event; what follows from it is the exit.
    this.stdin.on('error', (error) => this.#log.debug({ err: error }, 'agent stdin closed'))
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', () => resolve())
      this.#process.once('error', () => resolve())
    })
    this.exited = this.#waitForExit()
    this.ending = this.#ended.then(() => this.#clear())
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

  get stderr(): Readable {
    return this.#process.stderr
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** Ends the whole tree: closed stdin, then SIGTERM, then SIGKILL, and nobody is left when it resolves. */
  async stop(): Promise<AgentExit> {
    const { closeGraceMs = CLOSE_GRACE_MS, termGraceMs = TERM_GRACE_MS } = this.#options
    this.#lookAround()
    this.stdin.end()
    if (!(await settlesWithin(this.#ended, closeGraceMs))) {
      this.#terminate()
      if (!(await settlesWithin(this.#ended, termGraceMs))) this.kill()
    }
    await this.ending
    return this.exited
  }

  /** Without waiting for anybody: for the end of the hub itself. */
  kill(): void {
    this.#graceEndsAt = 0
    this.#signalled = 'SIGKILL'
    // Looks first: without the agent nobody knows any more whose child some of them are.
    this.#lookAround()
    this.#signalGroup('SIGKILL')
    killNow(() => this.#lookAround())
  }

  /** The agent and all that it started and that still runs, wherever it went. */
  findTree(): readonly ProcessEntry[] {
    return this.#tree.find()
  }

  #isOurs({ pgid, owner }: ProcessEntry): boolean {
    if (owner !== undefined) return owner === this.#tag
    return this.#ownsGroup && pgid === this.pid
  }

  #lookAround(): ProcessEntry[] {
    try {
      return this.#tree.find()
    } catch (error) {
      this.#log.error({ err: error }, 'the processes of an agent could not be listed')
      return []
    }
  }

  #terminate(): void {
    this.#graceEndsAt ??= Date.now() + LEFTOVER_GRACE_MS
    this.#signalled = 'SIGTERM'
    const tree = this.#lookAround()
    this.#signalGroup('SIGTERM')
    for (const entry of tree) {
      if (entry.pgid !== this.pid) signalProcess(entry, 'SIGTERM')
      this.#told.add(entry.pid)
    }
  }

  /** The agent is gone; what it leaves behind goes too, however the end came. */
  async #clear(): Promise<AgentEnding> {
    if (!CAN_LIST_PROCESSES) this.#signalGroup('SIGKILL')
    this.#lookAround()
    this.#ownsGroup = false
    const left = await this.#waitForStragglers()
    const now = Date.now()
    const termGraceMs = (this.#graceEndsAt ?? now + LEFTOVER_GRACE_MS) - now
    const swept = await sweep(() => this.#lookAround(), { termGraceMs, told: this.#told })
    if (swept.ended > 0) this.#log.info({ ended: swept.ended }, 'ended what an agent left running')
    logLeft(swept, this.#log)
    return { signalled: this.#signalled, left: left.map(({ name, pid }) => `${name} ${pid}`) }
  }

  async #waitForStragglers(): Promise<readonly ProcessEntry[]> {
    const deadline = Date.now() + (this.#options.lingerMs ?? 0)
    for (;;) {
      const left = this.#lookAround()
      if (left.length === 0 || Date.now() >= deadline) return left
      await sleep(STRAGGLER_ROUND_MS)
    }
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.pid === undefined || !this.#ownsGroup) return
    try {
      process.kill(-this.pid, signal)
    } catch {
      // The group is empty: everybody has gone already.
    }
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
        setTimeout(() => settle(code, signal), LAST_OUTPUT_MS).unref(),
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
