// Port: the hubs that share one database, and which of them has a session. An engine of one hub has none of it.
import type { RepoRow } from './repo-store.js'

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
  /** It is being emptied, and takes no new work. */
  readonly isDraining: boolean
  /** It has told where to reach it, it has not ended, and its lease has not run out. */
  readonly isLiving: boolean
}

/** The start of a hub that owns a session, and the disk that the session works on. */
export type SessionOwner = { readonly owner: string | null; readonly volume: string }

export type OwnedSession = SessionOwner & { readonly repoId: string }

/** An active session whose hub is dead, with the name of that machine. */
export type LostSession = { readonly id: string; readonly hubName: string }

/** A repository and the disk that it is on. */
export type StoredRepo = RepoRow & { readonly volume: string }

/** A session has events up to this one. */
export type Hint = { readonly sessionId: string; readonly lastSeq: number }

/** This hub may run agents while it holds its lease. Times are those of `steadyMs`. */
export type HubLease = {
  /** False after it has lapsed, until the hub has registered again. */
  readonly isHeld: boolean
  readonly trustedUntil: number
  /** After each renewal, until the returned function is called. */
  onTrust(listener: (until: number) => void): () => void
  /** The hub owns no session any more, and another one may take them over soon. */
  onLapse(listener: () => void): () => void
}

export type ClusterStore = {
  readonly lease: HubLease
  /** Of the machine. */
  readonly machineId: string
  /** The name of the machine. */
  readonly name: string
  /** Of the current start of this hub: another one after it was declared dead. */
  readonly hubId: string
  /** This hub alone writes the session now. */
  owns(sessionId: string): boolean
  /** Undefined for an unknown session. */
  findOwner(sessionId: string): Promise<OwnedSession | undefined>
  /** Of dead hubs of other machines, on disks that this hub has too. Declares hubs whose lease is over dead. */
  lostSessions(): Promise<readonly LostSession[]>
  /** Gives a session up that has ended here: any hub with its disk may resume it. */
  release(sessionId: string): Promise<void>
  /** Reads the repositories that other hubs have added on shared volumes. */
  refreshRepos(): Promise<void>
  /** The same, unless the repository is known. */
  knowRepo(id: string): Promise<void>
  /** Their number by machine, without those of dead hubs. */
  activeSessions(): Promise<readonly (readonly [machineId: string, count: number])[]>
  /** The active sessions that a hub of this machine had last. */
  activeOf(machineId: string): Promise<readonly string[]>
  /** The hub of the machine sees it at its next look. */
  setDraining(machineId: string, isDraining: boolean): Promise<void>
  /** Forgets all starts of a machine. False when one of them lives. */
  removeHub(machineId: string): Promise<boolean>
  /** Tells the other hubs how to reach this one. */
  announce(access: PeerAccess): Promise<void>
  /** One for each machine. */
  hubs(): Promise<readonly HubRow[]>
  /** The last events of these sessions. One that was removed is left out. */
  lastSeqs(ids: readonly string[]): Promise<readonly Hint[]>
  /** The active sessions that this hub does not own. */
  activeElsewhere(): Promise<readonly Hint[]>
  /** The sessions that this hub does not own and that have changed lately. Reads all of them, so not to be asked often. */
  changedElsewhere(withinMs: number): Promise<readonly Hint[]>
  /** The disk of a repository that this hub has. */
  volumeOf(repoId: string): string | undefined
  /** A repository of any machine. */
  findRepo(id: string): Promise<StoredRepo | undefined>
  /** Those of the disks that this hub does not have, without missing ones, by path. */
  reposElsewhere(): Promise<readonly StoredRepo[]>
  /** For the other hubs. May be lost, so they also look by themselves. */
  sendHint(hint: Hint): void
  /** Hints of other hubs, until the returned function is called. */
  onHints(listener: (hints: readonly Hint[]) => void): () => void
}
