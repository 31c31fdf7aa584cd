// The three gates before every route and upgrade: Host, credentials, Origin. Each stops attacks the others let through.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { HubError } from '../../errors.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import { hostName } from './secure-hosts.js'
import type { IdentifiedCaller, SignIn } from './sign-in.js'
import { Strangers } from './strangers.js'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export class Gates {
  readonly strangers = new Strangers()
  readonly #hosts: ReadonlySet<string>
  readonly #signIn: SignIn
  readonly #origins: ReadonlySet<string>

  /**
   * `names` are those that the hub is known by, besides the loopback ones and the address that a connection came to.
   * `origins` are those of other pages that may use the hub with a token.
   */
  constructor(names: readonly string[], signIn: SignIn, origins: readonly string[] = []) {
    this.#hosts = new Set([...LOOPBACK_NAMES, ...names.map((name) => name.toLowerCase())])
    this.#signIn = signIn
    this.#origins = new Set(origins)
  }

  /** Against DNS rebinding: a page may make its own name point here, but it cannot change the Host it sends. */
  requireHost(request: IncomingMessage): void {
    const names = request.headersDistinct['host'] ?? []
    const name = names.length === 1 ? hostName(names[0]) : undefined
    const isOurs = name !== undefined && (this.#isNamed(name) || isOwnAddress(name, request))
    if (!isOurs || !request.url?.startsWith('/')) throw new HubError('host_not_allowed')
  }

  #isNamed(name: string): boolean {
    return this.#hosts.has(name) || this.#signIn.secureHosts.has(name)
  }

  requireCaller(request: IncomingMessage): MaybePromise<IdentifiedCaller> {
    return whenReady(this.#signIn.authenticate(request.headers), (caller) =>
      this.#requireAllowed(request, caller),
    )
  }

  #requireAllowed(
    request: IncomingMessage,
    caller: IdentifiedCaller | undefined,
  ): IdentifiedCaller {
    const isListed = this.findListedOrigin(request) !== undefined
    // A page on another port of this machine is of the same site, so that browsers send it our cookie.
    if (caller === undefined || (isListed && caller.via === 'cookie'))
      throw new HubError('unauthorized')
    if (!isListed) this.#requireOrigin(request, caller)
    this.strangers.admit(request.socket)
    return caller
  }

  /** The origin of the request if it is another page's that may use the hub with a token. */
  findListedOrigin({ headers }: IncomingMessage): string | undefined {
    const { origin } = headers
    if (origin === undefined || this.#isOwnOrigin(headers)) return undefined
    return this.#origins.has(origin) ? origin : undefined
  }

  /** Against other sites and other ports of this machine, whose requests carry our cookie along. */
  #requireOrigin(request: IncomingMessage, { via }: IdentifiedCaller): void {
    const { origin, upgrade } = request.headers
    this.requireOwnOriginIfAny(request)
    if (origin !== undefined || via === 'bearer') return
    const site = request.headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new HubError('origin_not_allowed')
    const changesSomething = upgrade !== undefined || !SAFE_METHODS.has(request.method ?? '')
    if (changesSomething) throw new HubError('origin_not_allowed')
  }

  /** Alone for the sign-in itself, where there are no credentials yet. */
  requireOwnOriginIfAny({ headers }: IncomingMessage): void {
    if (headers.origin !== undefined && !this.#isOwnOrigin(headers))
      throw new HubError('origin_not_allowed')
  }

  /** A name that is served with TLS has one scheme: whoever controls the network could send a page over the other. */
  #isOwnOrigin(headers: IncomingHttpHeaders): boolean {
    const { origin, host } = headers
    if (origin === `https://${host}`) return true
    return origin === `http://${host}` && !this.#signIn.secureHosts.serves(headers)
  }
}

/** Unlike a host name, an IP address cannot be rebound. */
function isOwnAddress(name: string, { socket }: IncomingMessage): boolean {
  const address = socket.localAddress?.replace(/^::ffff:/, '')
  return address !== undefined && name === (address.includes(':') ? `[${address}]` : address)
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS =
  'Authorization, Content-Type, Last-Event-ID, Acp-Connection-Id, Acp-Session-Id'
const RESPONSE_HEADERS = 'Acp-Connection-Id, Acp-Session-Id, Content-Disposition, Retry-After'
const PREFLIGHT_SECONDS = '600'

/**
 * CORS for the pages of QUAYSIDE_ORIGINS, which use the API with a token of their own. Before the other gates: a preflight has
 * no credentials, and a page reads errors too. `Access-Control-Allow-Credentials` is never sent, so that browsers keep the
 * hub's cookie out of it.
 */
export function cors(gates: Gates): RequestHandler {
  return (request, response, next) => {
    const origin = gates.findListedOrigin(request)
    response.vary('Origin')
    if (origin === undefined) return next()
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS)
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || !isPreflight) return next()
    response.setHeader('Access-Control-Allow-Methods', METHODS)
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS)
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS)
    response.status(204).end()
  }
}
