// The three gates from outside: Host, credentials and Origin, on routes and on the WebSocket upgrade.
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { offerToken } from '@quayside/protocol'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, TOKEN, type TestHub } from './test-hub.js'

/** A page on another port of this machine: of the same site as the hub. */
const LISTED = 'http://127.0.0.1:3000'

let hub: TestHub
beforeAll(async () => {
  const QUAYSIDE_ORIGINS = `https://app.example, ${LISTED}`
  const env = {
    QUAYSIDE_HOSTNAMES: 'studio.example,Studio.lan,https://tls.example',
    QUAYSIDE_EXTERNAL_URL: 'https://external.example:8443',
    QUAYSIDE_ORIGINS,
  }
  hub = await startTestHub({ env })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Answer = {
  status: number
  body: string
  cookie: string | undefined
  headers: IncomingHttpHeaders
}

/** Without fetch, which does not let a test choose its Host header. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const url = new URL(hub.hub.address)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: url.hostname, port: url.port, path, method, headers },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => (body += text))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            body,
            cookie: response.headers['set-cookie']?.[0],
            headers: response.headers,
          }),
        )
      },
    )
    outgoing.on('error', reject).end()
  })
}

function upgrade(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(hub.hub.address.replace('http', 'ws') + path, { headers })
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode!))
    socket.on('error', () => {})
  })
}

async function signIn(): Promise<string> {
  const code = new URL(hub.hub.signInAddress()).hash.replace('#code=', '')
  const response = await login(code)
  expect(response.status).toBe(204)
  return response.headers.get('set-cookie')!.split(';')[0]!
}

function login(code: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${hub.hub.address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code }),
  })
}

test('only health and the sign-in page answer without credentials', async () => {
  expect((await ask('/api/health')).status).toBe(200)
  const paths = [
    '/api/repos',
    '/api/sessions',
    '/api/me',
    '/api/extensions',
    '/api/nothing',
    '/media/x',
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect([path, method, (await ask(path, {}, method)).status]).toEqual([path, method, 401])
  expect(await upgrade('/ws', {})).toBe(401)
  expect(await upgrade('/elsewhere', {})).toBe(401)
})

test('a bearer token opens routes and the socket; a wrong one does not', async () => {
  const good = { authorization: `Bearer ${TOKEN}` }
  const bad = { authorization: `Bearer ${TOKEN}x` }
  expect((await ask('/api/repos', good)).status).toBe(200)
  expect((await ask('/api/repos', bad)).status).toBe(401)
  expect(await upgrade('/ws', good)).toBe(101)
  expect(await upgrade('/ws', bad)).toBe(401)
  expect((await ask(`/api/repos?token=${TOKEN}`)).status).toBe(401)
})

test('the code in the printed address works once and becomes an HttpOnly SameSite=Strict cookie', async () => {
  const address = new URL(hub.hub.signInAddress())
  expect(address.hash).toMatch(/^#code=[\w-]{22}$/)
  const code = address.hash.replace('#code=', '')
  const first = await login(code)
  expect(first.status).toBe(204)
  expect(first.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^quayside_${new URL(hub.hub.address).port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=`,
    ),
  )
  expect((await login(code)).status).toBe(401)
  expect((await login('guess')).status).toBe(401)
})

test('a cookie reads, but changes something only from its own origin', async () => {
  const cookie = await signIn()
  const origin = hub.hub.address
  expect((await ask('/api/repos', { cookie })).status).toBe(200)
  expect((await ask('/api/repos/scan', { cookie, origin }, 'POST')).status).toBe(200)
  expect((await ask('/api/repos/scan', { cookie }, 'POST')).status).toBe(403)
  const foreign = ['http://evil.example', 'null', 'http://127.0.0.1:1', `${origin}.evil.example`]
  for (const evil of foreign) {
    expect((await ask('/api/repos/scan', { cookie, origin: evil }, 'POST')).status).toBe(403)
    expect(await upgrade('/ws', { cookie, origin: evil })).toBe(403)
    const bearer = { authorization: `Bearer ${TOKEN}`, origin: evil }
    expect(await upgrade('/ws', bearer)).toBe(403)
  }
  expect(await upgrade('/ws', { cookie })).toBe(403)
  expect(await upgrade('/ws', { cookie, origin })).toBe(101)
  expect((await ask('/api/repos', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('two browsers of the same kind have two names, so that events tell them apart', async () => {
  const nameOf = async (cookie: string) =>
    (JSON.parse((await ask('/api/me', { cookie })).body) as { name: string }).name
  const [first, second] = [await nameOf(await signIn()), await nameOf(await signIn())]
  expect(first).not.toBe(second)
  expect([first, second]).toEqual([
    expect.stringMatching(/^browser/),
    expect.stringMatching(/^browser \d+$/),
  ])
})

test('a page of a listed origin uses the API with a token, and reads its errors', async () => {
  const origin = LISTED
  const authorization = `Bearer ${TOKEN}`
  const good = await ask('/api/repos', { origin, authorization })
  expect(good).toMatchObject({
    status: 200,
    headers: { 'access-control-allow-origin': origin, vary: expect.stringContaining('Origin') },
  })
  expect(good.headers['access-control-expose-headers']).toContain('Retry-After')
  expect((await ask('/api/repos/scan', { origin, authorization }, 'POST')).status).toBe(200)
  const refused = await ask('/api/repos', { origin, authorization: 'Bearer wrong' })
  expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': origin } })
  for (const { headers } of [good, refused])
    expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test('the preflight of a listed origin is answered, that of another is not', async () => {
  const preflight = (origin: string) => {
    const wanted = { 'access-control-request-method': 'PATCH' }
    return ask('/api/sessions/x', { origin, ...wanted }, 'OPTIONS')
  }
  const answer = await preflight(LISTED)
  expect(answer).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': LISTED } })
  expect(answer.headers['access-control-allow-methods']).toContain('PATCH')
  expect(answer.headers['access-control-allow-headers']).toContain('Authorization')
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  for (const origin of ['http://127.0.0.1:3001', 'https://127.0.0.1:3000', 'null']) {
    const other = await preflight(origin)
    expect(other.status).not.toBe(204)
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
    const bearer = { origin, authorization: `Bearer ${TOKEN}` }
    expect((await ask('/api/repos', bearer)).status).toBe(403)
  }
})

test('the cookie of a browser does not count from a listed origin', async () => {
  const cookie = await signIn()
  const headers = { cookie, origin: LISTED }
  expect((await ask('/api/repos', headers)).status).toBe(401)
  expect((await ask('/api/repos/scan', headers, 'POST')).status).toBe(401)
  expect(await upgrade('/ws', headers)).toBe(401)
  expect(await upgrade('/acp', headers)).toBe(401)
  expect((await login('guess', { origin: LISTED })).status).toBe(403)
  // A token beside the cookie counts.
  expect((await ask('/api/repos', { ...headers, authorization: `Bearer ${TOKEN}` })).status).toBe(
    200,
  )
})

test('a WebSocket takes a token as a subprotocol, and never repeats it', async () => {
  const open = (path: string, protocols: string[], origin = LISTED): Promise<string> => {
    const socket = new WebSocket(hub.hub.address.replace('http', 'ws') + path, protocols, {
      origin,
    })
    return new Promise((resolve) => {
      socket.on('error', () => {})
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(`${statusCode}`))
      socket.once('upgrade', ({ headers }) => {
        resolve(`101 ${headers['sec-websocket-protocol']}`)
        socket.terminate()
      })
    })
  }
  for (const path of ['/ws', '/acp']) {
    expect(await open(path, offerToken(TOKEN))).toBe('101 quayside')
    expect(await open(path, offerToken(TOKEN).slice(1))).toBe('101 undefined')
    expect(await open(path, offerToken(TOKEN), hub.hub.address)).toBe('101 quayside')
    expect(await open(path, offerToken(`${TOKEN}x`))).toBe('401')
    expect(await open(path, offerToken(TOKEN), 'http://evil.example')).toBe('403')
  }
  const [, token = ''] = offerToken(TOKEN)
  expect((await ask('/api/repos', { 'sec-websocket-protocol': token })).status).toBe(401)
})

test.each(['tls.example', 'external.example:8443'])(
  'behind a TLS proxy the cookie of %s is for TLS and this host only, and the page has one scheme',
  async (host) => {
    const address = new URL(hub.hub.signInAddress())
    expect(address.origin).toBe('https://external.example:8443')
    const code = address.hash.replace('#code=', '')
    const headers = { host, origin: `https://${host}`, 'content-type': 'application/json' }
    const outgoing = request(`${hub.hub.address}/api/login`, { method: 'POST', headers })
    outgoing.end(JSON.stringify({ code }))
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const [set = ''] = answer.resume().headers['set-cookie'] ?? []
    expect(set).toMatch(/^__Host-quayside_\d+=\S+; Secure; HttpOnly; SameSite=Strict; Path=\//)
    const [cookie = ''] = set.split(';')
    const scan = (origin: string) => ask('/api/repos/scan', { host, origin, cookie }, 'POST')
    expect((await scan(`https://${host}`)).status).toBe(200)
    expect((await scan(`http://${host}`)).status).toBe(403)
    // A cookie of another name of the hub does not count here, nor this one there.
    const plain = cookie.replace('__Host-', '')
    expect((await ask('/api/repos', { host, cookie: plain })).status).toBe(401)
    expect((await ask('/api/repos', { host: 'studio.example', cookie })).status).toBe(401)
  },
)

test('signing out forgets the cookie', async () => {
  const cookie = await signIn()
  const { status } = await ask('/api/logout', { cookie, origin: hub.hub.address }, 'POST')
  expect(status).toBe(204)
  expect((await ask('/api/me', { cookie })).status).toBe(401)
})

test('a foreign Host is refused everywhere, whatever the credentials', async () => {
  const authorization = `Bearer ${TOKEN}`
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '2130706433',
    'localhost:4444@evil.example',
    'evil.example:4444',
    'evil.studio.example',
  ]
  for (const host of foreign) {
    for (const path of ['/', '/api/health', '/api/repos'])
      expect([host, (await ask(path, { host, authorization })).status]).toEqual([host, 403])
    expect(await upgrade('/ws', { host, authorization })).toBe(403)
  }
  const own = ['localhost', 'localhost:9', '127.0.0.1:1234', '[::1]:4444', 'LOCALHOST']
  for (const host of [...own, 'studio.example', 'Studio.LAN:443'])
    expect((await ask('/api/repos', { host, authorization })).status).toBe(200)
})

test('guessing codes is slowed down, and locks nobody out who has a good one', async () => {
  await using other = await startTestHub()
  const signIn = async (code: string): Promise<number> => {
    const response = await fetch(`${other.hub.address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    return response.status
  }
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess += 1) statuses.push(await signIn(`guess-${guess}`))
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
  expect(statuses.slice(10)).toEqual([429, 429])
  const good = new URL(other.hub.signInAddress()).hash.replace('#code=', '')
  expect(await signIn(good)).toBe(204)
})

test('no response to an unauthenticated client reveals anything about the hub', async () => {
  const { body } = await ask('/api/repos')
  expect(body).not.toContain(hub.folder)
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'unauthorized' } })
})
