// Starts the real hub as a program in its own folders, and ends it with the test.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Repo, SessionSummary } from '@quayside/protocol'
import type { BrowserContextOptions } from 'playwright-core'
import { databaseSettings } from '../../../test/setup/own-database.js'

const MAIN = fileURLToPath(new URL('../../hub/bundle/main.js', import.meta.url))
const run = promisify(execFile)
const ANSWER_MS = 30_000
const MAX_LOG_LINES = 200

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>
type LogOf = () => readonly string[]

const logs = new Map<string, LogOf>()

/** The last log lines of the hub at this origin, also after its end; none when the origin is not a hub. */
export function hubLogAt(origin: string): LogOf {
  return logs.get(origin) ?? (() => [])
}

export type Prepare = (folders: {
  /** The folder with the repositories. */
  readonly root: string
  readonly dataFolder: string
}) => Promise<void>

export class HubProcess {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #log: string[]
  #child: ChildProcess
  #address: string
  #cookie: Promise<string> | undefined

  private constructor({ folder, environment, log, child, address }: Started) {
    this.#folder = folder
    this.#environment = environment
    this.#log = log
    this.#child = child
    this.#address = address
    logs.set(this.origin, () => log)
  }

  /** A hub over one folder with the named repositories; `prepare` fills its folders before the start. */
  static async start(
    repos: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    prepare?: Prepare,
  ): Promise<HubProcess> {
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'quayside-web-'))
    const root = join(folder, 'root')
    await mkdir(root)
    for (const name of repos) await makeRepo(join(root, name))
    await prepare?.({ root, dataFolder: join(folder, 'data') })
    const own = await databaseSettings(folder)
    const settings = { folder, environment: { ...own, ...environment }, log: [] }
    return new HubProcess({ ...settings, ...(await spawnHub(settings, '0')) })
  }

  /** Stops the hub (by default like Ctrl+C) and starts it again with the same data and address. */
  async restart(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { port } = new URL(this.#address)
    await this.#end(signal)
    const settings = { folder: this.#folder, environment: this.#environment, log: this.#log }
    const { child, address } = await spawnHub(settings, port)
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

  /** The storage state of a signed-in browser. The first call redeems this code, by default the printed one, which works once. */
  async signIn(code?: string): Promise<StorageState> {
    const [name = '', value = ''] = (await this.#signedInCookie(code)).split('=')
    const { hostname: domain } = new URL(this.origin)
    const rest = {
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    } as const
    return { cookies: [{ name, value, domain, ...rest }], origins: [] }
  }

  /** Calls the API as the browser of `signIn`. */
  async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { cookie: await this.#signedInCookie(), origin: this.origin }
    const response = await this.#fetch(path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  /** A session in the named repository. */
  async newSession(repoName: string, extensionId = 'demo'): Promise<SessionSummary> {
    const { repos } = await this.call<{ repos: Repo[] }>('GET', '/api/repos')
    const repoId = repos.find(({ name }) => name === repoName)?.id
    return this.call('POST', '/api/sessions', { repoId, extensionId })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    logs.delete(this.origin)
    await this.#end()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #signedInCookie(code?: string): Promise<string> {
    this.#cookie ??= this.#redeem(code ?? printedCode(this.#address))
    return this.#cookie
  }

  async #redeem(code: string | null): Promise<string> {
    const response = await this.#fetch('/api/login', {
      method: 'POST',
      body: JSON.stringify({ code }),
    })
    const [cookie] = response.headers.getSetCookie()
    if (cookie === undefined) throw new Error(`Signing in failed: ${await response.text()}`)
    return cookie.split(';')[0]!
  }

  #fetch(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit')
      this.#child.kill(signal)
      await exited
    }
  }
}

function printedCode(address: string): string | null {
  return new URLSearchParams(new URL(address).hash.slice(1)).get('code')
}

type Place = {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** The last lines of the hub's log. */
  readonly log: string[]
}
type Running = { readonly child: ChildProcess; readonly address: string }
type Started = Place & Running

async function spawnHub({ folder, environment, log }: Place, port: string): Promise<Running> {
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
    keepLog(child, log)
    return { child, address: await printedAddress(child, log) }
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

function keepLog({ stderr }: ChildProcess, log: string[]): void {
  if (!stderr) throw new Error('The hub has no pipe for its log.')
  createInterface(stderr).on('line', (line) => {
    if (log.push(line) > MAX_LOG_LINES) log.shift()
  })
}

async function printedAddress({ stdout }: ChildProcess, log: readonly string[]): Promise<string> {
  if (!stdout) throw new Error('The hub has no pipe for its address.')
  for await (const line of createInterface(stdout)) {
    const [address] = /http:\/\/\S+#code=\S+/.exec(line) ?? []
    if (address === undefined) continue
    stdout.resume()
    return address
  }
  throw new Error(`The hub ended before it printed its address.\n${log.join('\n')}`)
}
