// Starts the real hub as a program, in folders of its own, and ends it with the test.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAIN = fileURLToPath(new URL('../../hub/bundle/main.js', import.meta.url))
const run = promisify(execFile)

export class HubProcess {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess
  #address: string

  private constructor({ folder, environment, child, address }: Started) {
    this.#folder = folder
    this.#environment = environment
    this.#child = child
    this.#address = address
  }

  /** A hub over one folder with the named repositories in it. */
  static async start(
    repos: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<HubProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'quayside-web-'))
    const root = join(folder, 'root')
    await mkdir(root)
    for (const name of repos) await makeRepo(join(root, name))
    const started = await spawnHub({ folder, environment }, '0')
    return new HubProcess({ folder, environment, ...started })
  }

  /** Ends it, by default as a person would, and starts it again with the same data at the same address. */
  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { port } = new URL(this.#address)
    await this.#end(signal)
    const place = { folder: this.#folder, environment: this.#environment }
    const { child, address } = await spawnHub(place, port)
    this.#child = child
    this.#address = address
  }

  /** The printed address, with the code that signs a browser in. */
  get address(): string {
    return this.#address
  }

  get dataFolder(): string {
    return join(this.#folder, 'data')
  }

  /** The folder with the repositories. */
  get root(): string {
    return join(this.#folder, 'root')
  }

  get origin(): string {
    return new URL(this.address).origin
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit')
      this.#child.kill(signal)
      await exited
    }
  }
}

type Place = { readonly folder: string; readonly environment: Readonly<Record<string, string>> }
type Running = { readonly child: ChildProcess; readonly address: string }
type Started = Place & Running

async function spawnHub({ folder, environment }: Place, port: string): Promise<Running> {
  const root = join(folder, 'root')
  const child = spawn(process.execPath, [MAIN, 'start', '--port', port, '--root', root], {
    cwd: root,
    env: {
      ...process.env,
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_DEMO_PACE: '0.2',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    return { child, address: await printedAddress(child) }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function makeRepo(path: string): Promise<void> {
  await mkdir(path)
  await writeFile(join(path, 'README.md'), '# A shop\n')
  const git = (...args: string[]) => run('git', ['-C', path, ...args])
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '.')
  await git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-qm', 'Begin')
}

async function printedAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error('The hub has no pipes.')
  let errors = ''
  child.stderr.on('data', (data) => (errors += String(data)))
  for await (const line of createInterface(child.stdout)) {
    const [address] = /http:\/\/\S+#code=\S+/.exec(line) ?? []
    if (address === undefined) continue
    child.stdout.resume()
    return address
  }
  throw new Error(`The hub ended before it printed its address.\n${errors}`)
}
