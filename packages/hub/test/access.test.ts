// The permissions of a token: every route and WebSocket request against every scope, and the connections that a revocation closes.
import { once } from 'node:events'
import type { CreatedToken, LoginCode, Principal, Scope, Token } from '@quayside/protocol'
import {
  errorBodySchema,
  includesScope,
  ROUTES,
  SCOPES,
  SOCKET_REQUESTS,
} from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { addressOf } from './openapi-document.js'
import { openSocket, type RpcAnswer } from './test-feed.js'
import { startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
const tokens = new Map<Scope, string>()
beforeAll(async () => {
  hub = await startTestHub()
  for (const scope of SCOPES) tokens.set(scope, (await createToken(scope)).token)
})
afterAll(() => hub[Symbol.asyncDispose]())

async function createToken(scope: Scope, name = `test ${scope}`): Promise<CreatedToken> {
  const response = await hub.post('/api/tokens', { name, scope })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedToken
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

function ask(path: string, token: string, init: Init = {}): Promise<Response> {
  return fetch(`${hub.hub.address}${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', ...bearer(token), ...init.headers },
  })
}

async function codeOf(response: Response): Promise<string | undefined> {
  if (response.ok) {
    await response.body?.cancel()
    return undefined
  }
  return errorBodySchema.parse(await response.json()).error.code
}

test('every route is open to exactly the scopes in the table', async () => {
  // Signing out with a bearer token changes nothing, and every schema with a required field refuses {}.
  for (const route of ROUTES.filter(({ isPublic }) => !isPublic))
    for (const scope of SCOPES) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'none')
      const body = route.method === 'get' ? {} : { body: '{}' }
      const init = { method: route.method.toUpperCase(), ...body }
      const code = await codeOf(await ask(path, tokens.get(scope)!, init))
      const isAllowed = includesScope(scope, route.scope)
      expect([addressOf(route), scope, code !== 'scope_too_small']).toEqual([
        addressOf(route),
        scope,
        isAllowed,
      ])
    }
})

test('the admin routes, and the routes that a reader may use', () => {
  const admin = ROUTES.filter(({ scope }) => scope === 'admin').map(addressOf)
  expect(admin.toSorted()).toEqual([
    'delete /api/clones/{id}',
    'delete /api/extensions/{id}',
    'delete /api/hosts/{hostname}',
    'delete /api/hubs/{id}',
    'delete /api/login-codes/{id}',
    'delete /api/roots',
    'delete /api/terminals/{id}',
    'delete /api/tokens/{id}',
    'get /api/clones',
    'get /api/clones/{id}',
    'get /api/login-codes/{id}',
    'get /api/reach',
    'get /api/roots',
    'get /api/terminals',
    'get /api/terminals/{id}',
    'get /api/tokens',
    'patch /api/repos/{id}',
    'post /api/clones',
    'post /api/extensions/{id}/authenticate',
    'post /api/extensions/{id}/install',
    'post /api/extensions/{id}/logout',
    'post /api/extensions/{id}/reload',
    'post /api/hubs/{id}/drain',
    'post /api/login-codes',
    'post /api/repos/{id}/trust',
    'post /api/storage/clean',
    'post /api/terminals',
    'post /api/tokens',
    'put /api/extensions/{id}',
    'put /api/extensions/{id}/settings',
    'put /api/hosts/{hostname}',
  ])
  const changing = ROUTES.filter(
    (route) => !route.isPublic && route.method !== 'get' && route.scope === 'read',
  )
  // These concern the calling device alone, or change nothing.
  expect(changing.map(addressOf).toSorted()).toEqual([
    'delete /api/push/subscription',
    'post /api/logout',
    'post /api/push/test',
    'post /api/storage/plan',
    'put /api/push/subscription',
  ])
})

test('another spelling of an address is no way around, and what is not in the table needs everything', async () => {
  const read = tokens.get('read')!
  const body = JSON.stringify({ name: 'mine', scope: 'admin' })
  for (const path of ['/API/Tokens', '/api/tokens/', '/api//tokens', '/api/%74okens', '/api/new'])
    expect([path, await codeOf(await ask(path, read, { method: 'POST', body }))]).toEqual([
      path,
      'scope_too_small',
    ])
  expect((await ask('/api/tokens', read, { method: 'HEAD' })).status).toBe(403)
  expect((await ask('/api/repos/', read)).status).toBe(200)
  expect(await codeOf(await ask('/api/new', tokens.get('admin')!))).toBe('not_found')
})

test('a refusal names the required scope', async () => {
  const response = await ask('/api/repos/scan', tokens.get('read')!, { method: 'POST' })
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({
    error: {
      code: 'scope_too_small',
      message: expect.stringContaining('"write"'),
      details: { needed: 'write', scope: 'read' },
    },
  })
})

test('every WebSocket request is open to exactly the scopes in the table', async () => {
  for (const scope of SCOPES) {
    const socket = await openSocket(hub.hub.address, bearer(tokens.get(scope)!))
    for (const [method, { command }] of SOCKET_REQUESTS) {
      const needed = command.scope
      const { error } = await call(socket, method, { nothing: 'that is known' })
      const isAllowed = error?.data?.code !== 'scope_too_small'
      expect([method, scope, isAllowed]).toEqual([method, scope, includesScope(scope, needed)])
    }
    socket.terminate()
  }
})

test('a reader sees a session and cannot answer for people', async () => {
  const session = await hub.createSession()
  await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested')
  const read = tokens.get('read')!
  const path = `${session.path}/permissions`
  expect((await ask(path, read)).status).toBe(200)
  const body = JSON.stringify({ optionId: 'allow_once' })
  const refused = await ask(`${path}/${data.permissionId}`, read, { method: 'POST', body })
  expect(await codeOf(refused)).toBe('scope_too_small')
  const write = tokens.get('write')!
  await ask(`${path}/${data.permissionId}`, write, { method: 'POST', body })
  const resolved = await session.feed.until('permission.resolved')
  expect(resolved.data).toMatchObject({ reason: 'answered', by: 'test write' })
})

test('tokens are listed without their secrets, and the database has only hashes', async () => {
  const created = await createToken('read', 'phone')
  expect(created.token).toMatch(/^quayside_[\w-]{43}$/)
  expect((await ask('/api/me', created.token)).status).toBe(200)
  const { tokens: listed } = await hub.get<{ tokens: Token[] }>('/api/tokens')
  const { token, lastUsedAt, ...rest } = created
  expect(lastUsedAt).toBeNull()
  expect(listed).toContainEqual({ ...rest, lastUsedAt: expect.any(String) })
  expect(JSON.stringify(listed)).not.toContain(token.slice(10))
})

test('a code gives the scope and the name it was made with, and admin without', async () => {
  const inputs = [
    [
      { scope: 'read', name: 'tablet' },
      { name: 'tablet', scope: 'read' },
    ],
    [{}, { name: 'browser', scope: 'admin' }],
    [undefined, { name: 'browser 2', scope: 'admin' }],
  ] as const
  for (const [input, expected] of inputs) {
    const cookie = await signIn(input)
    const response = await fetch(`${hub.hub.address}/api/me`, { headers: { cookie } })
    expect((await response.json()) as Principal).toEqual({ ...expected, id: expect.any(String) })
  }
  expect((await hub.post('/api/login-codes', { scope: 'root' })).status).toBe(400)
})

test('the creator of a code sees when it was used, and can withdraw it before', async () => {
  const mint = async () => (await (await hub.post('/api/login-codes', {})).json()) as LoginCode
  const used = await mint()
  const at = `/api/login-codes/${used.id}`
  expect(await hub.get(at)).toEqual({ id: used.id, expiresAt: used.expiresAt, isUsed: false })
  await redeem(used.code)
  expect(await hub.get(at)).toMatchObject({ isUsed: true })

  const withdrawn = await mint()
  const remove = () => hub.fetch(`/api/login-codes/${withdrawn.id}`, { method: 'DELETE' })
  expect((await remove()).status).toBe(204)
  expect(await codeOf(await remove())).toBe('login_code_not_found')
  const body = JSON.stringify({ code: withdrawn.code })
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${hub.hub.address}/api/login`, { method: 'POST', headers, body })
  expect(login.status).toBe(401)
})

test('a revoked token opens nothing, and its open sockets and streams are closed', async () => {
  const session = await hub.createSession()
  const { id, token } = await createToken('write', 'lost')
  const stream = await ask(`${session.path}/events`, token, {
    headers: { accept: 'text/event-stream' },
  })
  const streamEnds = drain(stream)
  const socket = await openSocket(hub.hub.address, bearer(token))
  await call(socket, 'session/follow', { sessionId: session.id })
  const socketCloses = once(socket, 'close')
  const other = await openSocket(hub.hub.address, bearer(tokens.get('write')!))

  expect((await hub.fetch(`/api/tokens/${id}`, { method: 'DELETE' })).status).toBe(204)

  await socketCloses
  expect(await streamEnds).toBe('cut')
  expect((await ask('/api/me', token)).status).toBe(401)
  await expect(openSocket(hub.hub.address, bearer(token))).rejects.toThrow('refused with 401')
  expect((await call(other, 'session/queue', { sessionId: session.id })).error).toBeUndefined()
  other.terminate()
  const again = await hub.fetch(`/api/tokens/${id}`, { method: 'DELETE' })
  expect(await codeOf(again)).toBe('token_not_found')
})

test('a client that revokes its own token, or signs out, gets a success response', async () => {
  const { id, token } = await createToken('admin', 'own')
  expect((await ask(`/api/tokens/${id}`, token, { method: 'DELETE' })).status).toBe(204)

  const cookie = await signIn({})
  const headers = { cookie, origin: hub.hub.address }
  const socket = await openSocket(hub.hub.address, headers)
  const closes = once(socket, 'close')
  const response = await fetch(`${hub.hub.address}/api/logout`, { method: 'POST', headers })
  expect(response.status).toBe(204)
  await closes
})

test('tokens outlive the hub; a cookie is no token, and a token no cookie', async () => {
  await using first = await startTestHub()
  const response = await first.post('/api/tokens', { name: 'ci', scope: 'read' })
  const { id, token } = (await response.json()) as CreatedToken
  await first.hub.stop()
  const second = await startTestHub({ folder: first.folder })
  const me = await fetch(`${second.hub.address}/api/me`, { headers: bearer(token) })
  expect(await me.json()).toEqual({ name: 'ci', scope: 'read', id })
  const name = `quayside_${new URL(second.hub.address).port}`
  const cookie = `${name}=${token.replace('quayside_', '')}`
  expect((await fetch(`${second.hub.address}/api/me`, { headers: { cookie } })).status).toBe(401)
  await second.hub.stop()
})

async function signIn(input: object | undefined): Promise<string> {
  const made =
    input === undefined
      ? await hub.fetch('/api/login-codes', { method: 'POST' })
      : await hub.post('/api/login-codes', input)
  expect(made.status).toBe(201)
  const { code } = (await made.json()) as LoginCode
  return redeem(code)
}

async function redeem(code: string): Promise<string> {
  const response = await fetch(`${hub.hub.address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return response.headers.get('set-cookie')!.split(';')[0]!
}

/** `ended` after a close handshake, `cut` without one. */
async function drain(response: Response): Promise<'ended' | 'cut'> {
  try {
    for await (const _ of response.body!);
    return 'ended'
  } catch {
    return 'cut'
  }
}

let nextId = 1
async function call(socket: WebSocket, method: string, params: object): Promise<RpcAnswer> {
  const id = nextId++
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  for (;;) {
    const [data] = (await once(socket, 'message')) as [Buffer]
    const answer = JSON.parse(data.toString()) as RpcAnswer
    if (answer.id === id) return answer
  }
}
