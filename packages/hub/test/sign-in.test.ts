// The three gates from outside: Host, credentials and Origin, on routes and on the WebSocket upgrade.
import { request } from 'node:http'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, TOKEN, type TestHub } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ env: { QUAYSIDE_HOSTNAMES: 'studio.example,Studio.lan' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Answer = { status: number; body: string; cookie: string | undefined }

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
    new RegExp(`^quayside_${address.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=`),
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
