// Hubs with a short lease, in the process of the test or in one of their own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Hub } from '../src/hub.js'
import { HubLog } from './hub-log.js'
import { testEnvironment } from './test-environment.js'
import { makeFolder, TestHub, TOKEN } from './test-hub.js'

/** Long enough for a busy machine: agents have four tenths of it to end. */
export const LEASE_MS = 5_000

const PROGRAM = fileURLToPath(new URL('lease-hub.mjs', import.meta.url))

export type LeaseHubOptions = {
  readonly name: string
  readonly url: string
  readonly folder?: string
  readonly root?: string
  readonly leaseMs?: number
  readonly env?: Readonly<Record<string, string>>
}

export class LeaseHub extends TestHub {
  readonly process: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(hub: Hub, options: { folder: string; log: HubLog }, child: ChildProcess) {
    super(hub, options)
    this.process = child
    this.#exited = once(child, 'exit')
  }

  static async start(options: LeaseHubOptions): Promise<LeaseHub> {
    const { name, url, folder = makeFolder(), leaseMs = LEASE_MS } = options
    const log = new HubLog()
    log.attach()
    const env = {
      ...testEnvironment(),
      QUAYSIDE_DEMO_PACE: '0',
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_DATABASE_URL: url,
      QUAYSIDE_NAME: name,
      AGENT_WORKSPACE_ROOT: options.root ?? join(folder, 'workspace'),
      LEASE_MS: String(leaseMs),
      ...options.env,
    }
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => log.write(text))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The hub did not start:\n${log.text}`)
    })
    const lines = createInterface({ input: child.stdout })
    const [address] = (await Promise.race([once(lines, 'line'), ended])) as [string]
    ended.catch(() => undefined)
    const stop = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return new LeaseHub({ address, stop } as Hub, { folder, log }, child)
  }

  /** As by `kill -9`. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.#exited
  }
}
