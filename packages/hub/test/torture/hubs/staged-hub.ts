// One of the hubs under torture: a child with its own data directory and clock, whose ways to the database and from the other hubs can fail.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FakeClock } from '../../faults/faketime.js'
import { TOKEN } from '../../test-hub.js'
import { KillableHub } from '../killable-hub.js'
import { FaultyProxy } from './faulty-proxy.js'

const SOCKET = '.s.PGSQL.5432'

export type StagedHubOptions = {
  readonly name: string
  /** Has the folders of the hub and of its way to the database. */
  readonly folder: string
  readonly workspace: string
  /** The folders of the servers' sockets. */
  readonly servers: readonly string[]
  readonly database: string
  readonly mutant: string | undefined
  readonly hasClock: boolean
  readonly env: Readonly<Record<string, string>>
}

export class StagedHub {
  readonly name: string
  /** Between this hub and each server of the database. */
  readonly db: readonly FaultyProxy[]
  /** Between the other hubs and this one. */
  readonly door: FaultyProxy
  /** Of the machine, when it has none of its own. */
  readonly clock: FakeClock | undefined
  readonly #options: StagedHubOptions
  #process: KillableHub | undefined
  #address: string | undefined
  #logs: string[] = []

  private constructor(options: StagedHubOptions, db: readonly FaultyProxy[], door: FaultyProxy) {
    const { name, folder, hasClock } = options
    this.#options = options
    this.name = name
    this.db = db
    this.door = door
    this.clock = hasClock ? new FakeClock(join(folder, 'clock')) : undefined
  }

  static async open(options: StagedHubOptions): Promise<StagedHub> {
    const db: FaultyProxy[] = []
    for (const [index, server] of options.servers.entries()) {
      const folder = wayTo(index, options.folder)
      mkdirSync(folder, { recursive: true })
      const proxy = await FaultyProxy.listen(join(folder, SOCKET))
      proxy.leadTo({ path: join(server, SOCKET) })
      db.push(proxy)
    }
    return new StagedHub(options, db, await FaultyProxy.listen())
  }

  /** Undefined while it starts. */
  get address(): string | undefined {
    return this.#address
  }

  /** Everything it has logged, in all of its lives. */
  get logs(): readonly string[] {
    return [...this.#logs, this.#process?.output ?? '']
  }

  async start(): Promise<void> {
    const { name, folder, workspace, database, mutant, env } = this.#options
    const hosts = this.db.map((_, index) => wayTo(index, folder)).join(',')
    const url = `postgres://quayside@localhost/${database}?host=${encodeURIComponent(hosts)}`
    if (this.#process) this.#logs.push(this.#process.output)
    this.#process = new KillableHub({
      mutant,
      env: {
        QUAYSIDE_DATA_DIR: join(folder, 'data'),
        QUAYSIDE_TOKEN: TOKEN,
        QUAYSIDE_LOG_LEVEL: 'warn',
        QUAYSIDE_DEMO_PACE: '0',
        QUAYSIDE_NAME: name,
        QUAYSIDE_DATABASE_URL: url,
        QUAYSIDE_PEER_ADDRESS: `http://127.0.0.1:${this.door.port}`,
        AGENT_WORKSPACE_ROOT: workspace,
        AGENT_MAX_SESSIONS: '100',
        ...this.clock?.env,
        ...env,
      },
    })
    this.#address = await this.#process.ready
    const { hostname, port } = new URL(this.#address)
    this.door.leadTo({ host: hostname, port: Number(port) })
  }

  /** False also after it has ended by itself. */
  get isRunning(): boolean {
    return this.#process?.hasEnded === false
  }

  get exit(): string {
    return this.#process?.exit ?? 'not started'
  }

  async kill(): Promise<void> {
    this.#address = undefined
    this.#process?.kill()
    await this.#process?.gone()
  }

  /** Its agents go on. */
  pause(): void {
    this.#process?.signal('SIGSTOP')
  }

  resume(): void {
    this.#process?.signal('SIGCONT')
  }

  close(): void {
    this.#process?.signal('SIGCONT')
    this.#process?.kill()
    for (const proxy of [...this.db, this.door]) proxy.close()
  }
}

function wayTo(server: number, folder: string): string {
  return join(folder, `server-${server}`)
}
