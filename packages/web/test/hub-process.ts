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

const MAIN = fileURLToPath(new URL('../../hub/dist/main.js', import.meta.url))
const run = promisify(execFile)

export class HubProcess {
  /** The printed address, with the code that signs a browser in. */
  readonly address: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(child: ChildProcess, folder: string, address: string) {
    this.#child = child
    this.#folder = folder
    this.address = address
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
    const child = spawn(process.execPath, [MAIN, 'start', '--port', '0', '--root', root], {
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
      return new HubProcess(child, folder, await printedAddress(child))
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** The folder with the repositories. */
  get root(): string {
    return join(this.#folder, 'root')
  }

  get origin(): string {
    return new URL(this.address).origin
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit')
      this.#child.kill('SIGTERM')
      await exited
    }
    await rm(this.#folder, { recursive: true, force: true })
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
