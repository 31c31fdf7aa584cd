// Requests that are made to harm, as raw bytes: every route of the table with changed input, broken paths, odd headers, and no HTTP at all.
import { type Route, ROUTES } from '@quayside/protocol/schemas'
import { FuzzJson } from '../fuzz-json.js'
import { TOKEN } from '../test-hub.js'
import { type KnownValues, SchemaValues } from './schema-values.js'

export type RawRequest = {
  readonly bytes: Buffer
  /** The route, when the request is well-formed HTTP for it. */
  readonly route?: Route
  /** Bytes that are no complete request: the sender says that nothing follows. */
  readonly endsEarly: boolean
}

/** It is not in the table of commands. */
const ACP: Pick<Route, 'method' | 'path'> = { method: 'post', path: '/acp' }
const BROKEN_PATHS = [
  '/..',
  '//',
  '/%',
  '/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%ff%fe',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/api',
  '/api/',
  '/API/repos',
  '/api/sessions/',
  '/media/',
  '/media/%00',
  '/media/..%2fquayside.db',
  '/ws',
  '/acp',
  '*',
  '',
  `/${'a'.repeat(20_000)}`,
  `/api/${'../'.repeat(500)}etc/passwd`,
  '/api/repos?'.repeat(50),
  'http://evil.example/api/repos',
  '/api/repos#x',
  '/\\..\\..\\etc\\passwd',
  '/api/repos;x=1',
]
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Host',
    ['', 'evil.example', '127.0.0.1.evil.example', '[::1]', 'localhost:99999', 'a'.repeat(9_000)],
  ],
  ['Origin', ['null', 'http://evil.example', 'http://127.0.0.1', '\u0001', 'file://']],
  [
    'Authorization',
    ['', 'Bearer', 'Bearer x', `Basic ${TOKEN}`, `Bearer ${TOKEN} x`, 'x'.repeat(9_000)],
  ],
  ['Cookie', ['quayside=x', '=;=;;', `quayside_session=${'x'.repeat(4_000)}`]],
  ['Content-Type', ['text/plain', 'application/json; charset=utf-7', 'multipart/form-data', '']],
  ['Content-Encoding', ['gzip', 'br', 'x', 'deflate, gzip']],
  ['Transfer-Encoding', ['chunked', 'x', 'chunked, chunked', 'identity']],
  ['Content-Length', ['0', '-1', '99999999999', '1e9', 'x', '5, 6']],
  ['Expect', ['100-continue', 'x']],
  ['Upgrade', ['websocket', 'h2c', 'x']],
  ['Connection', ['Upgrade', 'keep-alive', 'x, y', '']],
  ['Sec-WebSocket-Key', ['x', '']],
  ['Sec-WebSocket-Protocol', ['quayside', 'a,'.repeat(2_000), `quayside.token.${TOKEN}`]],
  ['Last-Event-ID', ['-1', '1e99', 'x', '9'.repeat(400)]],
  ['Range', ['bytes=0-', 'bytes=9-1', 'bytes=-', `bytes=${'0-1,'.repeat(500)}`]],
  ['If-None-Match', ['*', '"x"', 'W/']],
  ['Accept', ['text/event-stream', 'x/y', '*/*;q=x']],
  ['Accept-Encoding', ['gzip;q=x', 'br, zstd, x']],
  ['X-Forwarded-For', ['127.0.0.1', "' OR 1"]],
  ['Acp-Connection-Id', ['x', '0190a0a0-0000-7000-8000-000000000000']],
]

export class HttpFuzz {
  readonly #json: FuzzJson
  readonly #values: SchemaValues
  readonly #known: KnownValues

  constructor(random: () => number, known: KnownValues) {
    this.#json = new FuzzJson(random)
    this.#values = new SchemaValues(this.#json, known)
    this.#known = known
  }

  next(): RawRequest {
    const kind = this.#json.below(100)
    if (kind < 65) return this.#routed()
    if (kind < 75) return this.#elsewhere()
    if (kind < 88) return this.#withOddHeaders()
    return this.#broken()
  }

  #routed(): RawRequest {
    const route = this.#json.pick(ROUTES)
    const bytes = this.#serialize(route.method, this.#address(route), this.#bodyOf(route))
    return { bytes, route, endsEarly: false }
  }

  /** Another method, a path that is none, or the address of the ACP endpoint. */
  #elsewhere(): RawRequest {
    if (this.#json.chance(0.3)) {
      const body = this.#json.textOf({ jsonrpc: '2.0', id: 1, method: 'session/new', params: {} })
      return { bytes: this.#serialize(ACP.method, ACP.path, body), endsEarly: false }
    }
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'HEAD', 'BREW']
    const path = this.#json.pick([...BROKEN_PATHS, this.#address(this.#json.pick(ROUTES))])
    const body = this.#json.chance(0.3) ? this.#json.weirdJson() : undefined
    return { bytes: this.#serialize(this.#json.pick(methods), path, body), endsEarly: true }
  }

  #withOddHeaders(): RawRequest {
    const route = this.#json.pick(ROUTES)
    const odd = Array.from({ length: 1 + this.#json.below(3) }, () => {
      const [name, values] = this.#json.pick(HEADERS)
      return [name, this.#json.pick(values)] as const
    })
    const bytes = this.#serialize(route.method, this.#address(route), this.#bodyOf(route), odd)
    return { bytes, endsEarly: true }
  }

  /** A request with changed bytes, cut short, doubled, or random bytes. */
  #broken(): RawRequest {
    const { bytes } = this.#routed()
    const noise = () => Buffer.from(Array.from({ length: 200 }, () => this.#json.below(256)))
    const all = [
      () => this.#json.mutateBytes(bytes),
      () => Buffer.concat([bytes, this.#json.mutateBytes(bytes)]),
      () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      () => Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), noise()]),
      () => Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n'), noise()]),
      noise,
    ]
    return { bytes: this.#json.pick(all)(), endsEarly: true }
  }

  #address({ path, query }: Route): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(this.#values.named(this.#knownName(path, name)))),
    )
    if (query === undefined || this.#json.chance(0.2)) return filled
    const wanted = Object.entries(this.#values.objectOf(query)).map(([name, value]) => {
      // Cutting may leave half a character, which cannot be encoded.
      const odd = Buffer.from(this.#json.weirdJson().slice(0, 500)).toString('utf8')
      return `${name}=${encodeURIComponent(this.#json.chance(0.7) ? String(value) : odd)}`
    })
    const odd = ['__proto__=x', 'a[b][c]=1', 'path=', 'after=-1', 'limit=1e9', '%00=%00', '%=%']
    if (this.#json.chance(0.2)) wanted.push(this.#json.pick(odd))
    return `${filled}?${wanted.join('&')}`
  }

  /** `id` means another thing in each room. */
  #knownName(path: string, name: string): string {
    const room = path.split('/')[2] ?? ''
    const own = `${room}.${name}`
    return own in this.#known ? own : name
  }

  #bodyOf({ body, method }: Route): string | undefined {
    const schema = body?.['application/json']
    if (schema === undefined)
      return method === 'get'
        ? undefined
        : this.#json.pick([undefined, '{}', this.#json.weirdJson()])
    if (this.#json.chance(0.05)) return this.#json.weirdJson()
    return this.#json.textOf(this.#values.objectOf(schema), this.#json.chance(0.4) ? 0 : 3)
  }

  // A method, an address, a body and headers make a request.
  // oxlint-disable-next-line max-params
  #serialize(
    method: string,
    address: string,
    body: string | undefined,
    odd: readonly (readonly [string, string])[] = [],
  ): Buffer {
    const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
    const usual = {
      Host: '127.0.0.1',
      Authorization: `Bearer ${TOKEN}`,
      Connection: 'close',
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(content.length),
      }),
      ...Object.fromEntries(odd),
    }
    const lines = Object.entries(usual).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `${method.toUpperCase()} ${address} HTTP/1.1\r\n${lines.join('')}\r\n`
    return Buffer.concat([Buffer.from(head), content])
  }
}
