// Port: the repositories that the hub knows, and the agent configuration that was trusted in each.
// Reads are synchronous: few rows, asked for by every command. An engine on another machine keeps them in memory.

import type { RepoSettings } from '@quayside/protocol'
import type { MaybePromise } from './maybe-promise.js'

export type RepoRow = {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly missing: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Absent when none is set. */
  readonly settings?: RepoSettings
}

export type FoundRepo = { readonly id: string; readonly name: string; readonly path: string }

/** Milliseconds since 1970. */
export type ScanTime = { readonly startedAt: number; readonly endedAt: number }

/** Folders of a repository may each have configuration of their own. */
export const MAX_TRUSTED_HASHES = 20

export type RepoStore = {
  find(id: string): RepoRow | undefined
  /** Without missing ones, by path. */
  list(): readonly RepoRow[]
  /** Returns the row's id: a repository that is known by its path keeps its own. */
  remember(repo: FoundRepo, now: number): MaybePromise<string>
  /** The result of a whole scan: the others become missing, except those that were remembered while it ran. */
  replaceAll(found: readonly FoundRepo[], scan: ScanTime): MaybePromise<void>
  /** Of the agent configuration that a person has trusted, the latest first. */
  trustedHashes(id: string): readonly string[]
  /** Older ones beyond a limit are forgotten. */
  addTrustedHash(id: string, hash: string): MaybePromise<void>
  /** Replaces all of them. */
  setSettings(id: string, settings: RepoSettings): MaybePromise<void>
}
