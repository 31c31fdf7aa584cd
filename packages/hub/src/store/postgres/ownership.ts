// The sessions that this hub may write. A session has one owner at a time, and each change of the owner raises its epoch:
// the statement that appends compares both, so that a hub that lost a session stores nothing of it.
// A hub has a lease, by the clock of the database. One whose lease has run out is declared dead by the hub that wants one of its
// sessions, in its row, and never comes back under the same id.
import { v7 as uuidv7 } from 'uuid'
import { VERSION } from '../../version.js'
import type { PeerAccess } from '../cluster-store.js'
import type { Connections } from './connections.js'

export type HubIdentity = {
  /** Of the data directory, which one hub at a time has open. */
  readonly machineId: string
  readonly name: string
  /** Disks with a name that other hubs may have too. */
  readonly volumes?: readonly string[]
}

/** A session that another hub owns, or whose log is not as this hub knows it. Nothing of it was stored. */
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
/** Meets a burial at the lock of the row: one of the two finds that it is too late. */
const RENEW = {
  name: 'hub_renew',
  text: `UPDATE "Hub" SET "leaseUntil" = ${LEASE}, "seenAt" = clock_timestamp() WHERE "id" = $1 AND NOT "dead" RETURNING "id"`,
}
const ANNOUNCE = {
  name: 'hub_announce',
  text: 'UPDATE "Hub" SET "address" = $2, "token" = $3, "certificate" = $4 WHERE "id" = $1',
}
const BURY = {
  name: 'hub_bury',
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

  /** Earlier starts with the same data directory are over, so that their sessions may be claimed. */
  async register(): Promise<void> {
    const { machineId, name } = this.#hub
    const started = [this.#hubId, machineId, name, VERSION, Date.now()]
    await this.#db.write(REGISTER, [...started, this.volumes, ...accessValues(this.#access)])
    this.#renewing ??= setInterval(() => {
      // Without a database the lease runs out; the next renewal finds out what became of it.
      void this.renew().catch(() => undefined)
    }, RENEW_MS).unref()
  }

  async announce(access: PeerAccess): Promise<void> {
    this.#access = access
    await this.#db.write(ANNOUNCE, [this.#hubId, ...accessValues(access)])
  }

  /** A hub that was declared dead owns nothing any more, and registers again. */
  async renew(): Promise<void> {
    const hubId = this.#hubId
    const renewed = await this.#db.write(RENEW, [hubId])
    if (renewed.length > 0 || hubId !== this.#hubId || this.#renewing === undefined) return
    this.#epochs.clear()
    this.#hubId = uuidv7()
    await this.register()
  }

  /** Claims those that this hub does not own yet. One that another living hub owns is left to it. */
  async claim(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#epochs.has(id))
    if (missing.length === 0) return
    await this.#db.write(BURY, [this.#hubId])
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

  /** No session has the epoch 0. */
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
