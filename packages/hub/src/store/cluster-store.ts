// Port: the hubs that share one database, and which of them has a session. An engine of one hub has none of it.

/** The way to a hub for the others. */
export type PeerAccess = {
  readonly address: string
  /** The other hubs show it; each start of the hub has a new one. */
  readonly token: string
  /** PEM, when the hub serves TLS by itself. */
  readonly certificate?: string | undefined
}

/** The latest start of the hub of one machine. Times are milliseconds since 1970. */
export type HubRow = {
  /** Of this start. */
  readonly id: string
  readonly machineId: string
  readonly name: string
  readonly version: string
  /** Undefined while it starts. */
  readonly access: PeerAccess | undefined
  /** The disks that it has: that of its machine, and those that other hubs may have too. */
  readonly volumes: readonly string[]
  readonly startedAt: number
  /** Its last sign of life, by the clock of the database. */
  readonly seenAt: number
  /** It has not ended, and its lease has not run out. */
  readonly isLiving: boolean
}

/** The start of a hub that owns a session, and the disk that the session's repository is on. */
export type SessionOwner = { readonly owner: string | null; readonly volume: string }

export type ClusterStore = {
  /** Of the machine. */
  readonly machineId: string
  /** The name of the machine. */
  readonly name: string
  /** Of the current start of this hub: another one after it was declared dead. */
  readonly hubId: string
  /** Tells the other hubs how to reach this one. */
  announce(access: PeerAccess): Promise<void>
  /** One for each machine. */
  hubs(): Promise<readonly HubRow[]>
}
