// Port: tokens and cookies by the hashes of their secrets, each with the push subscription of its device.
import type { Scope, Token } from '@quayside/protocol'
import type { MaybePromise } from './maybe-promise.js'

/** Times are milliseconds since 1970. */
export type CredentialRow = {
  readonly id: string
  readonly kind: Token['kind']
  readonly name: string
  readonly scope: Scope
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
}

export type NewCredentialRow = Omit<CredentialRow, 'lastUsedAt'> & { readonly hash: string }
export type PushRow = {
  readonly credentialId: string
  /** JSON */
  readonly subscription: string
}

export type CredentialStore = {
  insert(row: NewCredentialRow): MaybePromise<void>
  /** Not when it has expired. */
  find(hash: string, kind: Token['kind'], now: number): MaybePromise<CredentialRow | undefined>
  list(now: number): MaybePromise<readonly CredentialRow[]>
  /** Those of the given ids that there still are. */
  existing(ids: readonly string[]): MaybePromise<readonly string[]>
  recordUse(id: string, now: number): MaybePromise<void>
  /** False when there is none. */
  remove(id: string): MaybePromise<boolean>

  /** Takes the endpoint away from any other credential. */
  setPush(
    credentialId: string,
    push: { readonly endpoint: string; readonly json: string },
  ): MaybePromise<void>
  removePush(credentialId: string): MaybePromise<void>
  findPush(credentialId: string): MaybePromise<PushRow | undefined>
  /** Of credentials that have not expired. */
  listPush(now: number): MaybePromise<readonly PushRow[]>
}
