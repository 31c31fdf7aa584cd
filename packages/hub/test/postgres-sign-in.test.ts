// Two hubs on one PostgreSQL database: a sign-in, a code, a push subscription and a picture of one hold at the other.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type {
  CreatedToken,
  LoginCode,
  LoginCodeState,
  Media,
  SessionList,
} from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaPath } from '../src/store/data-files.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { type PushedDevice, PushService } from './push-service.js'
import { openSocket } from './test-feed.js'
import { startTestHub, type TestHub } from './test-hub.js'

let url: string
let service: PushService
let first: TestHub
let second: TestHub

beforeAll(async () => {
  url = await newPostgresDatabase()
  service = await PushService.start()
  const env = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_PUSH_ORIGINS: service.origin }
  const start = () => startTestHub({ env, sharesAgent: true })
  ;[first, second] = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all([first?.[Symbol.asyncDispose](), second?.[Symbol.asyncDispose]()])
  await service?.[Symbol.asyncDispose]()
})

async function newToken(hub: TestHub, scope = 'read'): Promise<CreatedToken> {
  return (await (await hub.post('/api/tokens', { name: 'phone', scope })).json()) as CreatedToken
}

function authorization({ token }: CreatedToken): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function as(token: CreatedToken, init: RequestInit = {}): RequestInit {
  return { ...init, headers: { ...authorization(token), 'content-type': 'application/json' } }
}

test('a token of one hub works at the other, with its scope, until either revokes it', async () => {
  const token = await newToken(first)
  expect((await second.fetch('/api/sessions', as(token))).status).toBe(200)
  const post = as(token, { method: 'POST', body: '{}' })
  expect((await second.fetch('/api/repos/scan', post)).status).toBe(403)
  const socket = await openSocket(first.hub.address, authorization(token))
  const closed = once(socket, 'close')
  expect((await second.fetch(`/api/tokens/${token.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await first.fetch('/api/sessions', as(token))).status).toBe(401)
  await closed
})

async function login(hub: TestHub, code: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ code })
  return fetch(`${hub.hub.address}/api/login`, { method: 'POST', headers, body })
}

test('a sign-in code of one hub works once, at either, and its cookie at both', async () => {
  const code = (await (await first.post('/api/login-codes', {})).json()) as LoginCode
  const answers = await Promise.all([login(first, code.code), login(second, code.code)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401])
  const state = await second.get<LoginCodeState>(`/api/login-codes/${code.id}`)
  expect(state.isUsed).toBe(true)
  const set = answers.find(({ status }) => status === 204)?.headers.get('set-cookie')
  const cookie = set?.split(';')[0] ?? ''
  for (const { hub } of [first, second])
    expect((await fetch(`${hub.address}/api/sessions`, { headers: { cookie } })).status).toBe(200)
  const withdrawn = (await (await second.post('/api/login-codes', {})).json()) as LoginCode
  const path = `/api/login-codes/${withdrawn.id}`
  expect((await first.fetch(path, { method: 'DELETE' })).status).toBe(204)
  expect((await login(second, withdrawn.code)).status).toBe(401)
  const printed = new URL(first.hub.signInAddress()).hash.replace('#code=', '')
  expect((await login(first, printed)).status, 'it is stored before it is used').toBe(204)
})

test('a picture of one hub is served by the other, and gone with its session at both', async () => {
  const upload = { method: 'POST', headers: { 'content-type': 'image/png' }, body: PNG }
  const { url: path } = (await (await first.fetch('/api/media', upload)).json()) as Media
  for (const hub of [second, first]) {
    const answer = await hub.fetch(path)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
    expect(answer.headers.get('content-type')).toBe('image/png')
  }
  const sha256 = createHash('sha256').update(PNG).digest('hex')
  rmSync(mediaPath(join(first.folder, 'data', 'media'), sha256))
  expect((await first.fetch(path)).status, 'a lost file is fetched again').toBe(200)

  const session = await first.createSession()
  const image = { type: 'image', mimeType: 'image/png', data: OTHER_PNG.toString('base64') }
  const prompt = [{ type: 'text', text: 'echo seen' }, image]
  expect((await first.post(`${session.path}/prompt`, { prompt })).status).toBe(202)
  await session.feed.until('turn.ended')
  const { sessions } = await second.get<SessionList>('/api/sessions')
  expect(sessions.map(({ id }) => id)).toContain(session.id)
  const log = (hub: TestHub) => hub.fetch(`${session.path}/events`).then((got) => got.text())
  expect(await log(second)).toBe(await log(first))
  const stored = () => query<{ sha256: string }>(url, 'SELECT "sha256" FROM "MediaFile"')
  expect((await stored()).length).toBeGreaterThan(1)
  const uses = await query<{ id: string }>(
    url,
    'SELECT "id" FROM "Media" WHERE "sessionId" IS NOT NULL',
  )
  expect((await second.fetch(`/media/${uses[0]?.id}`)).status).toBe(200)
  expect((await first.fetch(`${session.path}?purge=true`, { method: 'DELETE' })).status).toBe(200)
  expect(await stored()).toHaveLength(1)
  expect((await second.fetch(`/media/${uses[0]?.id}`)).status).toBe(404)
})
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const OTHER_PNG = Buffer.concat([PNG, PNG])

async function subscribed(hub: TestHub, token: CreatedToken): Promise<PushedDevice> {
  const device = service.newDevice()
  const body = JSON.stringify(device.subscription())
  const put = as(token, { method: 'PUT', body })
  expect((await hub.fetch('/api/push/subscription', put)).status).toBe(204)
  return device
}

test('a device that subscribed at one hub is notified by the other, unless its page is visible at either', async () => {
  const keys = await Promise.all(
    [first, second].map((hub) => hub.get<{ publicKey: string }>('/api/push')),
  )
  expect(keys[0]?.publicKey).toBe(keys[1]?.publicKey)
  const [looking, away] = [await newToken(second), await newToken(second)]
  const [seen, unseen] = [await subscribed(second, looking), await subscribed(second, away)]
  const page = await openSocket(second.hub.address, authorization(looking))
  const told = once(page, 'message')
  page.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'page/visible', params: { visible: true } }),
  )
  await told
  const visible = 'SELECT "credentialId" FROM "VisiblePage"'
  await expect.poll(() => query(url, visible)).toEqual([{ credentialId: looking.id }])
  const session = await first.createSession()
  await session.prompt('ask')
  const { permissionId, options } = (await session.feed.until('permission.requested')).data
  expect((await unseen.next()).message).toMatchObject({ kind: 'needsYou', sessionId: session.id })
  page.terminate()
  await expect.poll(() => query(url, visible)).toEqual([])
  await session.answer(permissionId, options[0]!.optionId)
  for (const device of [seen, unseen])
    expect((await device.next()).message).toMatchObject({ kind: 'finished' })
})
