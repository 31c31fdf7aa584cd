// Everything that a torture of several hubs happens to: the servers of the database, the hubs, and the repository that they share.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHubId } from '../../../src/process/process-tag.js'
import { tagged } from '../../orphans-fixture.js'
import { query } from '../../postgres-fixture.js'
import { makeRepository } from '../../test-hub.js'
import { Servers } from './servers.js'
import { StagedHub } from './staged-hub.js'

const NAMES = ['studio', 'build', 'cloud']
export const DATABASE = 'hubs'

export type StageOptions = {
  /** At most three. */
  readonly hubCount: number
  readonly mutant: string | undefined
  readonly hasStandby: boolean
  readonly haveClocks: boolean
}

export class Stage {
  readonly #folder: string
  readonly servers: Servers
  readonly hubs: StagedHub[] = []

  private constructor(folder: string, servers: Servers) {
    this.#folder = folder
    this.servers = servers
  }

  static async open(options: StageOptions): Promise<Stage> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qs-hubs-')))
    const { hasStandby } = options
    const stage = new Stage(folder, await Servers.start({ hasStandby }))
    try {
      await stage.#open(options)
      return stage
    } catch (error) {
      await stage.close()
      throw error
    }
  }

  /** Of the database, at the server that is the primary now. */
  readonly url = (): string => this.servers.addressOf(DATABASE)

  /** The file with the marks of a session's agents. */
  marksOf(sessionId: string): string {
    return join(this.#repository, 'marks', sessionId)
  }

  get #workspace(): string {
    return join(this.#folder, 'workspace')
  }

  get #repository(): string {
    return join(this.#workspace, 'shop-api')
  }

  async #open({ hubCount, mutant, haveClocks }: StageOptions): Promise<void> {
    makeRepository(this.#repository)
    mkdirSync(join(this.#repository, 'marks'))
    writeFileSync(join(this.#repository, 'marks', '.gitignore'), '*\n')
    await query(this.servers.addressOf('postgres'), `CREATE DATABASE ${DATABASE}`)
    const env = { QUAYSIDE_VOLUMES: `code=${this.#workspace}` }
    const { folders: servers } = this.servers
    const shared = { workspace: this.#workspace, servers, database: DATABASE, mutant, env }
    for (const name of NAMES.slice(0, hubCount)) {
      const folder = join(this.#folder, name)
      mkdirSync(folder)
      this.hubs.push(await StagedHub.open({ ...shared, name, folder, hasClock: haveClocks }))
    }
    await Promise.all(this.hubs.map((hub) => hub.start()))
  }

  /** Also after a failure. */
  async close(): Promise<void> {
    for (const hub of this.hubs) hub.close()
    for (const { name } of this.hubs)
      for (const { pid } of tagged(openHubId(join(this.#folder, name, 'data')))) killIfThere(pid)
    await this.servers.stop()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
