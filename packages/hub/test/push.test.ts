// Web Push: real messages to a push service on this machine, decrypted as a browser would.
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CreatedToken } from '@quayside/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PushedDevice, PushService } from './push-service.js'
import { openSocket } from './test-feed.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let service: PushService
let hub: TestHub
let device: PushedDevice
let token: CreatedToken

beforeAll(async () => {
  service = await PushService.start()
  const env = { QUAYSIDE_PUSH_ORIGINS: service.origin, AGENT_MAX_SESSIONS: '20' }
  hub = await startTestHub({ sharesAgent: true, env })
})
afterAll(async () => {
  await hub?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  service.status = 201
  device = service.newDevice()
  token = await newToken()
})

async function newToken(): Promise<CreatedToken> {
  const response = await hub.post('/api/tokens', { name: 'phone', scope: 'read' })
  return (await response.json()) as CreatedToken
}

type Ask = { readonly body?: unknown; readonly as?: CreatedToken }

function ask(method: string, path: string, { body, as = token }: Ask = {}): Promise<Response> {
  return hub.fetch(`/api/push${path}`, {
    method,
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

const subscribe = (body: unknown = device.subscription(), as = token) =>
  ask('PUT', '/subscription', { body, as })

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code
}

/** Resolves when the agent waits for an answer. */
async function askedIn(session: TestSession) {
  const { turnId } = await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested', (one) => one.turnId === turnId)
  return data
}

test('a device is notified when a session needs someone, is done or has failed, without text of an agent', async () => {
  expect((await subscribe()).status).toBe(204)
  const session = await hub.createSession('demo-alone')
  const { permissionId, options } = await askedIn(session)

  const { message, headers } = await device.next()
  const { title } = await session.summaryNow()
  expect(message).toEqual({ kind: 'needsYou', sessionId: session.id, title })
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    topic: session.id.replaceAll('-', ''),
  })
  await session.answer(permissionId, options[0]!.optionId)
  expect((await device.next()).message).toMatchObject({ kind: 'finished', sessionId: session.id })
  await session.prompt('crash')
  // The turn of a dying agent ends first; a slow machine may send that alert too.
  for (;;) {
    const { kind } = (await device.next()).message as { kind: string }
    if (kind === 'failed') break
    expect(kind).toBe('finished')
  }
})

test('a message is signed with the key that browsers subscribe with, which is kept for the owner alone', async () => {
  await subscribe()
  expect((await ask('POST', '/test')).status).toBe(204)
  const { headers, message } = await device.next()
  expect(message).toEqual({ kind: 'test' })

  const { publicKey } = (await (await ask('GET', '')).json()) as { publicKey: string }
  const [, head, claims, signature, key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  )
  expect(isSigned).toBe(true)
  const claimed: unknown = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
  expect(claimed).toMatchObject({ aud: service.origin })
  const { mode } = statSync(join(hub.folder, 'data', 'push-keys.json'))
  expect((mode & 0o777).toString(8)).toBe('600')
})

test('a device with a visible page is not notified, other devices are, also after the page has closed', async () => {
  const other = service.newDevice()
  await subscribe()
  await subscribe(other.subscription(), await newToken())
  const page = await openSocket(hub.hub.address, { authorization: `Bearer ${token.token}` })
  const look = (visible: boolean) =>
    new Promise((resolve) => {
      page.once('message', resolve)
      const params = { visible }
      page.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'page/visible', params }))
    })
  await look(true)
  const session = await hub.createSession()
  const { permissionId, options } = await askedIn(session)
  await other.next()
  expect(device.unread).toBe(0)

  await look(false)
  await session.answer(permissionId, options[0]!.optionId)
  expect((await device.next()).message).toMatchObject({ kind: 'finished' })
  await look(true)
  const closed = once(page, 'close')
  page.close()
  await closed
  await askedIn(session)
  expect((await device.next()).message).toMatchObject({ kind: 'needsYou' })
})

test('only subscribed kinds are sent', async () => {
  const other = service.newDevice()
  await subscribe(device.subscription(['finished']))
  await subscribe(other.subscription(), await newToken())
  const session = await hub.createSession()
  const { permissionId, options } = await askedIn(session)
  await other.next()
  await session.answer(permissionId, options[0]!.optionId)
  expect((await device.next()).message).toMatchObject({ kind: 'finished' })
})

test('a subscription that the service has forgotten is dropped', async () => {
  await subscribe()
  service.status = 410
  expect(await codeOf(await ask('POST', '/test'))).toBe('push_not_subscribed')
  service.status = 201
  expect(await codeOf(await ask('POST', '/test'))).toBe('push_not_subscribed')
  await device.next()
  expect(device.unread).toBe(0)
})

test('a refusal of the push service is reported, and the subscription stays', async () => {
  await subscribe()
  service.status = 500
  const refused = await ask('POST', '/test')
  expect(refused.status).toBe(502)
  expect(await codeOf(refused)).toBe('push_failed')
  service.status = 201
  expect((await ask('POST', '/test')).status).toBe(204)
})

test('a revoked device is not notified, and a browser that signed in again is notified once', async () => {
  const other = service.newDevice()
  const again = await newToken()
  await subscribe()
  await subscribe(device.subscription(), again)
  expect(await codeOf(await ask('POST', '/test'))).toBe('push_not_subscribed')
  await subscribe(other.subscription())
  await hub.fetch(`/api/tokens/${again.id}`, { method: 'DELETE' })
  await askedIn(await hub.createSession())
  await other.next()
  expect(device.unread).toBe(0)
})

test('an address inside this network is refused as a push service', async () => {
  for (const host of ['https://127.0.0.1', 'https://localhost', 'http://push.example.com']) {
    const subscription = { ...device.subscription(), endpoint: `${host}/device` }
    expect([host, await codeOf(await subscribe(subscription))]).toEqual([host, 'push_not_possible'])
  }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(device.subscription())
  const withoutDevice = await hub.fetch('/api/push/subscription', { method: 'PUT', headers, body })
  expect(await codeOf(withoutDevice)).toBe('push_not_possible')
})
