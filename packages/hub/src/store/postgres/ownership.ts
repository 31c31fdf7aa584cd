// The sessions that this hub may write. A session has one owner at a time, and each change of the owner raises its epoch:
// the statement that appends compares both, so that a hub that lost a session stores nothing of it.
// When the lease of a hub has run out, another one that wants one of its sessions declares it dead.
import { HubError } from '../../errors.js'
import type { LostSession } from '../cluster-store.js'
import type { Connections } from './connections.js'
import { type HubIdentity, Lease } from './lease.js'

/** A condition: the repository of the session is on one of the disks in the first parameter, and no hub of another machine had it last. */
export function ofMachine(volumes: string, machineId: string): string {
  return `${onDisks(volumes)} AND NOT EXISTS (
    SELECT 1 FROM "Hub" AS last WHERE last."id" = "owner" AND last."machineId" <> ${machineId})`
}

function onDisks(parameter: string): string {
  return `"repoId" IN (SELECT r."id" FROM "Repo" AS r WHERE r."volume" = ANY (${parameter}::text[]))`
}

const VOLUME = '(SELECT r."volume" FROM "Repo" AS r WHERE r."id" = "repoId")'
/** A work tree of its own is in the data directory of the hub that had the session last. */
const IS_SHARED = `"workspace" IS NULL OR "workspace" NOT LIKE '%"kind":"worktree"%'`
/** The disk that the session works on. */
export const DISK = `CASE WHEN ${IS_SHARED} THEN ${VOLUME} ELSE coalesce(
  (SELECT last."machineId" FROM "Hub" AS last WHERE last."id" = "owner"), ${VOLUME}) END`

const DECLARE_DEAD = {
  name: 'hub_declare_dead',
  text: `UPDATE "Hub" SET "dead" = true WHERE NOT "dead" AND "leaseUntil" < clock_timestamp() AND "id" <> $1`,
}
/**
 * A hub that starts again declares its earlier start dead at once; its agents may still run until the lease of that one is over. An active
 * session is only claimed by its end: an edit would leave it active without an agent, for no other hub takes it over then.
 */
const CLAIM = {
  name: 'session_claim',
  text: `UPDATE "AgentSession" AS s SET "owner" = $1, "epoch" = "epoch" + 1
    WHERE "id" = ANY ($2::text[]) AND NOT EXISTS (
      SELECT 1 FROM "Hub" AS h WHERE h."id" = s."owner" AND h."id" <> $1
        AND (NOT h."dead" OR (h."machineId" <> $3 AND h."leaseUntil" > clock_timestamp())
          OR (s."status" = 'active' AND s."id" <> ALL ($4::text[])))
    ) RETURNING "id", "epoch"`,
}
/** Its agents have ended. The sessions keep their owner, so that its machine is known. */
const LEAVE = {
  name: 'hub_leave',
  text: `UPDATE "Hub" SET "dead" = true, "leaseUntil" = clock_timestamp(), "seenAt" = clock_timestamp() WHERE "id" = $1`,
}
const RELEASE = {
  name: 'session_release',
  text: 'UPDATE "AgentSession" SET "owner" = NULL WHERE "id" = $1 AND "owner" = $2 AND "epoch" = $3',
}
const TAKEN = {
  name: 'session_taken',
  text: `SELECT 1 FROM "AgentSession" AS s JOIN "Hub" AS h ON h."id" = s."owner" WHERE s."id" = $1 AND h."machineId" <> $2`,
}
/** The active sessions of dead hubs of other machines that have not come back, on disks that this hub has too. */
const LOST = {
  name: 'session_lost',
  text: `SELECT "AgentSession"."id", h."name" AS "hubName" FROM "AgentSession" JOIN "Hub" AS h ON h."id" = "owner"
    WHERE "status" = 'active' AND h."dead" AND h."machineId" <> $1 AND h."leaseUntil" < clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM "Hub" AS back WHERE back."machineId" = h."machineId" AND NOT back."dead")
      AND (${IS_SHARED}) AND ${onDisks('$2')} ORDER BY "updatedAt" DESC LIMIT 100`,
}
const LAPSED =
  'The hub was cut off from its database or paused for too long. It starts over by itself; try again in a moment.'

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
    return this.lease.disks.names
  }

  /** Throws `database_unavailable` when the lease of this id has lapsed. */
  requireLease(hubId: string): void {
    if (!this.lease.isHeld || hubId !== this.hubId)
      throw new HubError('database_unavailable', { message: LAPSED })
  }

  /** Claims the sessions that this hub does not own yet, except those of another hub that is alive. `ended`: those that are to end. */
  async claim(ids: readonly string[], ended: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#epochs.has(id))
    if (missing.length === 0) return
    const { hubId } = this
    await this.#db.write(DECLARE_DEAD, [hubId])
    const values = [hubId, missing, this.#hub.machineId, ended]
    const rows = await this.#db.write<{ id: string; epoch: number }>(CLAIM, values)
    // A hub that has registered again meanwhile owns nothing of it.
    if (hubId === this.hubId && this.lease.isHeld)
      for (const { id, epoch } of rows) this.#epochs.set(id, epoch)
  }

  /** Another hub had the session last, or has it. */
  async isTaken(id: string): Promise<boolean> {
    return (await this.#db.readOne(TAKEN, [id, this.#hub.machineId])) !== undefined
  }

  /** Declares hubs whose lease is over dead, and returns the sessions that this hub can take over. */
  async lostSessions(): Promise<LostSession[]> {
    const { shared } = this.lease.disks
    if (shared.length === 0) return []
    await this.#db.write(DECLARE_DEAD, [this.hubId])
    return this.#db.read(LOST, [this.#hub.machineId, shared])
  }

  /** Any hub with the disk of the session may have it from now on. */
  async release(id: string): Promise<void> {
    const epoch = this.epochOf(id)
    this.forget(id)
    await this.#db.write(RELEASE, [id, this.hubId, epoch])
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
