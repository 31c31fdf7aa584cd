// The hub as a child that is killed, also while it starts, optionally with a mutant (see mutants.mjs).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testEnvironment } from '../test-environment.js'
import type { StartKill } from './plan.js'

const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url))
/** Built into one of its modules. */
const MUTABLE_MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const MUTANTS = new URL('mutants.mjs', import.meta.url).href
/** The time limit of a start. */
const START_LIMIT_MS = 60_000
/** The log line of recovery for each repaired session. */
const RECOVERED = 'ended without closing this session'

export type HubSetup = {
  readonly env: Readonly<Record<string, string>>
  readonly mutant?: string | undefined
}

export class KillableHub {
  /** Resolves with the address; rejects when the process ends before it listens. */
  readonly ready: Promise<string>
  readonly #process: ChildProcess
  readonly #gone: Promise<unknown>
  readonly #killed = new AbortController()
  readonly #listeners = new Set<() => void>()
  #output = ''
  #isStopping = false

  constructor({ env, mutant }: HubSetup) {
    const program = mutant === undefined ? [MAIN] : ['--import', MUTANTS, MUTABLE_MAIN]
    const child = spawn(process.execPath, [...program, 'start', '--port', '0'], {
      env: {
        ...testEnvironment(),
        ...env,
        ...(mutant === undefined ? {} : { QUAYSIDE_MUTANT: mutant }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    this.#gone = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => this.#receive(text))
    const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
    this.ready = this.#says(/http:\/\/\S+(?=\/#code=)/).finally(() => clearTimeout(limit))
    // A hub that is killed while it starts is never ready, which is no error.
    this.ready.catch(() => {})
  }

  /** Aborts at the moment of the kill: later failures are expected. */
  get killed(): AbortSignal {
    return this.#killed.signal
  }

  get pid(): number {
    return this.#process.pid!
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  /** The code or the signal that it has ended with. */
  get exit(): string {
    return String(this.#process.exitCode ?? this.#process.signalCode)
  }

  get output(): string {
    return this.#output
  }

  /** Synchronous, to kill at an exact instant. */
  kill(): void {
    this.#killed.abort()
    this.#process.kill('SIGKILL')
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal)
  }

  /** Asks the hub to stop; later failures are expected. */
  stop(): void {
    this.#isStopping = true
    this.#process.kill('SIGTERM')
  }

  get isEnding(): boolean {
    return this.#isStopping || this.#killed.signal.aborted
  }

  async gone(): Promise<void> {
    await this.#gone
  }

  /** Kills the hub while it starts, at the latest when it listens. */
  async killStarting(kill: StartKill): Promise<void> {
    const instant =
      kill.at === 'time' ? sleep(kill.ms) : this.#saysTimes(RECOVERED, kill.recoveredSessions)
    await Promise.race([instant, this.ready, this.#gone])
    this.kill()
    await this.#gone
  }

  #receive(text: string): void {
    this.#output += text
    for (const listener of this.#listeners) listener()
  }

  #says(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#listeners.add(() => {
        const found = pattern.exec(this.#output)
        if (found) resolve(found[0])
      })
      this.#process.once('exit', () =>
        reject(new Error(`the hub did not start: ${this.#output.slice(-2000)}`)),
      )
    })
  }

  #saysTimes(words: string, times: number): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.add(() => {
        if (this.#output.split(words).length > times) resolve()
      })
    })
  }
}
