// Identifies callers: one-time codes become cookies, bearer tokens are compared by hash. Secrets are never stored.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type CreatedToken, findOfferedToken, type Scope, SCOPES } from '@quayside/protocol'
import { z } from 'zod'
import { CALLER_HEADER } from '../../cluster/peers.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { type Credentials, hashOf } from './credentials.js'
import { deviceName } from './device-name.js'
import type { LoginCodes } from './login-codes.js'
import type { Caller } from './principal.js'
import type { SecureHosts } from './secure-hosts.js'

/** `via` tells apart cookies, which browsers also send for other sites, and bearer tokens. */
export type IdentifiedCaller = Caller & { readonly via: 'cookie' | 'bearer' }

const COOKIE_LIFETIME_MS = 90 * 24 * 60 * 60_000
/** Makes a leaked token recognisable. */
const TOKEN_PREFIX = 'quayside_'

export type SignInOptions = {
  readonly secureHosts: SecureHosts
  readonly codes: LoginCodes
  /** The token that other hubs of the database show. */
  readonly peerToken?: string | undefined
}

const peerCallerSchema = z.object({
  by: z.string(),
  scope: z.enum(SCOPES),
  credentialId: z.string().optional(),
})

export class SignIn {
  readonly codes: LoginCodes
  readonly secureHosts: SecureHosts
  readonly #tokens: readonly { readonly name: string; readonly hash: Buffer }[]
  readonly #credentials: Credentials
  readonly #peerHash: Buffer | undefined
  #cookieName = 'quayside'

  /** `tokens` are bearer tokens that live as long as the hub, by name; they may do everything. */
  constructor(
    credentials: Credentials,
    tokens: Readonly<Record<string, string>>,
    { secureHosts, codes, peerToken }: SignInOptions,
  ) {
    this.#peerHash = peerToken === undefined ? undefined : digest(peerToken)
    this.codes = codes
    this.secureHosts = secureHosts
    this.#credentials = credentials
    this.#tokens = Object.entries(tokens).map(([name, token]) => ({ name, hash: digest(token) }))
  }

  /** Cookies are shared by all ports of a host, so the name carries that of the hub: its port, or the cluster that all of its hubs are. */
  nameCookie(hub: string): void {
    this.#cookieName = `quayside_${hub}`
  }

  /** Exchanges a code for the value of a Set-Cookie header. */
  async redeemCode(code: string, headers: IncomingHttpHeaders): Promise<string> {
    const device = deviceName(headers['user-agent']) ?? 'browser'
    const { name = device, scope } = await this.codes.redeem(code)
    const expiresAt = Date.now() + COOKIE_LIFETIME_MS
    const { secret } = await this.#credentials.create({ kind: 'cookie', name, scope, expiresAt })
    return this.#cookie(headers, secret, COOKIE_LIFETIME_MS / 1000)
  }

  async createToken({
    name,
    scope,
  }: {
    readonly name: string
    readonly scope: Scope
  }): Promise<CreatedToken> {
    const input = { kind: 'token', name, scope, expiresAt: null } as const
    const { credential, secret } = await this.#credentials.create(input)
    return { ...credential, token: `${TOKEN_PREFIX}${secret}` }
  }

  /** Forgets the cookie of this request and returns the Set-Cookie value that clears it. */
  async signOut(headers: IncomingHttpHeaders): Promise<string> {
    const secret = this.#readCookie(headers)
    const cookie = secret === undefined ? undefined : await this.#credentials.find(secret, 'cookie')
    if (cookie) await this.#credentials.revoke(cookie.id)
    return this.#cookie(headers, '', 0)
  }

  /** Returns at once when the store does. */
  authenticate(headers: IncomingHttpHeaders): MaybePromise<IdentifiedCaller | undefined> {
    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? offeredToken(headers)
    if (bearer !== undefined) return this.#findPeer(bearer, headers) ?? this.#findBearer(bearer)
    const secret = this.#readCookie(headers)
    return secret === undefined ? undefined : this.#findCredential(secret, 'cookie')
  }

  /** Another hub of the database, which names the caller it asks for. */
  #findPeer(bearer: string, headers: IncomingHttpHeaders): IdentifiedCaller | undefined {
    const named = headers[CALLER_HEADER]
    if (this.#peerHash === undefined || typeof named !== 'string') return undefined
    if (!timingSafeEqual(this.#peerHash, digest(bearer))) return undefined
    const caller = peerCallerSchema.safeParse(parseJson(named)).data
    return caller && { ...caller, via: 'bearer', isForwarded: true }
  }

  #findBearer(bearer: string): MaybePromise<IdentifiedCaller | undefined> {
    const hash = digest(bearer)
    const token = this.#tokens.find((candidate) => timingSafeEqual(candidate.hash, hash))
    if (token) return { by: token.name, via: 'bearer', scope: 'admin' }
    if (!bearer.startsWith(TOKEN_PREFIX)) return undefined
    return this.#findCredential(bearer.slice(TOKEN_PREFIX.length), 'token')
  }

  #findCredential(
    secret: string,
    kind: 'cookie' | 'token',
  ): MaybePromise<IdentifiedCaller | undefined> {
    return whenReady(this.#credentials.find(secret, kind), (found) => {
      if (found === undefined) return undefined
      const { id: credentialId, name: by, scope } = found
      return { by, scope, credentialId, via: kind === 'cookie' ? 'cookie' : 'bearer' }
    })
  }

  #readCookie(headers: IncomingHttpHeaders): string | undefined {
    const wanted = this.#nameFor(headers)
    for (const pair of (headers.cookie ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2)
      if (name === wanted && value) return value
    }
    return undefined
  }

  #cookie(headers: IncomingHttpHeaders, value: string, maxAgeSeconds: number): string {
    const secure = this.secureHosts.serves(headers) ? ' Secure;' : ''
    return `${this.#nameFor(headers)}=${value};${secure} HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`
  }

  /** Browsers accept the prefix only for a cookie that was set over TLS, by this very host. */
  #nameFor(headers: IncomingHttpHeaders): string {
    return this.secureHosts.serves(headers) ? `__Host-${this.#cookieName}` : this.#cookieName
  }
}

function parseJson(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Only an upgrade offers subprotocols. */
function offeredToken(headers: IncomingHttpHeaders): string | undefined {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined || headers.upgrade === undefined
    ? undefined
    : findOfferedToken(offered)
}

function digest(text: string): Buffer {
  return Buffer.from(hashOf(text), 'hex')
}
