// The torture of a hub: a workload, kill -9 at some instant, a restart and an audit, round after round in one data directory.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Repo, SessionList } from '@quayside/protocol'
import { databaseSettings } from '../../../../test/setup/own-database.js'
import { openHubId } from '../../src/process/process-tag.js'
import { tagged, untilNone } from '../orphans-fixture.js'
import { makeRepository, TOKEN } from '../test-hub.js'
import { audit } from './audit.js'
import { type HubSetup, KillableHub } from './killable-hub.js'
import { Lane } from './lane.js'
import { Dice, drawRound, type Kill, type LanePlan, type RoundPlan } from './plan.js'
import { Shadow, type SessionShadow, type Violation, type ViolationKind } from './shadow.js'
import { ShadowClient } from './shadow-client.js'

const ORPHAN_LIMIT_MS = 30_000
const OPENING_LIMIT_MS = 60_000
const ACKNOWLEDGED_LIMIT_MS = 1_000
/** Log lines that neither an agent nor a kill can explain. Errors of crashing agents are logged too. */
const FAULT = /commit failed|TypeError|ReferenceError|RangeError/
/** Everything is compared every few rounds and at the end; in between only what may have changed. */
const FULL_AUDIT_ROUNDS = 10

export type TortureOptions = {
  readonly rounds: number
  /** Numbers from 0 to 1. */
  readonly random: () => number
  readonly mutant?: string
  /** Changes a round so that it reveals a certain fault. */
  readonly change?: (plan: RoundPlan) => RoundPlan
  /** Aborts when the test is out of time; everything is cleaned up then too. */
  readonly signal?: AbortSignal
  /** Ends the rounds early, once a mutant is caught. */
  readonly untilBlamed?: readonly ViolationKind[]
}

export type Figures = {
  rounds: number
  kills: number
  sessions: number
  acknowledged: number
  eventsSeen: number
  eventsCompared: number
  slowestRestartMs: number
  readonly violations: readonly Violation[]
}

export async function torture(options: TortureOptions): Promise<Figures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-torture-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  const run = new Torture({ folder, database: await databaseSettings(folder) }, options)
  options.signal?.addEventListener('abort', () => run.cleanUp(), { once: true })
  try {
    return await run.run()
  } finally {
    run.cleanUp()
    // Agents may still write while they end.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

type Place = { readonly folder: string; readonly database: Readonly<Record<string, string>> }

class Torture {
  readonly #shadow = new Shadow()
  readonly #options: TortureOptions
  readonly #dataDir: string
  readonly #setup: HubSetup
  readonly #figures: Omit<Figures, 'sessions' | 'acknowledged' | 'eventsSeen' | 'violations'>
  #hub: KillableHub | undefined
  /** A kill that comes even when all lanes are done. */
  #killing = Promise.resolve()

  constructor({ folder, database }: Place, options: TortureOptions) {
    this.#options = options
    this.#dataDir = join(folder, 'data')
    this.#setup = {
      mutant: options.mutant,
      env: {
        QUAYSIDE_DATA_DIR: this.#dataDir,
        QUAYSIDE_TOKEN: TOKEN,
        QUAYSIDE_LOG_LEVEL: 'warn',
        QUAYSIDE_DEMO_PACE: '0',
        AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
        AGENT_MAX_SESSIONS: '100',
        ...database,
      },
    }
    this.#figures = { rounds: 0, kills: 0, eventsCompared: 0, slowestRestartMs: 0 }
  }

  async run(): Promise<Figures> {
    const { random, rounds, change = (plan) => plan } = this.#options
    const dice = new Dice(random)
    for (let round = 1; round <= rounds && !this.#options.signal?.aborted; round += 1) {
      this.#shadow.round = round
      await this.#round(change(drawRound(dice)), round % FULL_AUDIT_ROUNDS === 0)
      this.#figures.rounds = round
      if (this.#isCaught()) return this.#result()
    }
    // The last agents have only their watchdog.
    await this.#requireNoOrphan('the watchdog', ORPHAN_LIMIT_MS)
    await this.#restart({ durability: 'full' }, true)
    await this.#kill()
    return this.#result()
  }

  #result(): Figures {
    const { sessions, acknowledgements, eventsSeen, violations } = this.#shadow
    return {
      ...this.#figures,
      sessions: sessions.size,
      acknowledged: acknowledgements,
      eventsSeen,
      violations,
    }
  }

  /** Cleans up everything, whatever the hub under test (a mutant) left. */
  cleanUp(): void {
    this.#hub?.kill()
    if (!existsSync(this.#dataDir)) return
    for (const { pid } of tagged(openHubId(this.#dataDir))) killIfThere(pid)
  }

  async #round(plan: RoundPlan, everything: boolean): Promise<void> {
    for (const kill of plan.startKills) {
      this.#hub = this.#newHub(plan)
      await this.#hub.killStarting(kill)
      this.#figures.kills += 1
    }
    const address = await this.#restart(plan, everything)
    if (this.#isCaught()) return
    await this.#work(address, plan)
    if (plan.waitsForWatchdog) await this.#requireNoOrphan('the watchdog', ORPHAN_LIMIT_MS)
  }

  #newHub({ durability }: Pick<RoundPlan, 'durability'>): KillableHub {
    const env = { ...this.#setup.env, QUAYSIDE_DURABILITY: durability }
    return new KillableHub({ ...this.#setup, env })
  }

  /** Starts the hub and checks it before any client sends a request. */
  async #restart(plan: Pick<RoundPlan, 'durability'>, everything: boolean): Promise<string> {
    const startedAt = performance.now()
    this.#hub = this.#newHub(plan)
    const address = await this.#hub.ready
    const { total } = await call<SessionList>(address, '/api/sessions?status=active')
    const tookMs = Math.round(performance.now() - startedAt)
    this.#figures.slowestRestartMs = Math.max(this.#figures.slowestRestartMs, tookMs)
    if (total > 0) this.#shadow.blame('untrue', `${total} sessions are listed as active`)
    await this.#requireNoOrphan('the restarted hub', 0)
    const file = join(this.#dataDir, 'quayside.db')
    const database = this.#setup.env['QUAYSIDE_DATABASE_URL'] ?? file
    this.#figures.eventsCompared += await audit(this.#shadow, database, { everything })
    return address
  }

  async #work(address: string, plan: RoundPlan): Promise<void> {
    const hub = this.#hub!
    const { repos } = await call<{ repos: Repo[] }>(address, '/api/repos/scan', 'POST')
    const sessions = this.#choose(plan.lanes)
    const clients: ShadowClient[] = []
    const deps = { shadow: this.#shadow, repoId: repos[0]!.id, killed: hub.killed }
    const lanes = await Promise.all(
      plan.lanes.map(async (lane) => {
        const client = await ShadowClient.open(address, this.#shadow)
        clients.push(client)
        return new Lane({ ...deps, client }, lane)
      }),
    )
    if (plan.kill.at === 'opening') this.#scheduleKill(plan.kill)
    const limit = setTimeout(() => this.#giveUp(), OPENING_LIMIT_MS)
    await this.#untilKilled(lanes.map((lane, index) => lane.open(sessions[index])))
    clearTimeout(limit)
    if (plan.kill.at !== 'opening') this.#scheduleKill(plan.kill)
    if (!hub.killed.aborted) await this.#untilKilled(lanes.map((lane) => lane.work()))
    await this.#kill()
    await Promise.all(clients.map((client) => client.drained()))
  }

  /** Each lane resumes another session, or none when it is to create one or there are not enough. */
  #choose(lanes: readonly LanePlan[]): (SessionShadow | undefined)[] {
    const free = [...this.#shadow.sessions.values()]
    return lanes.map(({ opens, pick }) =>
      opens === 'create' ? undefined : free.splice(Math.floor(pick * free.length), 1)[0],
    )
  }

  #scheduleKill(kill: Kill): void {
    const hub = this.#hub!
    if (kill.at === 'stopping') {
      setTimeout(() => hub.stop(), kill.ms)
      this.#killing = sleep(kill.ms + kill.stopMs).then(() => hub.kill())
      return
    }
    if (kill.at !== 'acknowledged') {
      setTimeout(() => hub.kill(), kill.ms)
      return
    }
    // A round with few acknowledgements ends too.
    setTimeout(() => hub.kill(), ACKNOWLEDGED_LIMIT_MS)
    let left = kill.count
    this.#shadow.onAcknowledged = () => {
      left -= 1
      if (left === 0) hub.kill()
    }
  }

  #giveUp(): void {
    this.#shadow.blame('broken', `sessions were not open within ${OPENING_LIMIT_MS} ms`)
    this.#hub!.kill()
  }

  /** A failure before the kill is the hub's fault. */
  async #untilKilled(lanes: readonly Promise<void>[]): Promise<void> {
    const hub = this.#hub!
    await Promise.all(
      lanes.map((lane) =>
        lane.catch((error: unknown) => {
          if (!hub.isEnding) this.#shadow.blame('broken', `a lane ended: ${String(error)}`)
        }),
      ),
    )
  }

  async #kill(): Promise<void> {
    const hub = this.#hub!
    await this.#killing
    this.#shadow.onAcknowledged = () => {}
    hub.kill()
    await hub.gone()
    this.#figures.kills += 1
    for (const line of hub.output.split('\n'))
      if (FAULT.test(line)) this.#shadow.blame('broken', `the hub logged ${line}`)
  }

  async #requireNoOrphan(by: string, withinMs: number): Promise<void> {
    const hubId = openHubId(this.#dataDir)
    const find = () => tagged(hubId).map(({ pid, name }) => `${name} ${pid}`)
    if (withinMs > 0) await untilNone(find, withinMs).catch(() => {})
    const names = find()
    if (names.length > 0) this.#shadow.blame('orphan', `${by} left ${names.join(', ')}`)
  }

  #isCaught(): boolean {
    const { untilBlamed = [] } = this.#options
    return this.#shadow.violations.some(({ kind }) => untilBlamed.includes(kind))
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Its watchdog was faster.
  }
}

async function call<T>(address: string, path: string, method = 'GET'): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = method === 'GET' ? {} : { body: '{}' }
  const response = await fetch(`${address}${path}`, { method, headers, ...body })
  return (await response.json()) as T
}
