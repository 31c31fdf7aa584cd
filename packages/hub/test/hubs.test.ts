// Several hubs on one PostgreSQL database: they know each other, and each session says where it runs.
import type {
  CreatedToken,
  HubPlace,
  KnownHub,
  Repo,
  SessionDetail,
  SessionList,
  SessionSummary,
  Terminal,
} from '@quayside/protocol'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AcpTestClient, webSocketStream } from './acp-test-client.js'
import { CommandRun } from './command-run.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import { readStream, watchList } from './other-feeds.js'
import { openSocket } from './test-feed.js'
import { startTestHub, type TestHub, TOKEN } from './test-hub.js'

let url: string
let studio: TestHub
let build: TestHub

beforeAll(async () => {
  url = await newPostgresDatabase()
  studio = await start('studio')
  build = await start('build')
})
afterAll(async () => {
  await studio[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
})

function start(name: string, folder?: string): Promise<TestHub> {
  const env = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_NAME: name, AGENT_MAX_SESSIONS: '50' }
  return startTestHub({ env, sharesAgent: true, ...(folder && { folder }) })
}

async function hubsAt(hub: TestHub): Promise<Readonly<Record<string, KnownHub>>> {
  const { hubs } = await hub.get<{ hubs: KnownHub[] }>('/api/hubs')
  return Object.fromEntries(hubs.map((one) => [one.name, one]))
}

/** Any command may be refused because a machine is away: it is not documented for each, so that the answer is not checked for it. */
function postToBuild(path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  return fetch(`${build.hub.address}${path}`, { method: 'POST', headers, body })
}

/** The other hubs look for it at this address. */
async function moveStudio(address: string): Promise<void> {
  await query(
    url,
    `UPDATE "Hub" SET "address" = '${address}' WHERE "name" = 'studio' AND NOT "dead"`,
  )
  await expect.poll(async () => (await hubsAt(build))['studio']?.address).toBe(address)
}

async function placeAt(hub: TestHub, id: string): Promise<HubPlace | undefined> {
  const { sessions } = await hub.get<SessionList>('/api/sessions')
  return sessions.find((session) => session.id === id)?.hub
}

test('each hub lists all of them by name, with the address of each, and no token', async () => {
  const [atStudio, atBuild] = [await hubsAt(studio), await hubsAt(build)]
  expect(Object.keys(atStudio)).toEqual(['build', 'studio'])
  expect(atStudio).toMatchObject({
    studio: { state: 'here', address: studio.hub.address },
    build: { state: 'elsewhere', address: build.hub.address },
  })
  expect(atBuild).toMatchObject({ studio: { state: 'elsewhere' }, build: { state: 'here' } })
  expect(JSON.stringify(atStudio)).not.toContain('quayside_hub_')
})

test('a session says where it runs, from the side of each hub, and since when its machine is away', async () => {
  const session = await studio.createSession()
  expect(session.summary.hub).toMatchObject({ name: 'studio', state: 'here' })
  expect(await placeAt(build, session.id)).toMatchObject({ name: 'studio', state: 'elsewhere' })
  const before = Date.now()
  await studio.hub.stop()
  await expect
    .poll(() => placeAt(build, session.id))
    .toMatchObject({ name: 'studio', state: 'away', since: expect.any(String) as string })
  const { since = '' } = (await placeAt(build, session.id)) ?? {}
  expect(Date.parse(since)).toBeGreaterThan(before - 5_000)
  expect(await hubsAt(build)).toMatchObject({ studio: { state: 'away', since } })
  studio = await start('studio', studio.folder)
  // An ended session is where its repository is.
  await expect
    .poll(() => placeAt(build, session.id))
    .toMatchObject({ name: 'studio', state: 'elsewhere' })
  const { hub } = await studio.get<SessionSummary>(session.path)
  expect(hub).toEqual({ id: (await hubsAt(build))['studio']?.id, name: 'studio', state: 'here' })
})

test('a hub whose lease has run out is away', async () => {
  await query(
    url,
    `INSERT INTO "Hub" ("id", "machineId", "name", "version", "startedAt", "leaseUntil", "seenAt")
     VALUES ('gone', 'gone', 'cloud', '0', 0, clock_timestamp() - interval '1 s', '2026-01-31T15:04:05Z')`,
  )
  const { cloud } = await hubsAt(build)
  expect(cloud).toMatchObject({ state: 'away', since: '2026-01-31T15:04:05.000Z' })
})

test('a client of one hub follows a session that another one runs: by WebSocket, as server-sent events and in the list', async () => {
  const session = await studio.createSession()
  await using list = await watchList(build)
  const feed = await build.follow(session.id)
  await using stream = await readStream(build, session.id)
  await session.run('echo one')
  const { turnId } = await session.prompt('echo two')
  const { seq } = await feed.until('turn.ended', (data) => data.turnId === turnId)
  await stream.until(turnId)
  await session.feed.untilSeq(seq)
  expect(feed.events.slice(0, seq)).toEqual(session.feed.events.slice(0, seq))
  const row = () => list.rows.get(session.id)
  await expect
    .poll(() => (row()?.lastSeq ?? 0) >= seq && row())
    .toMatchObject({ activity: 'idle', hub: { name: 'studio', state: 'elsewhere' } })
  const detail = await build.get<SessionDetail>(`${session.path}?messages=0`)
  expect(detail).toMatchObject({ repo: { name: 'shop-api' }, hub: { name: 'studio' } })
  const page = await build.get<{ lastSeq: number }>(`${session.path}/events?after=0`)
  expect(page.lastSeq).toBeGreaterThanOrEqual(seq)
})

test('the list of another hub says what a session does, and a removed session ends its followers there', async () => {
  const session = await studio.createSession()
  await using list = await watchList(build)
  await session.prompt('ask')
  await expect.poll(() => list.rows.get(session.id)?.activity).toBe('waiting')
  expect(list.rows.get(session.id)?.step).toMatchObject({ type: 'permission' })
  const feed = await build.follow(session.id)
  await studio.fetch(session.path, { method: 'DELETE' })
  await feed.until('session.ended')
  await studio.fetch(`${session.path}?purge=true`, { method: 'DELETE' })
  await expect.poll(() => list.removed.has(session.id)).toBe(true)
  const again = await feed.call('session/follow', { sessionId: session.id, after: 0 })
  expect(again.error?.data?.code).toBe('session_not_found')
})

test('commands for a session go to the hub that runs it, with the caller as its author: REST and WebSocket', async () => {
  const session = await studio.createSession()
  const feed = await build.follow(session.id)
  const created = await build.post('/api/tokens', { name: `phone ${session.id}`, scope: 'write' })
  const { token, name } = (await created.json()) as CreatedToken
  const asPhone = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    build.fetch(`${session.path}${path}`, {
      method: 'POST',
      headers: asPhone,
      body: JSON.stringify(body),
    })
  expect((await post('/prompt', { text: 'ask' })).status).toBe(202)
  const asked = await feed.until('permission.requested')
  const { permissionId, options } = asked.data
  const answer = { optionId: options[0]?.optionId }
  expect((await post(`/permissions/${permissionId}`, answer)).status).toBe(200)
  await feed.until('turn.ended')
  expect((await feed.until('permission.resolved')).data).toMatchObject({ by: name })
  const prompted = await feed.call('session/prompt', { sessionId: session.id, text: 'echo two' })
  const { turnId } = prompted.result as { turnId: string }
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  const refused = await feed.call('queue/remove', { sessionId: session.id, turnId: 'none' })
  expect(refused.error?.data?.code).toBe('turn_not_found')
  const listed = await build.get<SessionDetail>(session.path)
  expect(listed.messages.length).toBeGreaterThan(2)
  const renamed = await build.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Ünïcode, from afar' }),
  })
  expect(await renamed.json()).toMatchObject({ title: 'Ünïcode, from afar' })
  expect((await build.fetch(`${session.path}/wire?limit=1`)).status).toBe(200)
  expect((await build.fetch(`${session.path}/changes`)).status).toBe(200)
  const { headers } = await build.fetch(`/api/repos/${session.summary.repoId}/status`)
  expect(headers.get('content-type')).toContain('json')
  expect((await build.post(`${session.path}/complete`, {})).status).toBe(200)
  expect((await build.post(`${session.path}/resume`, {})).status).toBe(200)
  const { status, hub } = await session.summaryNow()
  expect({ status, hub }).toMatchObject({ status: 'active', hub: { state: 'here' } })
})

test('a scope that is too small stays too small at another hub, and nobody can name a caller without the token', async () => {
  const session = await studio.createSession()
  const created = await build.post('/api/tokens', { name: `reader ${session.id}`, scope: 'read' })
  const { token } = (await created.json()) as CreatedToken
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const prompt = { method: 'POST', headers, body: '{"text":"echo no"}' }
  expect((await build.fetch(`${session.path}/prompt`, prompt)).status).toBe(403)
  const caller = Buffer.from('{"by":"me","scope":"admin"}').toString('base64url')
  const forged = {
    headers: { authorization: 'Bearer quayside_hub_x', 'x-quayside-caller': caller },
  }
  expect((await studio.fetch('/api/sessions', forged)).status).toBe(401)
  const [row] = await query<{ token: string }>(
    url,
    `SELECT "token" FROM "Hub" WHERE "name" = 'build' AND NOT "dead"`,
  )
  const ofAnother = { 'x-quayside-caller': caller, authorization: `Bearer ${row?.token}` }
  expect((await studio.fetch('/api/sessions', { headers: ofAnother })).status).toBe(401)
  expect((await build.fetch('/api/sessions', { headers: ofAnother })).status).toBe(200)
})

test('a session and a terminal are made where their repository is', async () => {
  const { repos } = await build.get<{ repos: Repo[] }>('/api/repos')
  const repo = repos.find(({ hub }) => hub?.name === 'studio')
  expect(repo).toMatchObject({ name: 'shop-api', hub: { state: 'elsewhere' } })
  expect(repos[0]?.hub, 'those of this machine come first').toMatchObject({ state: 'here' })
  const response = await build.post('/api/sessions', { repoId: repo?.id, title: 'From afar' })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as SessionSummary
  expect(await placeAt(build, id)).toMatchObject({ name: 'studio', state: 'elsewhere' })
  const opened = await build.post('/api/terminals', {
    sessionId: id,
    command: 'sh',
    args: ['-c', 'read line; echo "got $line"; pwd'],
  })
  expect(opened.status).toBe(201)
  const { id: terminalId } = (await opened.json()) as Terminal
  const { terminals } = await build.get<{ terminals: Terminal[] }>('/api/terminals')
  expect(terminals.map((one) => one.id)).toContain(terminalId)
  const socket = await openSocket(build.hub.address)
  let output = ''
  socket.on('message', (data: Buffer) => {
    const { params } = JSON.parse(data.toString()) as { params?: { data?: string } }
    output += params?.data ?? ''
  })
  const send = (method: string, params: object) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  send('terminal/follow', { terminalId })
  send('terminal/input', { terminalId, data: 'hello\n' })
  await expect.poll(() => output).toContain('got hello')
  await expect.poll(() => output).toContain(studio.workspace)
  socket.terminate()
  const closed = await build.fetch(`/api/terminals/${terminalId}`, { method: 'DELETE' })
  expect(closed.status).toBe(204)
})

test('an ACP client of one hub loads, prompts and answers a session that another one runs', async () => {
  const session = await studio.createSession()
  await session.run('echo before')
  const client = await AcpTestClient.connect(webSocketStream(build.hub.address))
  try {
    await client.load(session.id, build.workspace)
    expect(client.text(session.id)).toContain('before')
    client.onPermission = async ({ options }) => ({
      outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
    })
    const { stopReason } = await client.prompt(session.id, 'ask')
    expect(stopReason).toBe('end_turn')
    expect(client.text(session.id)).toContain('selected')
    const waiting = client.prompt(session.id, 'slow 600')
    const starts = () => session.feed.types().filter((type) => type === 'turn.started')
    await expect.poll(starts).toHaveLength(3)
    await client.agent.notify('session/cancel', { sessionId: session.id })
    expect((await waiting).stopReason).toBe('cancelled')
  } finally {
    client.connection.close()
  }
})

test('while two hubs cannot reach each other, commands are refused in time, and reading and following go on', async () => {
  const session = await studio.createSession()
  const feed = await build.follow(session.id)
  // A closed port, and then that of another hub, which does not know the token.
  for (const address of ['http://127.0.0.1:1', build.hub.address]) {
    await moveStudio(address)
    const prompt = await postToBuild(`${session.path}/prompt`, '{"text":"echo no"}')
    expect([prompt.status, await prompt.json()]).toMatchObject([
      503,
      { error: { code: 'hub_unreachable', details: { hub: { name: 'studio' } } } },
    ])
    const called = await feed.call('session/prompt', { sessionId: session.id, text: 'echo no' })
    expect(called.error?.data?.code).toBe('hub_unreachable')
    expect((await build.fetch(session.path)).status, 'read from the database').toBe(200)
    const { turnId } = await session.prompt('echo yes')
    await feed.until('turn.ended', (data) => data.turnId === turnId)
  }
  await moveStudio(studio.hub.address)
  const called = await feed.call('session/prompt', { sessionId: session.id, text: 'echo back' })
  expect(called.error).toBeUndefined()
})

test('the command line lists hubs, and the machine of each session and repository', async () => {
  const session = await studio.createSession(undefined, { title: 'Somewhere' })
  const run = async (...args: string[]) => {
    const flags = ['--hub', build.hub.address, '--token', TOKEN]
    const command = new CommandRun([...args, ...flags], { isTerminal: true })
    const { code, stdout } = await command.ended
    expect(code).toBe(0)
    return stripVTControlCharacters(stdout)
  }
  expect(await run('hubs')).toMatch(/studio +elsewhere +http/)
  expect(await run('hubs')).toMatch(/build +here +http/)
  expect(await run('sessions')).toMatch(/Somewhere +shop-api +demo +studio /)
  expect(await run('repos')).toContain(`studio:${studio.workspace}`)
  await build.post(`${session.path}/complete`, {})
})

test('a session of a machine that is away stays readable; commands are refused with its name until it is back', async () => {
  const session = await studio.createSession()
  await session.run('echo still here')
  await studio.hub.stop()
  await expect.poll(() => placeAt(build, session.id)).toMatchObject({ state: 'away' })
  const refused = await postToBuild(`${session.path}/resume`, '{}')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'hub_unreachable',
      message: expect.stringMatching(/"studio" cannot be reached, since 20/) as string,
      details: { hub: { name: 'studio' } },
    },
  })
  const { messages } = await build.get<SessionDetail>(session.path)
  expect(JSON.stringify(messages)).toContain('still here')
  for (const view of ['timeline', 'transcript'])
    expect((await build.fetch(`${session.path}/${view}`)).status).toBe(200)
  expect(JSON.stringify(await build.get('/api/sessions?q=still'))).toContain(session.id)
  studio = await start('studio', studio.folder)
  await expect.poll(() => placeAt(build, session.id)).toMatchObject({ state: 'elsewhere' })
  expect((await build.post(`${session.path}/resume`, {})).status).toBe(200)
})
