// Who may use the hub, as the database keeps it: tokens of programs and cookies of browsers, by the hashes of their secrets.
// Whoever serves something that stays open asks to be told when its credential is revoked.
import { createHash, randomBytes } from 'node:crypto'
import type { Scope, Token } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../../errors.js'
import type { Log } from '../../log.js'
import type { Database } from '../../store/database.js'

type Kind = Token['kind']
type Row = {
  readonly id: string
  readonly kind: Kind
  readonly name: string
  readonly scope: Scope
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
}
type NewCredential = Pick<Row, 'kind' | 'name' | 'scope' | 'expiresAt'>

/** Not every request is written down. */
const USE_RECORDED_MS = 60_000
const COLUMNS = 'id, kind, name, scope, createdAt, lastUsedAt, expiresAt'

export class Credentials {
  readonly #log: Log
  readonly #insert
  readonly #find
  readonly #list
  readonly #recordUse
  readonly #remove
  readonly #onRevoked = new Map<string, Set<() => void>>()

  constructor(db: Database, log: Log) {
    this.#log = log
    this.#insert = db.prepare(
      `INSERT INTO Credential (id, kind, name, hash, scope, createdAt, expiresAt)
       VALUES (:id, :kind, :name, :hash, :scope, :createdAt, :expiresAt)`,
    )
    const isValid = '(expiresAt IS NULL OR expiresAt > :now)'
    this.#find = db.prepare(
      `SELECT ${COLUMNS} FROM Credential WHERE hash = :hash AND kind = :kind AND ${isValid}`,
    )
    this.#list = db.prepare(
      `SELECT ${COLUMNS} FROM Credential WHERE ${isValid} ORDER BY createdAt, id`,
    )
    this.#recordUse = db.prepare('UPDATE Credential SET lastUsedAt = :now WHERE id = :id')
    this.#remove = db.prepare('DELETE FROM Credential WHERE id = ?')
  }

  /** The secret is in nobody's hands but the caller's. */
  create(wish: NewCredential): { readonly credential: Token; readonly secret: string } {
    const secret = randomBytes(32).toString('base64url')
    const row = { ...wish, id: uuidv7(), createdAt: Date.now() }
    try {
      this.#insert.run({ ...row, hash: hashOf(secret) })
    } catch (cause) {
      throw new HubError('storage_failed', {}, { cause })
    }
    return { credential: toToken({ ...row, lastUsedAt: null }), secret }
  }

  find(secret: string, kind: Kind): Row | undefined {
    const now = Date.now()
    const row = this.#find.get({ hash: hashOf(secret), kind, now }) as Row | undefined
    if (row && now - (row.lastUsedAt ?? 0) >= USE_RECORDED_MS) this.#noteUse(row.id, now)
    return row
  }

  list(): Token[] {
    return (this.#list.all({ now: Date.now() }) as Row[]).map(toToken)
  }

  /** From now on it opens nothing, and what it has open is closed. */
  revoke(id: string): void {
    let isThere: boolean
    try {
      isThere = this.#remove.run(id).changes > 0
    } catch (cause) {
      throw new HubError('storage_failed', {}, { cause })
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

  /** A full disk must not lock people out. */
  #noteUse(id: string, now: number): void {
    try {
      this.#recordUse.run({ id, now })
    } catch (error) {
      this.#log.warn({ err: error }, 'the use of a credential could not be recorded')
    }
  }
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function toToken({ createdAt, lastUsedAt, expiresAt, ...row }: Row): Token {
  const iso = (at: number | null): string | null =>
    at === null ? null : new Date(at).toISOString()
  return {
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
  }
}
