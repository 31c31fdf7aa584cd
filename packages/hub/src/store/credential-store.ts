// Port: tokens and cookies by the hashes of their secrets, each with the push subscription of its device.
// Synchronous: few rows, asked for by every request. An engine on another machine keeps them in memory.
import type { Scope, Token } from '@quayside/protocol'

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
  insert(row: NewCredentialRow): void
  /** Not when it has expired. */
  find(hash: string, kind: Token['kind'], now: number): CredentialRow | undefined
  list(now: number): readonly CredentialRow[]
  recordUse(id: string, now: number): void
  /** False when there is none. */
  remove(id: string): boolean

  /** Takes the endpoint away from any other credential. */
  setPush(credentialId: string, push: { readonly endpoint: string; readonly json: string }): void
  removePush(credentialId: string): void
  findPush(credentialId: string): PushRow | undefined
  /** Of credentials that have not expired. */
  listPush(now: number): readonly PushRow[]
}
