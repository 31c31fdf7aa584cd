// The `quayside` command as scripts and people run it: to its end with both streams apart, or at a real terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type IPty, spawn as spawnAtTerminal } from '@lydell/node-pty'
import { makeRepository } from './test-hub.js'

export const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export class CliFolder implements AsyncDisposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-cli-')))
  readonly repo = join(this.path, 'workspace', 'shop-api')
  readonly env: Record<string, string>

  constructor(env: Readonly<Record<string, string>> = {}) {
    makeRepository(this.repo)
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.path, 'home'),
      QUAYSIDE_DATA_DIR: join(this.path, 'data'),
      QUAYSIDE_DEMO_PACE: '0',
      ...env,
    }
  }

  /** Runs a command in the repository to its end. */
  async run(args: readonly string[], { input = '', env = {}, cwd = this.repo } = {}) {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...this.env, ...env } })
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr } satisfies Ended
  }

  /** A child that a test sends signals to. */
  start(args: readonly string[]) {
    return spawn(process.execPath, [MAIN, ...args], {
      cwd: this.repo,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  atTerminal(args: readonly string[]): Screen {
    const options = { name: 'xterm', cols: 120, rows: 40, cwd: this.repo, env: this.env }
    return new Screen(spawnAtTerminal(process.execPath, [MAIN, ...args], options))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(['stop'])
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** What a person sees and types. */
export class Screen {
  readonly #pty: IPty
  readonly ended: Promise<number>
  #text = ''
  #looks = new Set<() => void>()

  constructor(pty: IPty) {
    this.#pty = pty
    pty.onData((data) => {
      this.#text += data
      for (const look of this.#looks) look()
    })
    this.ended = new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)))
  }

  get text(): string {
    return this.#text
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  /** Resolves when the text was there so many times. */
  async until(wanted: string, times = 1): Promise<void> {
    const isThere = (): boolean => this.#text.split(wanted).length > times
    let look: () => void = () => undefined
    const seen = new Promise<'seen'>((resolve) => {
      look = () => isThere() && resolve('seen')
      this.#looks.add(look)
      look()
    })
    const first = await Promise.race([seen, this.ended])
    this.#looks.delete(look)
    if (first !== 'seen' && !isThere())
      throw new Error(`It ended with ${first} before it said "${wanted}":\n${this.#text}`)
  }
}
