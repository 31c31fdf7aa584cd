// One agent as an operating system process, in its own process group. Keeps the tail of stderr, and ends the whole
// process tree, including processes that left the group.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { settlesWithin } from '../deadline.js'
import type { Log } from '../log.js'
import { joinCgroup, removeCgroups } from './cgroup.js'
import type { EndCause } from './end-cause.js'
import { killNow, LEFTOVER_GRACE_MS, logLeft, signalProcess, sweep } from './process-sweep.js'
import { CAN_LIST_PROCESSES, findStartTime, type ProcessEntry } from './process-table.js'
import { OWNER_VARIABLE, ProcessTags } from './process-tag.js'
import { ProcessTree } from './process-tree.js'
import { requireSpawned } from './require-spawned.js'
import { explainSpawnError } from './spawn-error.js'
import { stderrTail } from './stderr-tail.js'

export type AgentExit = {
  readonly exitCode: number | null
  /** Without an exit code and a signal, the process could not be started. */
  readonly signal: NodeJS.Signals | null
  /** Its last output for people, or why it could not be started. */
  readonly stderrTail: string
  /** Set when the hub ended the agent although its sessions still needed it. */
  readonly cause?: EndCause
}

export type AgentChildOptions = {
  /** Grace period after stdin is closed (real agents need 0.03 to 2.5 s), then after SIGTERM. */
  readonly closeGraceMs?: number
  readonly termGraceMs?: number
  /** Grace period for the agent's descendants once the agent has exited. */
  readonly lingerMs?: number
  /** Asked when the process has been killed: another process of the hub may have done it. */
  readonly findKillCause?: () => EndCause | undefined
}

/** The signal and the leftover processes of an agent's end. */
export type AgentEnding = {
  /** The signal that was needed when closing stdin was not enough. */
  readonly signalled: 'SIGTERM' | 'SIGKILL' | undefined
  /** Names and pids of the processes it left running, such as `sleep 4711`. The hub ends them. */
  readonly left: readonly string[]
}

const STDERR_TAIL_CHARS = 8 * 1024
/** More than is reported, so that colours and the beginning of a line can be cut off. */
const STDERR_KEPT_CHARS = 2 * STDERR_TAIL_CHARS
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

/** Tags launches without a tag. This process finds their trees, but the watchdog and the next start do not. */
const untagged = new ProcessTags(randomUUID())

export class AgentChild {
  /** Resolves when the process has ended and its output is read; never rejects. */
  readonly exited: Promise<AgentExit>
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #log: Log
  readonly #tag: string
  readonly #options: AgentChildOptions
  readonly #tree: ProcessTree
  /** Resolves when the process has exited, even if a descendant still holds its output. */
  readonly #ended: Promise<void>
  /** Resolves when the process tree has ended too. */
  readonly ending: Promise<AgentEnding>
  #stderr = ''
  #hasExited = false
  /** False once the agent has exited: the kernel may reuse the id of an empty process group. */
  #ownsGroup = true
  /** Pids that were sent SIGTERM. */
  #terminated = new Set<number>()
  /** When the grace period of leftover processes ends. */
  #graceEndsAt: number | undefined
  #signalled: AgentEnding['signalled']

  constructor(launch: ChildCommand, log: Log, options: AgentChildOptions = {}) {
    this.#options = options
    this.#tag = launch.env[OWNER_VARIABLE] ?? untagged.next()
    const { command, args } = joinCgroup(launch, this.#tag)
    const child = spawn(command, args, {
      cwd: launch.cwd,
      env: { ...launch.env, [OWNER_VARIABLE]: this.#tag },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own group, so that its children end with it and a Ctrl-C in the hub's terminal does not reach it first.
      detached: true,
    })
    this.#process = requireSpawned(child)
    const startTime = this.pid === undefined ? 0 : findStartTime(this.pid)
    this.#tree = new ProcessTree((entry) => this.#isOurs(entry), startTime)
    this.#log = log.child({ pid: this.#process.pid })
    this.#keepStderrTail()
    // A broken pipe is reported asynchronously; the exit event handles the consequences.
    this.stdin.on('error', (error) => this.#log.debug({ err: error }, 'agent stdin closed'))
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', () => resolve())
      this.#process.once('error', () => resolve())
    })
    this.exited = this.#waitForExit(launch)
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

  /** True when the process has ended and its output is read. */
  get hasExited(): boolean {
    return this.#hasExited
  }

  /** True when the process itself exits in this time, even if a descendant still holds its output. */
  exitsWithin(ms: number): Promise<boolean> {
    return settlesWithin(this.#ended, ms)
  }

  /** Ends the whole tree: closes stdin, then SIGTERM, then SIGKILL. Resolves when no process is left. */
  async stop(): Promise<AgentExit> {
    const { closeGraceMs = CLOSE_GRACE_MS, termGraceMs = TERM_GRACE_MS } = this.#options
    this.#listTree()
    this.stdin.end()
    if (!(await settlesWithin(this.#ended, closeGraceMs))) {
      this.#terminate()
      if (!(await settlesWithin(this.#ended, termGraceMs))) this.kill()
    }
    await this.ending
    return this.exited
  }

  /** Sends SIGKILL to the whole tree without waiting. */
  kill(): void {
    this.#graceEndsAt = 0
    this.#signalled = 'SIGKILL'
    // List the tree first: once the agent has exited, some descendants can no longer be attributed to it.
    this.#listTree()
    this.#signalGroup('SIGKILL')
    killNow(() => this.#listTree())
  }

  /** The agent and its running descendants, including those that left the process group. */
  findTree(): readonly ProcessEntry[] {
    return this.#tree.find()
  }

  #isOurs({ pgid, owner }: ProcessEntry): boolean {
    if (owner !== undefined) return owner === this.#tag
    return this.#ownsGroup && pgid === this.pid
  }

  #listTree(): ProcessEntry[] {
    try {
      return this.#tree.find()
    } catch (error) {
      this.#log.error({ err: error }, 'could not list the processes of an agent')
      return []
    }
  }

  #terminate(): void {
    this.#graceEndsAt ??= performance.now() + LEFTOVER_GRACE_MS
    this.#signalled = 'SIGTERM'
    const tree = this.#listTree()
    this.#signalGroup('SIGTERM')
    for (const entry of tree) {
      if (entry.pgid !== this.pid) signalProcess(entry, 'SIGTERM')
      this.#terminated.add(entry.pid)
    }
  }

  /** Ends the descendants that outlived the agent. */
  async #clear(): Promise<AgentEnding> {
    if (!CAN_LIST_PROCESSES) this.#signalGroup('SIGKILL')
    this.#listTree()
    this.#ownsGroup = false
    const left = await this.#waitForStragglers()
    const now = performance.now()
    const termGraceMs = (this.#graceEndsAt ?? now + LEFTOVER_GRACE_MS) - now
    const swept = await sweep(() => this.#listTree(), {
      termGraceMs,
      terminated: this.#terminated,
    })
    if (swept.ended > 0)
      this.#log.info({ ended: swept.ended }, 'ended leftover processes of an agent')
    logLeft(swept, this.#log)
    removeCgroups((tag) => tag === this.#tag)
    return { signalled: this.#signalled, left: left.map(({ name, pid }) => `${name} ${pid}`) }
  }

  async #waitForStragglers(): Promise<readonly ProcessEntry[]> {
    const deadline = performance.now() + (this.#options.lingerMs ?? 0)
    for (;;) {
      const left = this.#listTree()
      if (left.length === 0 || performance.now() >= deadline) return left
      await sleep(STRAGGLER_ROUND_MS)
    }
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.pid === undefined || !this.#ownsGroup) return
    try {
      process.kill(-this.pid, signal)
    } catch {
      // The group is empty.
    }
  }

  #waitForExit({ command, cwd }: ChildCommand): Promise<AgentExit> {
    return new Promise((resolve) => {
      const settle = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
        this.#hasExited = true
        const cause = signal === 'SIGKILL' ? this.#options.findKillCause?.() : undefined
        const tail = stderrTail(this.#stderr, STDERR_TAIL_CHARS)
        resolve({ exitCode, signal, stderrTail: tail, ...(cause && { cause }) })
      }
      // 'close' fires after the last output, but not while a grandchild holds the pipe. Then use 'exit'.
      this.#process.once('close', settle)
      this.#process.once('exit', (code, signal) =>
        setTimeout(() => settle(code, signal), LAST_OUTPUT_MS).unref(),
      )
      this.#process.once('error', (error) => {
        this.#stderr = explainSpawnError(error, command, cwd)
        settle(null, null)
      })
    })
  }

  #keepStderrTail(): void {
    this.#process.stderr.setEncoding('utf8')
    this.#process.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT_CHARS)
      this.#log.debug({ stderrChars: text.length }, 'agent stderr')
    })
  }
}
