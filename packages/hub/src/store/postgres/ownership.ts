// The sessions that this hub may write. A session has one owner at a time, and each change of the owner raises its epoch:
// the statement that appends compares both, so that a hub that lost a session stores nothing of it.
// When the lease of a hub has run out, another one that wants one of its sessions declares it dead.
import { HubError } from '../../errors.js'
import type { Connections } from './connections.js'
import { type HubIdentity, Lease } from './lease.js'

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
const LAPSED =
  'The hub was cut off from its database or paused for too long. It starts over by itself; try again in a moment.'

/** A condition: the repository of the session is on one of the disks in this parameter. */
export function onDisks(parameter: string): string {
  return `"repoId" IN (SELECT r."id" FROM "Repo" AS r WHERE r."volume" = ANY (${parameter}::text[]))`
}

export class Ownership {
  readonly lease: Lease
  readonly #db: Connections
  readonly #hub: HubIdentity
  readonly #epochs = new Map<string, number>()

  /** `leaseDb` has the connection of the lease alone. */
  constructor(db: Connections, hub: HubIdentity, leaseDb = db) {
    this.#db = db
    this.#hub = hub
    this.lease = new Lease(leaseDb, hub)
    this.lease.onLapse(() => this.#epochs.clear())
  }

  get hubId(): string {
    return this.lease.hubId
  }

  get hub(): HubIdentity {
    return this.#hub
  }

  /** The disk of this machine, and those that other hubs may have too. */
  get volumes(): readonly string[] {
    return [this.#hub.machineId, ...(this.#hub.volumes ?? [])]
  }

  /** Throws `database_unavailable` when the lease of this id has lapsed. */
  requireLease(hubId: string): void {
    if (!this.lease.isHeld || hubId !== this.hubId)
      throw new HubError('database_unavailable', { message: LAPSED })
  }

  /** Claims the sessions that this hub does not own yet, except those of another hub that is alive. */
  async claim(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#epochs.has(id))
    if (missing.length === 0) return
    const { hubId } = this
    await this.#db.write(DECLARE_DEAD, [hubId])
    const rows = await this.#db.write<{ id: string; epoch: number }>(CLAIM, [hubId, missing])
    // A hub that has registered again meanwhile owns nothing of it.
    if (hubId === this.hubId && this.lease.isHeld)
      for (const { id, epoch } of rows) this.#epochs.set(id, epoch)
  }

  /** A session that begins has the first epoch. */
  begin(id: string, hubId: string): void {
    if (hubId === this.hubId && this.lease.isHeld) this.#epochs.set(id, 1)
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
    this.lease.stop()
    await this.#db.write(LEAVE, [this.hubId])
  }
}
