// The faults of a round: which, where and for how long, and how each is made and undone.
import { Client } from 'pg'
import { FAKETIME } from '../../faults/faketime.js'
import type { Dice } from '../plan.js'
import type { Servers } from './servers.js'
import type { StagedHub } from './staged-hub.js'

/**
 * `hole` and `reset` are between a hub and the database, `cut-peers` between hubs, `cut-off` both. `no-answers` loses the answers of commits.
 * `database` is a crash of the server, `failover` one after which the standby takes its place, `read-only` a server that can only be read for
 * a while. `deafen` ends the connections for hints. `clock` sets the clock of a hub, `clock-hole` sets it just before a `hole`.
 */
export const FAULT_KINDS = [
  'kill',
  'pause',
  'hole',
  'reset',
  'no-answers',
  'cut-peers',
  'cut-off',
  'database',
  'failover',
  'read-only',
  'deafen',
  'clock',
  'clock-hole',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Those that this machine can make. */
export const POSSIBLE_FAULTS = FAULT_KINDS.filter(
  (kind) => FAKETIME !== undefined || !setsClock(kind),
)

/** Back beyond the lease is the worst for a hub that counts it by this clock. */
const JUMPS = ['-5h', '+5h', '-30', '+30'] as const

export type Fault = {
  readonly kind: FaultKind
  readonly victim: StagedHub
  readonly lastsMs: number
  /** Connections that were held back are cut at the end; otherwise their bytes arrive late. */
  readonly isCutAtEnd: boolean
  /** Of the clock. */
  readonly jump: string
}

type DrawOptions = {
  readonly hubs: readonly StagedHub[]
  readonly leaseMs: number
  readonly faults: readonly FaultKind[]
}

export function setsClock(kind: FaultKind): boolean {
  return kind === 'clock' || kind === 'clock-hole'
}

export function drawFault(dice: Dice, { hubs, leaseMs, faults }: DrawOptions): Fault {
  const isLong = dice.chance(0.6)
  const share = isLong ? 1.4 + dice.fraction() : dice.fraction() * 0.5
  return {
    kind: dice.pick(faults),
    victim: dice.pick(hubs),
    lastsMs: Math.round(leaseMs * share),
    isCutAtEnd: dice.chance(0.5),
    jump: dice.pick(JUMPS),
  }
}

type FaultsDeps = {
  readonly hubs: readonly StagedHub[]
  readonly servers: Servers
  readonly database: string
  readonly dice: Dice
}

const END_ALL = `SELECT pg_terminate_backend("pid") FROM pg_stat_activity WHERE "application_name" = 'quayside'`
const DEAFEN = `${END_ALL} AND ("query" LIKE '%LISTEN quayside%' OR "query" LIKE '%pg_notify%')`

/** Between the hub and the database. */
const WAY_FAULTS: Partial<Record<FaultKind, 'hole' | 'reset' | 'no-answers'>> = {
  hole: 'hole',
  'cut-off': 'hole',
  'clock-hole': 'hole',
  reset: 'reset',
  'no-answers': 'no-answers',
}

export class Faults {
  readonly #deps: FaultsDeps

  constructor(deps: FaultsDeps) {
    this.#deps = deps
  }

  async hurt({ kind, victim, jump }: Fault): Promise<void> {
    const { servers } = this.#deps
    if (setsClock(kind)) victim.clock?.jump(jump)
    const way = WAY_FAULTS[kind]
    if (way !== undefined) for (const proxy of victim.db) proxy.fail(way)
    if (kind === 'kill') await victim.kill()
    if (kind === 'pause') victim.pause()
    if (kind === 'cut-peers' || kind === 'cut-off') this.#cutPeers(victim)
    if (kind === 'database' || kind === 'failover') await servers.crash()
    if (kind === 'read-only') await this.#setReadOnly(true)
    if (kind === 'deafen') await this.#query(DEAFEN)
  }

  /** A clock stays as it was set: the next `clock` sets it to another time. */
  async heal({ kind, victim, isCutAtEnd }: Fault): Promise<void> {
    if (kind === 'kill') await victim.start()
    if (kind === 'pause') victim.resume()
    if (kind === 'database') await this.#deps.servers.restart()
    if (kind === 'failover') await this.#deps.servers.failOver()
    if (kind === 'read-only') await this.#setReadOnly(false)
    // The connections for hints end a second time, so that one is lost just before nothing follows.
    if (kind === 'deafen') await this.#query(DEAFEN)
    for (const { db, door } of this.#deps.hubs)
      for (const proxy of [...db, door]) proxy.heal(isCutAtEnd)
  }

  /** No hub reaches it, or it reaches none and no other hub does. */
  #cutPeers(victim: StagedHub): void {
    const { hubs, dice } = this.#deps
    const isReached = dice.chance(0.5)
    for (const hub of hubs) if ((hub === victim) === !isReached) hub.door.fail('hole')
  }

  async #setReadOnly(isReadOnly: boolean): Promise<void> {
    const value = isReadOnly ? 'on' : 'off'
    await this.#query(
      'SET default_transaction_read_only = off',
      `ALTER DATABASE ${this.#deps.database} SET default_transaction_read_only = ${value}`,
      END_ALL,
    )
  }

  async #query(...statements: string[]): Promise<void> {
    const client = new Client(this.#deps.servers.addressOf(this.#deps.database))
    await client.connect()
    try {
      for (const sql of statements) await client.query(sql)
    } finally {
      await client.end()
    }
  }
}
