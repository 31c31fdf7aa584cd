// Runs the `quayside` command in this process, with streams, environment, folder and signals of the test.
import { PassThrough, Writable } from 'node:stream'
import type { CommandIo } from '../src/commands/io/command-io.js'
import { runCli } from '../src/commands/run-cli.js'
import { CommandOutput } from './command-output.js'
import { testEnvironment } from './test-environment.js'

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both streams, in the order in which they were written. */
  readonly output: string
}

export type CommandOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** All three streams report to be a terminal. Typed text is not echoed. */
  readonly isTerminal?: boolean
}

type Signal = Parameters<CommandIo['onSignal']>[0]

export class CommandRun {
  readonly ended: Promise<Ended>
  readonly #output: CommandOutput
  readonly #stdin = new PassThrough()
  readonly #listeners = new Map<Signal, Set<() => void>>([
    ['SIGINT', new Set()],
    ['SIGTERM', new Set()],
    ['SIGHUP', new Set()],
  ])
  #stdout = ''
  #stderr = ''

  constructor(args: readonly string[], options: CommandOptions = {}) {
    this.#output = new CommandOutput(args)
    this.ended = this.#run(args, options)
  }

  get stdout(): string {
    return this.#stdout
  }

  /** Both streams, as a terminal shows them. */
  get text(): string {
    return this.#output.text
  }

  type(keys: string): void {
    this.#stdin.write(keys)
  }

  /** Closes stdin. */
  endInput(input = ''): void {
    this.#stdin.end(input)
  }

  /** Throws without a listener: the signal would have ended the process. */
  signal(signal: Signal): void {
    const listeners = [...(this.#listeners.get(signal) ?? [])]
    if (listeners.length === 0)
      throw new Error(`Nothing listens for ${signal}. ${this.#output.describe()}`)
    for (const listen of listeners) listen()
  }

  /** Resolves when the output contains the text that many times. */
  until(wanted: string, times = 1): Promise<boolean> {
    return this.#output.untilTimes(wanted, times, this.ended)
  }

  #run(args: readonly string[], options: CommandOptions): Promise<Ended> {
    const { env = {}, cwd = process.cwd(), isTerminal = false } = options
    return new Promise((resolve, reject) => {
      const end = (code: number): void =>
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr, output: this.text })
      const io: CommandIo = {
        stdin: Object.assign(this.#stdin, { isTTY: isTerminal }),
        stdout: this.#collect(isTerminal, (text) => (this.#stdout += text)),
        stderr: this.#collect(isTerminal, (text) => (this.#stderr += text)),
        env: { ...testEnvironment(), ...env },
        cwd,
        exitCode: 0,
        exit: end,
        onSignal: (signal, listener) => {
          this.#listeners.get(signal)!.add(listener)
          return () => this.#listeners.get(signal)!.delete(listener)
        },
      }
      runCli(args, io).then(end, reject)
    })
  }

  #collect(isTTY: boolean, keep: (text: string) => void) {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        const text = String(chunk)
        keep(text)
        this.#output.add(text)
        done()
      },
    })
    return Object.assign(stream, { isTTY, ...(isTTY && { columns: 120, rows: 40 }) })
  }
}

/** Runs a command to its end, with nothing on stdin. */
export async function quayside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const run = new CommandRun(args, { env })
  run.endInput()
  const { code, output } = await run.ended
  return { code, output }
}
