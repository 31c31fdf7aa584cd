// Credentials: tokens of programs and cookies of browsers, stored as hashes of their secrets.
// `onRevoked` closes connections whose credential is revoked.
import { createHash, randomBytes } from 'node:crypto'
import type { Token } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { CredentialRow, CredentialStore } from '../../store/credential-store.js'
import { storageFailed } from '../../store/storage-error.js'

type NewCredential = Pick<CredentialRow, 'kind' | 'name' | 'scope' | 'expiresAt'>

/** Not every request is written down. */
const USE_RECORDED_MS = 60_000

export class Credentials {
  readonly #log: Log
  readonly #store: CredentialStore
  readonly #onRevoked = new Map<string, Set<() => void>>()

  constructor(store: CredentialStore, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** A name that is in use gets a number, because events identify a sign-in by its name. The caller alone has the secret. */
  create(input: NewCredential): { readonly credential: Token; readonly secret: string } {
    const secret = randomBytes(32).toString('base64url')
    const name = this.#freeName(input.name)
    const row = { ...input, name, id: uuidv7(), createdAt: Date.now() }
    try {
      this.#store.insert({ ...row, hash: hashOf(secret) })
    } catch (cause) {
      throw storageFailed(cause)
    }
    return { credential: toToken({ ...row, lastUsedAt: null }), secret }
  }

  find(secret: string, kind: Token['kind']): CredentialRow | undefined {
    const now = Date.now()
    const row = this.#store.find(hashOf(secret), kind, now)
    if (row && now - (row.lastUsedAt ?? 0) >= USE_RECORDED_MS) this.#noteUse(row.id, now)
    return row
  }

  list(): Token[] {
    return this.#store.list(Date.now()).map(toToken)
  }

  /** From now on it opens nothing, and what it has open is closed. */
  revoke(id: string): void {
    let isThere: boolean
    try {
      isThere = this.#store.remove(id)
    } catch (cause) {
      throw storageFailed(cause)
    }
    if (!isThere) throw new HubError('token_not_found', { id })
    const listeners = this.#onRevoked.get(id) ?? []
    // After the answer to whoever revokes its own credential.
    setImmediate(() => {
      for (const end of listeners) end()
    })
  }

  /** Calls `end` once when the credential is revoked, until the returned function is called. */
  onRevoked(id: string, end: () => void): () => void {
    const listeners = this.#onRevoked.get(id) ?? new Set()
    this.#onRevoked.set(id, listeners.add(end))
    return () => {
      listeners.delete(end)
      if (listeners.size === 0) this.#onRevoked.delete(id)
    }
  }

  #freeName(wanted: string): string {
    const used = new Set(this.list().map(({ name }) => name))
    let name = wanted
    for (let number = 2; used.has(name); number += 1) name = `${wanted} ${number}`
    return name
  }

  /** A full disk must not lock people out. */
  #noteUse(id: string, now: number): void {
    try {
      this.#store.recordUse(id, now)
    } catch (error) {
      this.#log.warn({ err: error }, 'the use of a credential could not be recorded')
    }
  }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function toToken({ createdAt, lastUsedAt, expiresAt, ...row }: CredentialRow): Token {
  const iso = (at: number | null): string | null =>
    at === null ? null : new Date(at).toISOString()
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
  }
}
