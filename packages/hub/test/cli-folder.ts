// A folder with a repository and a data directory for tests of the command line, with a hub in this process on demand.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandChild, Screen } from './command-child.js'
import { CommandRun, type Ended } from './command-run.js'
import { TEST_AGENT } from './test-environment.js'
import { makeRepository, startTestHub, type TestHub, type TestHubOptions } from './test-hub.js'

type RunOptions = {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

type HubOptions = Pick<TestHubOptions, 'env' | 'sharesAgent'>

export class CliFolder implements AsyncDisposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-cli-')))
  readonly data = join(this.path, 'data')
  readonly repo = join(this.path, 'workspace', 'shop-api')
  readonly env: Record<string, string>
  #hub: TestHub | undefined
  #hasDaemon = false

  constructor(env: Readonly<Record<string, string>> = {}) {
    makeRepository(this.repo)
    this.env = {
      HOME: join(this.path, 'home'),
      QUAYSIDE_DATA_DIR: this.data,
      QUAYSIDE_DEMO_PACE: '0',
      QUAYSIDE_DURABILITY: 'normal',
      ...TEST_AGENT,
      ...env,
    }
  }

  /** Starts a hub in this process, which commands find by the lock of the data directory. Its sessions share one agent. */
  async startHub({ env = {}, sharesAgent = true }: HubOptions = {}): Promise<TestHub> {
    this.#hub = await startTestHub({ folder: this.path, env, sharesAgent })
    return this.#hub
  }

  /** Starts a background hub with `quayside start --daemon`; it is stopped with the folder. */
  async startDaemon(): Promise<Ended> {
    this.#hasDaemon = true
    return this.run(['start', '--daemon', '--port', '0'])
  }

  /** Runs a command in the repository to its end, in this process. */
  run(args: readonly string[], { input = '', env = {}, cwd }: RunOptions = {}): Promise<Ended> {
    const run = new CommandRun(args, this.#options(env, cwd))
    run.endInput(input)
    return run.ended
  }

  /** Starts a command in this process: a test types, sends signals and waits for its output. */
  start(args: readonly string[], { isTerminal = false } = {}): CommandRun {
    return new CommandRun(args, { ...this.#options(), isTerminal })
  }

  /** Starts the built command as a process of its own. */
  spawn(args: readonly string[], { env = {}, cwd }: RunOptions = {}): CommandChild {
    return new CommandChild(args, this.#options(env, cwd))
  }

  /** Starts the built command at a real terminal. */
  atTerminal(args: readonly string[]): Screen {
    return new Screen(args, this.#options())
  }

  #options(env: Readonly<Record<string, string>> = {}, cwd = this.repo) {
    return { cwd, env: { ...this.env, ...env } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasDaemon) await this.run(['stop'])
    if (this.#hub) await this.#hub[Symbol.asyncDispose]()
    rmSync(this.path, { recursive: true, force: true })
  }
}
