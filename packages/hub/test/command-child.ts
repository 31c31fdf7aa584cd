// The built `quayside` command as a child process, with separate streams or at a real terminal.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type IPty, spawn as spawnAtTerminal } from '@lydell/node-pty'
import { PROGRAMS } from '../src/places.js'
import type { CommandOptions, Ended } from './command-run.js'
import { CommandOutput } from './command-output.js'
import { testEnvironment } from './test-environment.js'

export class CommandChild {
  readonly process: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }
  readonly ended: Promise<Ended>
  readonly #output: CommandOutput
  #stdout = ''
  #stderr = ''

  constructor(args: readonly string[], { env = {}, cwd }: CommandOptions = {}) {
    this.#output = new CommandOutput(args)
    const child = spawn(process.execPath, [PROGRAMS.quayside, ...args], {
      env: { ...testEnvironment(), ...env },
      ...(cwd !== undefined && { cwd }),
    })
    this.process = child
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
      this.#output.add(text)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
      this.#output.add(text)
    })
    this.ended = this.#end()
  }

  get output(): string {
    return this.#output.text
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  /** Resolves with the first result of `find` in the output. */
  until<T>(what: string, find: (output: string) => T | undefined | false): Promise<T> {
    return this.#output.until({ what, find, ended: this.ended })
  }

  untilSaid(text: string): Promise<boolean> {
    return this.#output.untilTimes(text, 1, this.ended)
  }

  async #end(): Promise<Ended> {
    const [code] = (await once(this.process, 'close')) as [number | null]
    return { code, stdout: this.#stdout, stderr: this.#stderr, output: this.output }
  }
}

/**
 * A real terminal. node-pty closes it 200 ms after the program has ended, even if output is unread,
 * so a test must not wait for the last output before the end.
 */
export class Screen {
  readonly ended: Promise<number>
  readonly #pty: IPty
  readonly #output: CommandOutput

  constructor(args: readonly string[], { env = {}, cwd = process.cwd() }: CommandOptions) {
    this.#output = new CommandOutput(args)
    const options = {
      name: 'xterm',
      cols: 120,
      rows: 40,
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
    }
    this.#pty = spawnAtTerminal(process.execPath, [PROGRAMS.quayside, ...args], options)
    this.#pty.onData((data) => this.#output.add(data))
    this.ended = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  /** Closes the terminal's window, as a person does; the program reads and writes no more. */
  close(): void {
    // A method of node-pty's terminals that its types leave out.
    ;(this.#pty as IPty & { destroy(): void }).destroy()
  }

  /** Resolves when the output contains the text that many times. */
  until(wanted: string, times = 1): Promise<boolean> {
    return this.#output.untilTimes(wanted, times, this.ended)
  }
}
