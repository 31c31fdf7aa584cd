// Credentials: tokens of programs and cookies of browsers, stored as hashes of their secrets.
// `onRevoked` closes connections whose credential is revoked, also by another hub of the database.
import { createHash, randomBytes } from 'node:crypto'
import type { Token } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { CredentialRow, CredentialStore } from '../../store/credential-store.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { Store } from '../../store/store.js'
import { storageFailed } from '../../store/storage-error.js'

type NewCredential = Pick<CredentialRow, 'kind' | 'name' | 'scope' | 'expiresAt'>

/** Not every request is written down. */
const USE_RECORDED_MS = 60_000
/** Connections at another hub than the one that revokes their credential are closed within this time. */
const LOOK_MS = 2_000

export class Credentials {
  readonly #log: Log
  readonly #store: CredentialStore
  readonly #onRevoked = new Map<string, Set<() => void>>()
  readonly #isShared: boolean
  #look: NodeJS.Timeout | undefined

  constructor({ credentials, shared }: Pick<Store, 'credentials' | 'shared'>, log: Log) {
    this.#store = credentials
    this.#isShared = shared !== undefined
    this.#log = log
  }

  close(): void {
    clearTimeout(this.#look)
    this.#onRevoked.clear()
  }

  /** A name that is in use gets a number, because events identify a sign-in by its name. The caller alone has the secret. */
  async create(
    input: NewCredential,
  ): Promise<{ readonly credential: Token; readonly secret: string }> {
    const secret = randomBytes(32).toString('base64url')
    const name = await this.#freeName(input.name)
    const row = { ...input, name, id: uuidv7(), createdAt: Date.now() }
    try {
      await this.#store.insert({ ...row, hash: hashOf(secret) })
    } catch (cause) {
      throw storageFailed(cause)
    }
    return { credential: toToken({ ...row, lastUsedAt: null }), secret }
  }

  find(secret: string, kind: Token['kind']): MaybePromise<CredentialRow | undefined> {
    const now = Date.now()
    return whenReady(this.#store.find(hashOf(secret), kind, now), (row) => {
      if (row && now - (row.lastUsedAt ?? 0) >= USE_RECORDED_MS) void this.#noteUse(row.id, now)
      return row
    })
  }

  async list(): Promise<Token[]> {
    return (await this.#store.list(Date.now())).map(toToken)
  }

  /** From now on it opens nothing, and what it has open is closed. */
  async revoke(id: string): Promise<void> {
    let isThere: boolean
    try {
      isThere = await this.#store.remove(id)
    } catch (cause) {
      throw storageFailed(cause)
    }
    if (!isThere) throw new HubError('token_not_found', { id })
    this.#endAll(id)
  }

  #endAll(id: string): void {
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
    if (this.#isShared) this.#lookLater()
    return () => {
      listeners.delete(end)
      if (listeners.size === 0) this.#onRevoked.delete(id)
    }
  }

  #lookLater(): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined
      // Without an answer the next look finds out.
      void this.#endRevoked().catch(() => undefined)
      if (this.#onRevoked.size > 0) this.#lookLater()
    }, LOOK_MS).unref()
  }

  /** Those that another hub has revoked. */
  async #endRevoked(): Promise<void> {
    const ids = [...this.#onRevoked.keys()]
    if (ids.length === 0) return
    const existing = new Set(await this.#store.existing(ids))
    for (const id of ids) if (!existing.has(id)) this.#endAll(id)
  }

  async #freeName(wanted: string): Promise<string> {
    const used = new Set((await this.list()).map(({ name }) => name))
    let name = wanted
    for (let number = 2; used.has(name); number += 1) name = `${wanted} ${number}`
    return name
  }

  /** A full disk must not lock people out. */
  async #noteUse(id: string, now: number): Promise<void> {
    try {
      await this.#store.recordUse(id, now)
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
