// The torture of three hubs on one database: prompts and followers at all of them, one fault after another, and a comparison of the logs
// with everything that any client was told.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { query } from '../../postgres-fixture.js'
import { audit } from '../audit.js'
import { Dice } from '../plan.js'
import { Shadow, type Violation, type ViolationKind } from '../shadow.js'
import { ask, type Asked } from './ask.js'
import {
  drawFault,
  type Fault,
  type FaultKind,
  Faults,
  POSSIBLE_FAULTS,
  setsClock,
} from './faults.js'
import { Lane } from './lane.js'
import { overlaps } from './marks.js'
import { Owners } from './owners.js'
import { DATABASE, Stage } from './stage.js'
import { stateOf } from './state.js'
import type { StagedHub } from './staged-hub.js'
import { Watcher } from './watcher.js'

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
  /** Three unless it is given. */
  readonly hubCount?: number
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
  const { faults = POSSIBLE_FAULTS, hasUsualLease = false, hubCount = 3, mutant: fault } = options
  const names = [hasUsualLease ? undefined : 'short-lease', fault].filter(Boolean)
  const stage = await Stage.open({
    hubCount,
    mutant: names.length === 0 ? undefined : names.join(' '),
    hasStandby: faults.includes('failover'),
    haveClocks: faults.some(setsClock),
  })
  const run = new HubsTorture(stage, { ...options, faults })
  try {
    return await run.run()
  } finally {
    run.stopClients()
    await stage.close()
  }
}

type RunOptions = HubsTortureOptions & { readonly faults: readonly FaultKind[] }

class HubsTorture {
  readonly #stage: Stage
  readonly #options: RunOptions
  readonly #shadow = new Shadow()
  readonly #dice: Dice
  readonly #hubs: readonly StagedHub[]
  readonly #faults: Faults
  readonly #owners: Owners
  readonly #lanes: Lane[] = []
  readonly #watchers: Watcher[] = []
  readonly #running: Promise<void>[] = []
  readonly #counts: Record<string, number> = {}
  readonly #takeoversMs: number[] = []
  #round = 0

  constructor(stage: Stage, options: RunOptions) {
    this.#stage = stage
    this.#options = options
    this.#dice = new Dice(options.random)
    const { hubs, servers } = stage
    this.#hubs = hubs
    this.#faults = new Faults({ hubs, servers, database: DATABASE, dice: this.#dice })
    this.#owners = new Owners(stage.url, this.#shadow)
  }

  get #areRunning(): boolean {
    return this.#hubs.every(({ isRunning }) => isRunning)
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
      looksAtOwners: this.#owners.looks,
      takeoversMs: this.#takeoversMs,
      violations,
    }
  }

  /** Sessions at each hub, with followers at all of them. */
  async #begin(): Promise<void> {
    const { sessionsPerHub = 2 } = this.#options
    for (const hub of this.#hubs)
      for (let count = 0; count < sessionsPerHub; count += 1) await this.#addSession(hub)
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
    const taken = this.#owners.ownedBy(fault.victim.name)
    await this.#faults.hurt(fault)
    const isTaken = isDeadly(fault) && this.#options.hasUsualLease !== true
    const takeover = isTaken ? this.#untilTaken(taken, fault) : undefined
    await sleep(Math.max(fault.lastsMs, this.#options.atLeastMs ?? 0))
    await this.#faults.heal(fault)
    await takeover
    if (this.#hasLostHub(fault)) return
    await this.#untilAllWork(fault)
    await this.#rest()
    this.#compareMarks()
    this.#hasLostHub(fault)
  }

  /** Another hub, or the same one under a new id, owns each session of a hub that is dead. */
  async #untilTaken(sessions: ReturnType<Owners['ownedBy']>, { kind }: Fault): Promise<void> {
    const since = performance.now()
    const waits = sessions.map(async ({ id, epoch }) => {
      const isTaken = (): boolean => this.#owners.epochOf(id) > epoch
      if (await this.#until(isTaken, TAKEOVER_MS)) this.#takeoversMs.push(performance.now() - since)
      else this.#shadow.blame('late', `session ${id} was not taken over after ${kind}`)
    })
    await Promise.all(waits)
  }

  /** A hub may fail, but it does not end by itself. */
  #hasLostHub({ kind }: Fault): boolean {
    const lost = this.#hubs.filter(({ isRunning }) => !isRunning)
    for (const { name, exit, logs } of lost) {
      const log = logs.at(-1)?.slice(-1_500)
      this.#shadow.blame('broken', `${name} has ended (${exit}) after ${kind}: ${log}`)
    }
    return lost.length > 0
  }

  /** Each session accepts a prompt again, at some hub, and ends a turn. */
  async #untilAllWork({ kind }: Fault): Promise<void> {
    const before = this.#lanes.map(({ accepted, ended }) => ({ accepted, ended }))
    const isStuck = ({ accepted, ended }: Lane, index: number): boolean =>
      accepted === before[index]?.accepted || ended === before[index]?.ended
    const works = await this.#until(() => !this.#lanes.some(isStuck), RECOVER_MS)
    if (works) return
    for (const { session, lastProblem } of this.#lanes.filter(isStuck)) {
      const state = await stateOf(session.id, this.#stage)
      this.#shadow.blame(
        'broken',
        `a session does not work after ${kind}: ${lastProblem}; ${state}`,
      )
    }
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
    for (const { id } of this.#shadow.sessions.values()) await this.#endSession(id)
    await this.#rest()
    this.stopClients()
    await Promise.all(this.#running)
    this.#compareMarks()
    await this.#compareEpochs()
    for (const line of this.#hubs.flatMap(({ logs }) => logs.join('\n').split('\n')))
      if (FAULT_LINE.test(line)) this.#shadow.blame('broken', `a hub logged ${line}`)
    return audit(this.#shadow, this.#stage.url(), { everything: true })
  }

  async #endSession(id: string): Promise<void> {
    let problem = ''
    const isEnded = await this.#until(async () => {
      const hub = this.#dice.pick(this.#hubs)
      const answer = await ask(hub.address, { method: 'DELETE', path: `/api/sessions/${id}` })
      if (!answer.ok) problem = `${answer.code} at ${hub.name}`
      return answer.ok
    }, RECOVER_MS)
    if (isEnded) return
    const state = await stateOf(id, this.#stage)
    this.#shadow.blame('broken', `a session could not be ended: ${problem}; ${state}`)
  }

  stopClients(): void {
    for (const one of [...this.#lanes, ...this.#watchers]) one.stop()
    this.#owners.stop()
  }

  #compareMarks(): void {
    for (const { id } of this.#shadow.sessions.values())
      for (const problem of overlaps(this.#stage.marksOf(id)))
        this.#shadow.blame('overlap', `session ${id}: ${problem}`)
  }

  async #compareEpochs(): Promise<void> {
    const rows = await query<{ id: string; seq: number }>(
      this.#stage.url(),
      `SELECT "sessionId" AS "id", "seq" FROM (
        SELECT "sessionId", "seq", "epoch", lag("epoch") OVER (PARTITION BY "sessionId" ORDER BY "seq") AS "before" FROM "AgentEvent"
      ) AS e WHERE "epoch" < "before"`,
    )
    for (const { id, seq } of rows)
      this.#shadow.blame('owners', `session ${id}, event ${seq}: written by an earlier owner`)
  }

  async #lastSeqs(): Promise<ReadonlyMap<string, number>> {
    const sql = 'SELECT "id", "lastSeq" FROM "AgentSession"'
    const rows = await query<{ id: string; lastSeq: number }>(this.#stage.url(), sql)
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
}

/** The lease of the hub runs out. */
function isDeadly({ kind, lastsMs }: Fault): boolean {
  const deadly = ['kill', 'pause', 'hole', 'clock-hole', 'reset', 'no-answers', 'cut-off']
  return lastsMs > LEASE_MS && deadly.includes(kind)
}
