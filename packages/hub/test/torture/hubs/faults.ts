// The faults of a round: which, where and for how long, and how each is made and undone.
import { Client } from 'pg'
import type { PostgresServer } from '../../../../../scripts/tools/postgres-server.mjs'
import type { Dice } from '../plan.js'
import type { StagedHub } from './staged-hub.js'

/**
 * `hole` and `reset` are between a hub and the database, `cut-peers` between hubs, `cut-off` both. `no-answers` loses the answers of commits.
 * `database` is a crash of the server, `failover` a server that can only be read for a while, `deafen` ends the connections for hints.
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
  'deafen',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  readonly kind: FaultKind
  readonly victim: StagedHub
  readonly lastsMs: number
  /** Connections that were held back are cut at the end; otherwise their bytes arrive late. */
  readonly isCutAtEnd: boolean
}

type DrawOptions = {
  readonly hubs: readonly StagedHub[]
  readonly leaseMs: number
  readonly faults?: readonly FaultKind[] | undefined
}

export function drawFault(dice: Dice, { hubs, leaseMs, faults = FAULT_KINDS }: DrawOptions): Fault {
  const isLong = dice.chance(0.6)
  const share = isLong ? 1.4 + dice.fraction() : dice.fraction() * 0.5
  return {
    kind: dice.pick(faults),
    victim: dice.pick(hubs),
    lastsMs: Math.round(leaseMs * share),
    isCutAtEnd: dice.chance(0.5),
  }
}

type FaultsDeps = {
  readonly hubs: readonly StagedHub[]
  readonly server: PostgresServer
  readonly url: string
  readonly dice: Dice
}

const END_ALL = `SELECT pg_terminate_backend("pid") FROM pg_stat_activity WHERE "application_name" = 'quayside'`
const DEAFEN = `${END_ALL} AND ("query" LIKE '%LISTEN quayside%' OR "query" LIKE '%pg_notify%')`

export class Faults {
  readonly #deps: FaultsDeps

  constructor(deps: FaultsDeps) {
    this.#deps = deps
  }

  async hurt({ kind, victim }: Fault): Promise<void> {
    const { server } = this.#deps
    if (kind === 'kill') await victim.kill()
    if (kind === 'pause') victim.pause()
    if (kind === 'hole' || kind === 'cut-off') victim.db.fail('hole')
    if (kind === 'reset') victim.db.fail('reset')
    if (kind === 'no-answers') victim.db.fail('no-answers')
    if (kind === 'cut-peers' || kind === 'cut-off') this.#cutPeers(victim)
    if (kind === 'database') await server.stop('SIGQUIT')
    if (kind === 'failover') await this.#setReadOnly(true)
    if (kind === 'deafen') await this.#query(DEAFEN)
  }

  async heal({ kind, victim, isCutAtEnd }: Fault): Promise<void> {
    if (kind === 'kill') await victim.start()
    if (kind === 'pause') victim.resume()
    if (kind === 'database') await this.#deps.server.start()
    if (kind === 'failover') await this.#setReadOnly(false)
    // The connections for hints end a second time, so that one is lost just before nothing follows.
    if (kind === 'deafen') await this.#query(DEAFEN)
    for (const { db, door } of this.#deps.hubs) {
      db.heal(isCutAtEnd)
      door.heal(isCutAtEnd)
    }
  }

  /** No hub reaches it, or it reaches none and no other hub does. */
  #cutPeers(victim: StagedHub): void {
    const { hubs, dice } = this.#deps
    const isReached = dice.chance(0.5)
    for (const hub of hubs) if ((hub === victim) === !isReached) hub.door.fail('hole')
  }

  async #setReadOnly(isReadOnly: boolean): Promise<void> {
    const name = new URL(this.#deps.url).pathname.slice(1)
    const value = isReadOnly ? 'on' : 'off'
    await this.#query(
      'SET default_transaction_read_only = off',
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`,
      END_ALL,
    )
  }

  async #query(...statements: string[]): Promise<void> {
    const client = new Client(this.#deps.url)
    await client.connect()
    try {
      for (const sql of statements) await client.query(sql)
    } finally {
      await client.end()
    }
  }
}
