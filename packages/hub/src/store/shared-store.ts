// Port: the state that several hubs on one database share, besides sessions and credentials. SQLite, which serves one hub, has no such state.
import type { Scope } from '@quayside/protocol'
import type { MaybePromise } from './maybe-promise.js'

/** The name of the key pair for push services, a JSON Web Key. */
export const PUSH_KEY = 'pushKey'

export type SharedStore = {
  /** Names the database: the same for all of its hubs. */
  readonly clusterId: string
  /** Stores the value unless there is one, and returns the one that is stored. */
  keep(name: string, value: string): Promise<string>
  readonly loginCodes: LoginCodeStore
  readonly visiblePages: VisiblePageStore
}

export type NewLoginCode = {
  readonly id: string
  /** SHA-256 of the code. */
  readonly hash: string
  readonly name: string | undefined
  readonly scope: Scope
  /** Read by a database whose clock is not the hub's. */
  readonly ttlMs: number
  /** By the hub's clock. */
  readonly expiresAt: number
}

export type StoredLoginCode = Pick<NewLoginCode, 'id' | 'name' | 'scope'> & {
  readonly expiresAt: number
  readonly isUsed: boolean
}

/** Codes that have expired are not found. */
export type LoginCodeStore = {
  insert(code: NewLoginCode): MaybePromise<void>
  /** Uses the code up: of several callers one gets it. */
  use(hash: string): MaybePromise<StoredLoginCode | undefined>
  find(id: string): MaybePromise<StoredLoginCode | undefined>
  remove(id: string): MaybePromise<void>
}

export type VisiblePageStore = {
  /** These credentials, and no others, have visible pages at this hub, for `ms` from now. */
  replace(hub: string, credentialIds: readonly string[], ms: number): Promise<void>
  /** The credentials with a visible page at any hub. */
  list(): Promise<readonly string[]>
}
