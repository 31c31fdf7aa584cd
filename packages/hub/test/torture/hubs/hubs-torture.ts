// The torture of three hubs on one database: prompts and followers at all of them, one fault after another, and a comparison of the logs
// with everything that any client was told.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { Client } from 'pg'
import {
  type PostgresServer,
  startPostgres,
} from '../../../../../scripts/tools/postgres-server.mjs'
import { openHubId } from '../../../src/process/process-tag.js'
import { tagged } from '../../orphans-fixture.js'
import { makeRepository } from '../../test-hub.js'
import { audit } from '../audit.js'
import { Dice } from '../plan.js'
import { Shadow, type Violation, type ViolationKind } from '../shadow.js'
import { ask, type Asked } from './ask.js'
import { drawFault, type Fault, type FaultKind, Faults } from './faults.js'
import { Lane } from './lane.js'
import { overlaps } from './marks.js'
import { Owners } from './owners.js'
import { StagedHub } from './staged-hub.js'
import { Watcher } from './watcher.js'

const NAMES = ['studio', 'build', 'cloud']
const DATABASE = 'hubs'
/** Instead of 15 seconds: a fault lasts longer than a lease. */
export const LEASE_MS = 2_500
/** A hub looks once a second, and the machine may be busy. */
const BEHIND_MS = 10_000
/** With the short lease, and on a busy machine. */
const TAKEOVER_MS = 30_000
const RECOVER_MS = 60_000
const LOOK_MS = 20
/** Log lines that no fault of the stage explains. */
const FAULT_LINE = /TypeError|ReferenceError|RangeError|unhandled/i

export type HubsTortureOptions = {
  readonly rounds: number
  readonly random: () => number
  readonly sessionsPerHub?: number
  readonly faults?: readonly FaultKind[]
  /** Each fault lasts at least this long. */
  readonly atLeastMs?: number
  /** Besides the short lease. */
  readonly mutant?: string
  /** The lease that people have, for faults that it does not matter for: such hubs start faster. */
  readonly hasUsualLease?: boolean
  readonly signal?: AbortSignal
  readonly untilBlamed?: readonly ViolationKind[]
}

export type HubsFigures = {
  readonly rounds: number
  readonly faults: Readonly<Record<string, number>>
  readonly sessions: number
  readonly acknowledged: number
  readonly eventsSeen: number
  readonly eventsCompared: number
  readonly looksAtOwners: number
  readonly takeoversMs: readonly number[]
  readonly violations: readonly Violation[]
}

export async function tortureHubs(options: HubsTortureOptions): Promise<HubsFigures> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'qs-hubs-')))
  const server = mkdtempSync(join(tmpdir(), 'pg-'))
  const run = new HubsTorture(folder, options)
  try {
    await run.open(await startPostgres(server))
    return await run.run()
  } finally {
    await run.close()
    for (const path of [folder, server])
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

class HubsTorture {
  readonly #folder: string
  readonly #options: HubsTortureOptions
  readonly #shadow = new Shadow()
  readonly #dice: Dice
  readonly #hubs: StagedHub[] = []
  readonly #lanes: Lane[] = []
  readonly #watchers: Watcher[] = []
  readonly #running: Promise<void>[] = []
  readonly #counts: Record<string, number> = {}
  readonly #takeoversMs: number[] = []
  #server: PostgresServer | undefined
  #owners: Owners | undefined
  #faults: Faults | undefined
  #url = ''
  #round = 0

  constructor(folder: string, options: HubsTortureOptions) {
    this.#folder = folder
    this.#options = options
    this.#dice = new Dice(options.random)
  }

  get #areRunning(): boolean {
    return this.#hubs.every(({ isRunning }) => isRunning)
  }

  get #workspace(): string {
    return join(this.#folder, 'workspace')
  }

  get #repository(): string {
    return join(this.#workspace, 'shop-api')
  }

  async open(server: PostgresServer): Promise<void> {
    this.#server = server
    this.#url = server.addressOf(DATABASE)
    makeRepository(this.#repository)
    mkdirSync(join(this.#repository, 'marks'))
    writeFileSync(join(this.#repository, 'marks', '.gitignore'), '*\n')
    await this.#query(`CREATE DATABASE ${DATABASE}`, server.addressOf('postgres'))
    const { hasUsualLease = false, mutant: fault } = this.#options
    const names = [hasUsualLease ? undefined : 'short-lease', fault].filter(Boolean)
    const mutant = names.length === 0 ? undefined : names.join(' ')
    const env = { QUAYSIDE_VOLUMES: `code=${this.#workspace}` }
    for (const name of NAMES) {
      const folder = join(this.#folder, name)
      mkdirSync(folder)
      const place = { name, folder, workspace: this.#workspace, server: server.folder }
      this.#hubs.push(await StagedHub.open({ ...place, database: DATABASE, mutant, env }))
    }
    await Promise.all(this.#hubs.map((hub) => hub.start()))
    this.#faults = new Faults({ hubs: this.#hubs, server, url: this.#url, dice: this.#dice })
  }

  async run(): Promise<HubsFigures> {
    await this.#begin()
    const { rounds, faults } = this.#options
    while (this.#round < rounds && this.#areRunning && !this.#isOver) {
      this.#round += 1
      this.#shadow.round = this.#round
      await this.#inRound(drawFault(this.#dice, { hubs: this.#hubs, leaseMs: LEASE_MS, faults }))
    }
    const eventsCompared = this.#areRunning ? await this.#end() : 0
    const { sessions, acknowledgements, eventsSeen, violations } = this.#shadow
    return {
      rounds: this.#round,
      faults: this.#counts,
      sessions: sessions.size,
      acknowledged: acknowledgements,
      eventsSeen,
      eventsCompared,
      looksAtOwners: this.#owners?.looks ?? 0,
      takeoversMs: this.#takeoversMs,
      violations,
    }
  }

  /** Also after a failure. */
  async close(): Promise<void> {
    this.#stopClients()
    for (const hub of this.#hubs) hub.close()
    for (const name of NAMES)
      for (const { pid } of tagged(openHubId(join(this.#folder, name, 'data')))) killIfThere(pid)
    await this.#server?.stop('SIGQUIT')
  }

  /** Sessions at each hub, with followers at all of them. */
  async #begin(): Promise<void> {
    const { sessionsPerHub = 2 } = this.#options
    for (const hub of this.#hubs)
      for (let count = 0; count < sessionsPerHub; count += 1) await this.#addSession(hub)
    this.#owners = new Owners(this.#url, this.#shadow)
    for (const one of [this.#owners, ...this.#lanes, ...this.#watchers])
      this.#running.push(one.run())
  }

  async #addSession(hub: StagedHub): Promise<void> {
    const { repos } = await this.#require<{ repos: Repo[] }>(hub, {
      method: 'GET',
      path: '/api/repos',
    })
    const here = repos.find((repo) => (repo.hub?.state ?? 'here') === 'here')
    const body = { repoId: here?.id, extensionId: 'demo' }
    const create = { method: 'POST', path: '/api/sessions', body }
    const { id } = await this.#require<SessionSummary>(hub, create)
    const session = this.#shadow.session(id)
    const lane = { hubs: this.#hubs, shadow: this.#shadow, session, dice: this.#dice }
    this.#lanes.push(new Lane({ ...lane, longMs: LEASE_MS * 5 }))
    this.#watchers.push(...this.#hubs.map((at) => new Watcher(this.#shadow, session, at)))
  }

  async #inRound(fault: Fault): Promise<void> {
    this.#counts[fault.kind] = (this.#counts[fault.kind] ?? 0) + 1
    for (const lane of this.#lanes) lane.go()
    await sleep(this.#dice.between(50, 300))
    const taken = this.#owners?.ownedBy(fault.victim.name) ?? []
    await this.#faults?.hurt(fault)
    const isTaken = isDeadly(fault) && this.#options.hasUsualLease !== true
    const takeover = isTaken ? this.#untilTaken(taken, fault) : undefined
    await sleep(Math.max(fault.lastsMs, this.#options.atLeastMs ?? 0))
    await this.#faults?.heal(fault)
    await takeover
    if (this.#hasLostHub(fault)) return
    await this.#untilAllWork(fault)
    await this.#rest()
    this.#compareMarks()
  }

  /** Another hub, or the same one under a new id, owns each session of a hub that is dead. */
  async #untilTaken(sessions: ReturnType<Owners['ownedBy']>, { kind }: Fault): Promise<void> {
    const since = performance.now()
    const waits = sessions.map(async ({ id, epoch }) => {
      const isTaken = (): boolean => (this.#owners?.epochOf(id) ?? 0) > epoch
      if (await this.#until(isTaken, TAKEOVER_MS)) this.#takeoversMs.push(performance.now() - since)
      else this.#shadow.blame('late', `session ${id} was not taken over after ${kind}`)
    })
    await Promise.all(waits)
  }

  /** A hub may fail, but it does not end by itself. */
  #hasLostHub({ kind }: Fault): boolean {
    const lost = this.#hubs.filter(({ isRunning }) => !isRunning)
    for (const { name, logs } of lost)
      this.#shadow.blame('broken', `${name} has ended after ${kind}: ${logs.at(-1)?.slice(-1_500)}`)
    return lost.length > 0
  }

  /** Each session accepts a prompt again, at some hub. */
  async #untilAllWork({ kind }: Fault): Promise<void> {
    const before = this.#lanes.map(({ accepted }) => accepted)
    const isStuck = (lane: Lane, index: number) => lane.accepted === before[index]
    const works = await this.#until(() => !this.#lanes.some(isStuck), RECOVER_MS)
    if (works) return
    for (const { lastProblem } of this.#lanes.filter(isStuck))
      this.#shadow.blame('broken', `a session takes no prompt after ${kind}: ${lastProblem}`)
  }

  /** When nothing is sent, every follower gets everything in a short time. */
  async #rest(): Promise<void> {
    for (const lane of this.#lanes) lane.pause()
    const isQuiet = await this.#until(() => this.#lanes.every(({ isIdle }) => isIdle), RECOVER_MS)
    if (!isQuiet) this.#shadow.blame('broken', 'a prompt was neither accepted nor refused')
    const last = await this.#lastSeqs()
    const behind = (): Watcher[] =>
      this.#watchers.filter(({ session, lastSeq }) => lastSeq < (last.get(session.id) ?? 0))
    if (await this.#until(() => behind().length === 0, BEHIND_MS)) return
    for (const { session, lastSeq, hub } of behind())
      this.#shadow.blame(
        'behind',
        `session ${session.id} at ${hub.name}: ${lastSeq} of ${last.get(session.id)} events after ${BEHIND_MS} ms`,
      )
  }

  /** Ends all sessions and hubs, and compares. */
  async #end(): Promise<number> {
    for (const { id } of this.#shadow.sessions.values())
      await this.#until(async () => {
        const hub = this.#dice.pick(this.#hubs)
        const path = `/api/sessions/${id}`
        const answer = await ask(hub.address, { method: 'DELETE', path }, RECOVER_MS)
        return answer.ok
      }, RECOVER_MS)
    await this.#rest()
    this.#stopClients()
    await Promise.all(this.#running)
    this.#compareMarks()
    await this.#compareEpochs()
    for (const line of this.#hubs.flatMap(({ logs }) => logs.join('\n').split('\n')))
      if (FAULT_LINE.test(line)) this.#shadow.blame('broken', `a hub logged ${line}`)
    return audit(this.#shadow, this.#url, { everything: true })
  }

  #stopClients(): void {
    for (const one of [...this.#lanes, ...this.#watchers]) one.stop()
    this.#owners?.stop()
  }

  #compareMarks(): void {
    for (const { id } of this.#shadow.sessions.values())
      for (const problem of overlaps(join(this.#repository, 'marks', id)))
        this.#shadow.blame('overlap', `session ${id}: ${problem}`)
  }

  async #compareEpochs(): Promise<void> {
    const rows = await this.#query<{ id: string; seq: number }>(
      `SELECT "sessionId" AS "id", "seq" FROM (
        SELECT "sessionId", "seq", "epoch", lag("epoch") OVER (PARTITION BY "sessionId" ORDER BY "seq") AS "before" FROM "AgentEvent"
      ) AS e WHERE "epoch" < "before"`,
    )
    for (const { id, seq } of rows)
      this.#shadow.blame('owners', `session ${id}, event ${seq}: written by an earlier owner`)
  }

  async #lastSeqs(): Promise<ReadonlyMap<string, number>> {
    const sql = 'SELECT "id", "lastSeq" FROM "AgentSession"'
    const rows = await this.#query<{ id: string; lastSeq: number }>(sql)
    return new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]))
  }

  /** Out of time, or a mutant is caught. */
  get #isOver(): boolean {
    const { untilBlamed = [], signal } = this.#options
    if (signal?.aborted) return true
    return this.#shadow.violations.some(({ kind }) => untilBlamed.includes(kind))
  }

  async #until(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
    const giveUpAt = performance.now() + withinMs
    while (!(await isTrue())) {
      if (performance.now() > giveUpAt || this.#options.signal?.aborted) return false
      await sleep(LOOK_MS)
    }
    return true
  }

  async #require<T>(hub: StagedHub, asked: Asked): Promise<T> {
    const answer = await ask(hub.address, asked, RECOVER_MS)
    if (!answer.ok) throw new Error(`${asked.path} at ${hub.name}: ${answer.code}`)
    return answer.body as T
  }

  async #query<Row extends object>(sql: string, url = this.#url): Promise<Row[]> {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
}

/** The lease of the hub runs out. */
function isDeadly({ kind, lastsMs }: Fault): boolean {
  return (
    lastsMs > LEASE_MS && ['kill', 'pause', 'hole', 'reset', 'no-answers', 'cut-off'].includes(kind)
  )
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
