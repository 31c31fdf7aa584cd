// The sessions that this hub may write. A session has one owner at a time, and each change of the owner raises its epoch:
// the statement that appends compares both, so that a hub that lost a session stores nothing of it.
// A hub renews a lease, by the clock of the database. When the lease has run out, a hub that wants one of its sessions declares it dead.
// A hub that was declared dead registers again under a new id.
import { v7 as uuidv7 } from 'uuid'
import { VERSION } from '../../version.js'
import type { PeerAccess } from '../cluster-store.js'
import type { Connections } from './connections.js'

export type HubIdentity = {
  /** The id of the data directory, which only one hub at a time has open. */
  readonly machineId: string
  readonly name: string
  /** Disks with a name that other hubs may have too. */
  readonly volumes?: readonly string[]
}

/** Another hub owns the session, or its log has events that this hub does not know. Nothing was stored. */
export class NotOwnedError extends Error {
  override name = 'NotOwnedError'
}

const LEASE_MS = 15_000
const RENEW_MS = 3_000
const LEASE = `clock_timestamp() + interval '${LEASE_MS} ms'`

const REGISTER = {
  name: 'hub_register',
  text: `WITH earlier AS (UPDATE "Hub" SET "dead" = true WHERE "machineId" = $2 AND NOT "dead")
    INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil", "volumes", "address", "token", "certificate")
    VALUES ($1, $2, $3, $4, $5, ${LEASE}, $6::text[], $7, $8, $9)`,
}
/** RENEW and DECLARE_DEAD lock the same row, so that only the first of the two has an effect. */
const RENEW = {
  name: 'hub_renew',
  text: `UPDATE "Hub" SET "leaseUntil" = ${LEASE}, "seenAt" = clock_timestamp() WHERE "id" = $1 AND NOT "dead" RETURNING "id"`,
}
const ANNOUNCE = {
  name: 'hub_announce',
  text: 'UPDATE "Hub" SET "address" = $2, "token" = $3, "certificate" = $4 WHERE "id" = $1',
}
const DECLARE_DEAD = {
  name: 'hub_declare_dead',
  text: `UPDATE "Hub" SET "dead" = true WHERE NOT "dead" AND "leaseUntil" < clock_timestamp() AND "id" <> $1`,
}
const CLAIM = {
  name: 'session_claim',
  text: `UPDATE "AgentSession" AS s SET "owner" = $1, "epoch" = "epoch" + 1
    WHERE "id" = ANY ($2::text[]) AND NOT EXISTS (
      SELECT 1 FROM "Hub" AS h WHERE h."id" = s."owner" AND h."id" <> $1 AND NOT h."dead"
    ) RETURNING "id", "epoch"`,
}
const LEAVE = {
  name: 'hub_leave',
  text: `WITH freed AS (UPDATE "AgentSession" SET "owner" = NULL WHERE "owner" = $1)
    UPDATE "Hub" SET "dead" = true, "seenAt" = clock_timestamp() WHERE "id" = $1`,
}

/** A condition: the repository of the session is on one of the disks in this parameter. */
export function onDisks(parameter: string): string {
  return `"repoId" IN (SELECT r."id" FROM "Repo" AS r WHERE r."volume" = ANY (${parameter}::text[]))`
}

export class Ownership {
  readonly #db: Connections
  readonly #hub: HubIdentity
  #hubId = uuidv7()
  #renewing: NodeJS.Timeout | undefined
  #access: PeerAccess | undefined
  readonly #epochs = new Map<string, number>()

  constructor(db: Connections, hub: HubIdentity) {
    this.#db = db
    this.#hub = hub
  }

  /** New for every start, and after the hub was declared dead. */
  get hubId(): string {
    return this.#hubId
  }

  get hub(): HubIdentity {
    return this.#hub
  }

  /** The disk of this machine, and those that other hubs may have too. */
  get volumes(): readonly string[] {
    return [this.#hub.machineId, ...(this.#hub.volumes ?? [])]
  }

  /** Declares earlier starts with the same data directory dead, so that their sessions can be claimed. */
  async register(): Promise<void> {
    const { machineId, name } = this.#hub
    const started = [this.#hubId, machineId, name, VERSION, Date.now()]
    await this.#db.write(REGISTER, [...started, this.volumes, ...accessValues(this.#access)])
    this.#renewing ??= setInterval(() => {
      // While the database does not answer, the lease may run out. The next renewal finds out.
      void this.renew().catch(() => undefined)
    }, RENEW_MS).unref()
  }

  async announce(access: PeerAccess): Promise<void> {
    this.#access = access
    await this.#db.write(ANNOUNCE, [this.#hubId, ...accessValues(access)])
  }

  /** Extends the lease. A hub that was declared dead owns no session any more, and registers again. */
  async renew(): Promise<void> {
    const hubId = this.#hubId
    const renewed = await this.#db.write(RENEW, [hubId])
    if (renewed.length > 0 || hubId !== this.#hubId || this.#renewing === undefined) return
    this.#epochs.clear()
    this.#hubId = uuidv7()
    await this.register()
  }

  /** Claims the sessions that this hub does not own yet, except those of another hub that is alive. */
  async claim(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#epochs.has(id))
    if (missing.length === 0) return
    await this.#db.write(DECLARE_DEAD, [this.#hubId])
    const rows = await this.#db.write<{ id: string; epoch: number }>(CLAIM, [this.#hubId, missing])
    for (const { id, epoch } of rows) this.#epochs.set(id, epoch)
  }

  /** A session that begins has the first epoch. */
  begin(id: string): void {
    this.#epochs.set(id, 1)
  }

  forget(id: string): void {
    this.#epochs.delete(id)
  }

  owns(id: string): boolean {
    return this.#epochs.has(id)
  }

  /** 0, which no session has, when this hub does not own the session. */
  epochOf(id: string): number {
    return this.#epochs.get(id) ?? 0
  }

  async leave(): Promise<void> {
    clearInterval(this.#renewing)
    this.#renewing = undefined
    await this.#db.write(LEAVE, [this.#hubId])
  }
}

function accessValues(access: PeerAccess | undefined): (string | null)[] {
  return [access?.address ?? null, access?.token ?? null, access?.certificate ?? null]
}
