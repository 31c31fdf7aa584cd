// The lease of this hub: a row that it renews. Other hubs may declare the hub dead when the row has run out, by the clock of the
// database. The hub itself trusts the lease for 0.6 of its length only, by its own clock and from before the renewal was sent, so that its
// agents have ended when another hub takes over. A hub whose lease has lapsed, or that was declared dead, registers under a new id.
import { v7 as uuidv7 } from 'uuid'
import { steadyMs } from '../../steady-clock.js'
import { VERSION } from '../../version.js'
import type { HubLease, PeerAccess } from '../cluster-store.js'
import type { Connections } from './connections.js'
import { Disks, type Volume } from './repos/disks.js'

export type HubIdentity = {
  /** The id of the data directory, which only one hub at a time has open. */
  readonly machineId: string
  readonly name: string
  readonly volumes?: readonly Volume[]
  /** Tests have shorter ones. */
  readonly leaseMs?: number | undefined
}

const LEASE_MS = 15_000
const TRUSTED_SHARE = 0.6

/** So often the lease is renewed, and so long an answer is waited for. */
export function renewMs(leaseMs = LEASE_MS): number {
  return leaseMs / 5
}

const REGISTER = {
  name: 'hub_register',
  text: `WITH earlier AS (UPDATE "Hub" SET "dead" = true WHERE "machineId" = $2 AND NOT "dead")
    INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil", "volumes", "address", "token", "certificate",
      "draining")
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms', $7::text[], $8, $9, $10,
      coalesce((SELECT before."draining" FROM "Hub" AS before WHERE before."id" = $11), false))`,
}
/** RENEW and DECLARE_DEAD lock the same row, so that only the first of the two has an effect. */
const RENEW = {
  name: 'hub_renew',
  text: `UPDATE "Hub" SET "leaseUntil" = clock_timestamp() + $2 * interval '1 ms', "seenAt" = clock_timestamp()
    WHERE "id" = $1 AND NOT "dead" RETURNING "id"`,
}
const ANNOUNCE = {
  name: 'hub_announce',
  text: 'UPDATE "Hub" SET "address" = $2, "token" = $3, "certificate" = $4 WHERE "id" = $1',
}

export class Lease implements HubLease {
  readonly #db: Connections
  readonly #hub: HubIdentity
  readonly disks: Disks
  readonly #leaseMs: number
  readonly #onTrust = new Set<(until: number) => void>()
  readonly #onLapse = new Set<() => void>()
  #hubId = uuidv7()
  /** The id of the last registration in this process: a hub that is being emptied goes on with it. */
  #registered: string | null = null
  #access: PeerAccess | undefined
  #trustedUntil = -Infinity
  #isHeld = false
  #isRenewing = false
  #lapsing: NodeJS.Timeout | undefined
  #renewing: NodeJS.Timeout | undefined

  /** `db` is for the lease alone: a renewal must not wait behind other statements. */
  constructor(db: Connections, hub: HubIdentity) {
    this.#db = db
    this.#hub = hub
    this.disks = new Disks(hub.machineId, hub.volumes)
    this.#leaseMs = hub.leaseMs ?? LEASE_MS
  }

  /** New for every start, and after the lease has lapsed. */
  get hubId(): string {
    return this.#hubId
  }

  get trustedUntil(): number {
    return this.#trustedUntil
  }

  get isHeld(): boolean {
    // A process that was stopped goes on here before its timers run.
    if (this.#isHeld && steadyMs() >= this.#trustedUntil) this.#lapse()
    return this.#isHeld
  }

  onTrust(listener: (until: number) => void): () => void {
    this.#onTrust.add(listener)
    return () => this.#onTrust.delete(listener)
  }

  onLapse(listener: () => void): () => void {
    this.#onLapse.add(listener)
    return () => this.#onLapse.delete(listener)
  }

  /** Declares earlier starts with the same data directory dead, so that their sessions can be claimed. Renews the lease from now on. */
  async register(): Promise<void> {
    const { machineId, name } = this.#hub
    const sentAt = steadyMs()
    const started = [this.#hubId, machineId, name, VERSION, Date.now(), this.#leaseMs]
    const { names } = this.disks
    const access = accessValues(this.#access)
    await this.#db.write(REGISTER, [...started, names, ...access, this.#registered])
    this.#registered = this.#hubId
    this.#trust(sentAt)
    this.#renewing ??= setInterval(() => void this.#renewInTime(), renewMs(this.#leaseMs)).unref()
  }

  async announce(access: PeerAccess): Promise<void> {
    this.#access = access
    await this.#db.write(ANNOUNCE, [this.#hubId, ...accessValues(access)])
  }

  /** Extends the lease. A hub that was declared dead, or that has let its lease lapse, registers again. */
  async renew(): Promise<void> {
    if (this.#renewing === undefined) return
    if (this.isHeld) {
      const sentAt = steadyMs()
      const renewed = await this.#db.write(RENEW, [this.#hubId, this.#leaseMs])
      if (this.#renewing === undefined) return
      if (renewed.length === 0) this.#lapse()
      else if (this.isHeld) return this.#trust(sentAt)
    }
    this.#hubId = uuidv7()
    await this.register()
  }

  /** No renewal follows. */
  stop(): void {
    clearInterval(this.#renewing)
    clearTimeout(this.#lapsing)
    this.#renewing = undefined
  }

  /** While the database does not answer, the lease may lapse. The next renewal registers again. */
  async #renewInTime(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    await this.renew().catch(() => undefined)
    this.#isRenewing = false
  }

  /** The answer may have taken long, so the time counts from before the question. */
  #trust(sentAt: number): void {
    this.#trustedUntil = sentAt + this.#leaseMs * TRUSTED_SHARE
    this.#isHeld = true
    this.#lapseLater()
    for (const listener of this.#onTrust) listener(this.#trustedUntil)
  }

  #lapseLater(): void {
    clearTimeout(this.#lapsing)
    const leftMs = Math.max(this.#trustedUntil - steadyMs(), 0)
    this.#lapsing = setTimeout(() => {
      if (this.isHeld) this.#lapseLater()
    }, leftMs).unref()
  }

  #lapse(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    clearTimeout(this.#lapsing)
    for (const listener of this.#onLapse) listener()
  }
}

function accessValues(access: PeerAccess | undefined): (string | null)[] {
  return [access?.address ?? null, access?.token ?? null, access?.certificate ?? null]
}
