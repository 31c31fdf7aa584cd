// Who may talk to the hub: one-time codes become cookies, bearer tokens are compared by hash. Secrets are never stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { v7 as uuidv7 } from 'uuid'
import { HubError } from '../errors.js'
import type { Database } from '../store/database.js'

export type Principal = {
  readonly name: string
  readonly via: 'cookie' | 'bearer'
}

const CODE_LIFETIME_MS = 10 * 60_000
const COOKIE_LIFETIME_MS = 90 * 24 * 60 * 60_000
const MAX_OPEN_CODES = 100

export class SignIn {
  readonly #codes = new Map<string, number>()
  readonly #tokens: readonly { readonly name: string; readonly hash: Buffer }[]
  readonly #insert
  readonly #find
  readonly #remove
  #cookieName = 'quayside'

  /** `tokens` are bearer tokens that live as long as the hub, by name. */
  constructor(db: Database, tokens: Readonly<Record<string, string>>) {
    this.#tokens = Object.entries(tokens).map(([name, token]) => ({ name, hash: sha256(token) }))
    this.#insert = db.prepare(
      `INSERT INTO Credential (id, kind, name, hash, scope, createdAt, expiresAt)
       VALUES (:id, 'cookie', :name, :hash, 'admin', :now, :expiresAt)`,
    )
    this.#find = db.prepare(
      'SELECT name FROM Credential WHERE hash = ? AND (expiresAt IS NULL OR expiresAt > ?)',
    )
    this.#remove = db.prepare('DELETE FROM Credential WHERE hash = ?')
  }

  /** Cookies are shared by all ports of a host, so the name carries ours. */
  usePort(port: number): void {
    this.#cookieName = `quayside_${port}`
  }

  /** A code for the address that is printed: good once, for ten minutes. */
  mintCode(): string {
    const now = Date.now()
    for (const [code, expiresAt] of this.#codes)
      if (expiresAt < now || this.#codes.size >= MAX_OPEN_CODES) this.#codes.delete(code)
    const code = randomBytes(16).toString('base64url')
    this.#codes.set(code, now + CODE_LIFETIME_MS)
    return code
  }

  /** Exchanges a code for the value of a Set-Cookie header. */
  redeemCode(code: string, name: string): string {
    const expiresAt = this.#codes.get(code)
    this.#codes.delete(code)
    if (expiresAt === undefined || expiresAt < Date.now())
      throw new HubError('unauthorized', {
        message: 'This sign-in code was used or has expired. Get a new one with `quayside pair`.',
      })
    const secret = randomBytes(32).toString('base64url')
    const now = Date.now()
    const hash = sha256(secret).toString('hex')
    this.#insert.run({ id: uuidv7(), name, hash, now, expiresAt: now + COOKIE_LIFETIME_MS })
    return this.#cookie(secret, COOKIE_LIFETIME_MS / 1000)
  }

  /** Forgets the cookie of this request and returns the Set-Cookie value that clears it. */
  signOut(headers: IncomingHttpHeaders): string {
    const secret = this.#readCookie(headers)
    if (secret !== undefined) this.#remove.run(sha256(secret).toString('hex'))
    return this.#cookie('', 0)
  }

  authenticate(headers: IncomingHttpHeaders): Principal | undefined {
    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (bearer !== undefined) return this.#findBearer(bearer)
    const secret = this.#readCookie(headers)
    const name = secret === undefined ? undefined : this.#findCredential(secret)
    return name === undefined ? undefined : { name, via: 'cookie' }
  }

  #findBearer(bearer: string): Principal | undefined {
    const hash = sha256(bearer)
    const token = this.#tokens.find((candidate) => timingSafeEqual(candidate.hash, hash))
    return token && { name: token.name, via: 'bearer' }
  }

  #findCredential(secret: string): string | undefined {
    const row = this.#find.get(sha256(secret).toString('hex'), Date.now())
    return (row as { name: string } | undefined)?.name
  }

  #readCookie(headers: IncomingHttpHeaders): string | undefined {
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2)
      if (name === this.#cookieName && value) return value
    }
    return undefined
  }

  #cookie(value: string, maxAgeSeconds: number): string {
    return `${this.#cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
