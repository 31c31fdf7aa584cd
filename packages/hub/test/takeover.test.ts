// A hub is killed, stopped or cut off: another one with the same volume takes its sessions over. Never do two agents of one session run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Connections } from '../src/store/postgres/connections.js'
import { CommandRun } from './command-run.js'
import { LEASE_MS, LeaseHub } from './lease-hub.js'
import { findProcess } from './orphans-fixture.js'
import { newPostgresDatabase, query } from './postgres-fixture.js'
import {
  makeFolder,
  makeRepository,
  startTestHub,
  type TestHub,
  type TestSession,
  TOKEN,
} from './test-hub.js'

let url: string
let shared: string
/** In this process: it is never stopped. */
let build: TestHub
/** Used by one test after the other, until one kills it. */
let studio: LeaseHub | undefined

beforeAll(async () => {
  url = await newPostgresDatabase()
  shared = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-volume-')))
  makeRepository(join(shared, 'disk', 'shop'))
  mkdirSync(join(shared, 'disk', 'agents'))
  symlinkSync(join(shared, 'disk'), join(shared, 'mounted-elsewhere'))
  const env = {
    QUAYSIDE_DATABASE_URL: url,
    QUAYSIDE_NAME: 'build',
    QUAYSIDE_VOLUMES: `code=${join(shared, 'mounted-elsewhere')}`,
  }
  build = await startTestHub({ env, leaseMs: LEASE_MS, folder: newFolder() })
})
afterAll(async () => {
  await studio?.[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
  rmSync(shared, { recursive: true, force: true })
})

/** The memory of the agents is on the shared disk, too. */
function newFolder(): string {
  const folder = makeFolder()
  symlinkSync(join(shared, 'disk', 'agents'), join(folder, 'data', 'demo-agent'))
  return folder
}

function startStudio(folder = newFolder(), name = 'studio'): Promise<LeaseHub> {
  const env = { QUAYSIDE_VOLUMES: `code=${join(shared, 'disk')}` }
  return LeaseHub.start({ name, url, env, folder })
}

/** In its folder, which has its name in the cluster: a hub that was killed comes back as the same machine. */
async function runningStudio(): Promise<LeaseHub> {
  if (studio?.process.signalCode !== null) studio = await startStudio(studio?.folder)
  return studio
}

async function repoAt(hub: TestHub, name: string): Promise<Repo> {
  const find = async () => {
    const { repos } = await hub.get<{ repos: Repo[] }>('/api/repos')
    return repos.find((repo) => repo.name === name && repo.hub?.state === 'here')
  }
  // A hub looks for others once a second.
  return vi.waitUntil(find, { timeout: 20_000 })
}

async function inList(hub: TestHub, id: string): Promise<SessionSummary | undefined> {
  const { sessions } = await hub.get<{ sessions: SessionSummary[] }>('/api/sessions')
  return sessions.find((session) => session.id === id)
}

/** On the shared volume, with a turn under way and another prompt that waits. */
async function begin(hub: TestHub, name = 'shop'): Promise<TestSession & { pid: number }> {
  const { id: repoId } = await repoAt(hub, name)
  const session = await hub.createSession(undefined, { repoId })
  const { data } = await session.feed.until('agent.started')
  return Object.assign(session, { pid: data.pid! })
}

test('hubs that have a volume share its repositories, wherever it is mounted', async () => {
  const studio = await runningStudio()
  const [here, there] = [await repoAt(build, 'shop'), await repoAt(studio, 'shop')]
  expect(here.id).toBe(there.id)
  expect(here.path).toBe(join(shared, 'disk', 'shop'))
  const names = async (hub: TestHub) =>
    (await hub.get<{ repos: Repo[] }>('/api/repos')).repos.map(({ name }) => name).toSorted()
  expect(await names(build)).toEqual(['shop', 'shop-api', 'shop-api'])
})

test('after kill -9 of a hub, another one ends its session, resumes it and goes on with the prompt that waits', async () => {
  const studio = await runningStudio()
  const session = await begin(studio)
  await session.run('echo before')
  await session.prompt('ask')
  const { data: asked } = await session.feed.until('permission.requested')
  const { turnId: queued } = await session.prompt('echo after')
  const feed = await build.follow(session.id)
  await feed.until('turn.queued', (data) => data.turnId === queued)
  await studio.kill()
  const ended = await feed.until('session.ended')
  expect(ended.data).toMatchObject({
    status: 'error',
    reason: 'hub_lost',
    message: 'The machine "studio" stopped answering, so "build" has taken the session over.',
  })
  const { data: resolved } = await feed.until('permission.resolved')
  expect(resolved).toMatchObject({
    permissionId: asked.permissionId,
    outcome: { outcome: 'cancelled' },
  })
  const resumed = await feed.until('session.resumed')
  expect(resumed.data).toEqual({ by: 'takeover' })
  await feed.until('agent.started', ({ how }) => how === 'resume')
  await feed.until('turn.ended', ({ turnId }) => turnId === queued)
  const started = feed.events.filter(({ type }) => type === 'turn.started')
  expect(started, 'a turn that ran is not sent again').toHaveLength(3)
  expect(findProcess(session.pid)).toBeUndefined()
  expect(await build.get<SessionSummary>(session.path)).toMatchObject({
    status: 'active',
    hub: { name: 'build', state: 'here' },
  })
  expect((await build.fetch(`${session.path}/changes`)).status).toBe(200)
  await build.post(`${session.path}/complete`, {})
  // Its next start finds the session with another hub.
  const again = await runningStudio()
  expect(await inList(again, session.id)).toMatchObject({
    status: 'completed',
    hub: { name: 'build', state: 'elsewhere' },
  })
})

test('a hub that was stopped beyond its lease finds its session with another hub, its agent gone, and stores nothing of it', async () => {
  const studio = await runningStudio()
  const session = await begin(studio)
  await session.prompt('drip 100000 20')
  await session.feed.until('acp.update', ({ turnId }) => turnId !== undefined)
  const feed = await build.follow(session.id)
  studio.process.kill('SIGSTOP')
  const ended = await feed.until('session.ended')
  expect(findProcess(session.pid), 'ended before').toBeUndefined()
  expect(ended.data).toMatchObject({ reason: 'hub_lost' })
  const resumed = await feed.until('session.resumed')
  studio.process.kill('SIGCONT')
  await expect
    .poll(async () => (await inList(studio, session.id))?.hub)
    .toMatchObject({ name: 'build', state: 'elsewhere' })
  const prompted = await studio.post(`${session.path}/prompt`, { text: 'echo at last' })
  expect(prompted.status, 'passed on').toBe(202)
  const { turnId } = (await prompted.json()) as { turnId: string }
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  const epochs = await query<{ seq: number; epoch: number }>(
    url,
    `SELECT "seq", "epoch" FROM "AgentEvent" WHERE "sessionId" = '${session.id}' ORDER BY "seq"`,
  )
  expect(epochs.map(({ seq }) => seq)).toEqual(epochs.map((_, at) => at + 1))
  const inOrder = epochs.toSorted((a, b) => a.epoch - b.epoch || a.seq - b.seq)
  expect(epochs, 'the earlier hub stored nothing after it').toEqual(inOrder)
  expect(epochs.find(({ seq }) => seq === resumed.seq)).toMatchObject({ epoch: 2 })
  await build.post(`${session.path}/complete`, {})
})

test('a session of a dead hub that a person ends before another hub has it stays ended, with the prompts that wait', async () => {
  const studio = await runningStudio()
  const session = await begin(studio)
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  const { turnId: queued } = await session.prompt('echo after')
  const feed = await build.follow(session.id)
  await feed.until('turn.queued', ({ turnId }) => turnId === queued)
  await studio.kill()
  const headers = { authorization: `Bearer ${TOKEN}` }
  const end = () => fetch(`${build.hub.address}${session.path}`, { method: 'DELETE', headers })
  await expect.poll(async () => (await end()).ok, { timeout: 30_000 }).toBe(true)
  expect(await build.get<SessionSummary>(session.path)).toMatchObject({ status: 'cancelled' })
  const { data } = await feed.until('session.ended', ({ reason }) => reason === 'user_request')
  expect(data).toMatchObject({ status: 'cancelled' })
  const ends = feed.events.filter(({ type }) => type === 'turn.ended')
  expect(ends).toHaveLength(2)
})

test('a session that a person ends while a takeover stores its end is ended, and not by the takeover alone', async () => {
  const studio = await runningStudio()
  const session = await begin(studio)
  const feed = await build.follow(session.id)
  const holder = new Connections(url)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const request = { method: 'POST', headers }
  const ended = await holder.inTransaction(async (client) => {
    await client.query('LOCK TABLE "AgentEvent" IN SHARE MODE')
    await studio.kill()
    const { rows } = await client.query<{ at: string }>('SELECT clock_timestamp()::text AS "at"')
    const waiting = async () => (await client.query(WAITING, [rows[0]?.at])).rowCount
    await expect.poll(waiting, { interval: 20, timeout: 30_000 }).toBeGreaterThan(0)
    const ended = fetch(`${build.hub.address}${session.path}/complete`, request)
    // Later than the request to end it.
    await build.get<SessionSummary>(session.path)
    return { ended }
  })
  await holder.close()
  expect((await ended.ended).status).toBe(200)
  await feed.until('session.ended', ({ reason }) => reason === 'user_request')
  expect(await build.get<SessionSummary>(session.path)).toMatchObject({ status: 'completed' })
})
/** The takeover, and no commit of the hub that was killed. */
const WAITING =
  'SELECT 1 FROM pg_locks JOIN pg_stat_activity USING ("pid") WHERE NOT granted AND "query_start" > $1'

test('a session on a disk that no other hub has stays where it is, and goes on when its machine is back', async () => {
  const studio = await runningStudio()
  const session = await begin(studio, 'shop-api')
  const { id: repoId } = await repoAt(studio, 'shop')
  const settings = { workspace: 'worktree' }
  const inTree = await studio.createSession(undefined, { repoId, settings })
  await studio.kill()
  const there = { name: 'studio', state: 'away', since: expect.any(String) as string }
  for (const { id } of [session, inTree])
    await expect.poll(async () => (await inList(build, id))?.hub).toMatchObject(there)
  await expect.poll(() => query(url, DEAD)).toHaveLength(1)
  const again = await runningStudio()
  for (const { id, path } of [session, inTree]) {
    await expect.poll(async () => (await inList(build, id))?.status).toBe('error')
    expect((await inList(again, id))?.metadata).toMatchObject({ reason: 'hub_crash' })
    expect((await build.post(`${path}/resume`, {})).status).toBe(200)
    expect((await inList(build, id))?.hub).toMatchObject({ name: 'studio', state: 'elsewhere' })
  }
})
const DEAD = `SELECT 1 FROM "Hub" AS h WHERE h."name" = 'studio' AND h."dead" AND h."startedAt" = (
  SELECT max("startedAt") FROM "Hub" WHERE "name" = 'studio')`

test('a hub that is emptied takes no new work, completes its turn and gives its session to another hub; it is removed when it is away', async () => {
  // The session can go to one other hub only.
  await studio?.hub.stop()
  await using mill = await startStudio(newFolder(), 'mill')
  const session = await begin(mill)
  const own = await begin(mill, 'shop-api')
  await session.prompt('ask')
  const { data: asked } = await session.feed.until('permission.requested')
  const run = async (...args: string[]) => {
    const flags = ['--hub', build.hub.address, '--token', TOKEN]
    return new CommandRun([...args, ...flags], {}).ended
  }
  const drained = run('hubs', 'drain', 'mill')
  const isDraining = async () => (await run('hubs', '--json')).stdout.includes('"draining": true')
  await expect.poll(isDraining).toBe(true)
  const prompt = () => post(mill, `${session.path}/prompt`, { text: 'echo no' })
  await expect.poll(async () => (await prompt()).status).toBe(503)
  const refusal = await post(mill, '/api/sessions', { repoId: own.summary.repoId })
  expect([refusal.status, await refusal.json()]).toMatchObject([
    503,
    {
      error: {
        code: 'hub_draining',
        message: expect.stringContaining('Use "build" instead') as string,
      },
    },
  ])
  expect((await run('hubs')).stdout).toContain('being emptied')
  await session.answer(asked.permissionId, asked.options[0]!.optionId)
  const feed = await build.follow(session.id)
  await feed.until('session.ended', ({ reason }) => reason === 'hub_drained')
  expect((await feed.until('session.resumed')).data).toEqual({ by: 'drain' })
  const { code, stdout } = await drained
  expect([code, stdout]).toEqual([0, expect.stringContaining('mill is empty') as string])
  expect(await inList(build, session.id)).toMatchObject({
    status: 'active',
    hub: { name: 'build', state: 'here' },
  })
  expect(await inList(build, own.id)).toMatchObject({ status: 'completed' })
  expect((await run('hubs', 'drain', 'mill', '--cancel')).code).toBe(0)
  await expect.poll(async () => (await post(mill, `${own.path}/resume`, {})).status).toBe(200)
  const refused = await run('hubs', 'remove', 'mill')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Stop it first')])
  await mill.kill()
  await expect.poll(async () => (await run('hubs', 'remove', 'mill')).code).toBe(0)
  expect((await run('hubs')).stdout).not.toContain('mill')
  expect(await inList(build, own.id)).toMatchObject({
    status: 'error',
    metadata: { reason: 'hub_lost' },
  })
  expect((await build.fetch(`${own.path}/transcript`)).status).toBe(200)
})

/** Without the check of documented answers: any command may be refused by a hub that is emptied. */
function post(hub: TestHub, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  return fetch(`${hub.hub.address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}
