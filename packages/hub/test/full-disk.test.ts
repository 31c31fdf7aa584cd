// A store that refuses writes: sessions end with their real outcome, now or when writing works again, and no client sees another one.
import { join } from 'node:path'
import type { ErrorBody, EventType, Message } from '@quayside/protocol'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DATABASE_FILE } from '../src/store/data-files.js'
import { type Database, openDatabase } from '../src/store/sqlite/database.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
let store: Database
let session: TestSession

beforeAll(async () => {
  hub = await startTestHub({ env: { AGENT_MAX_SESSIONS: '20' } })
  store = openDatabase(join(hub.folder, 'data', DATABASE_FILE), { durability: 'normal' })
})
beforeEach(async () => {
  session = await hub.createSession()
})
afterAll(async () => {
  store.close()
  await hub[Symbol.asyncDispose]()
})

/** From now on the store refuses events of these types, like a full disk. */
function fill(...types: EventType[]): void {
  refuse('database or disk is full', types)
}

function refuse(reason: string, types: readonly EventType[]): void {
  const refused = types.map((type) => `'${type}'`).join(', ')
  store.exec(
    `CREATE TRIGGER full BEFORE INSERT ON AgentEvent WHEN NEW.type IN (${refused})
     BEGIN SELECT RAISE(ABORT, '${reason}'); END`,
  )
}

function free(): void {
  store.exec('DROP TRIGGER full')
}

/** The last events without those of variable timing. */
function lastTypes(count: number): EventType[] {
  return session.feed
    .types()
    .filter((type) => type !== 'session.updated')
    .slice(-count)
}

test('a session whose end cannot be stored reports so, and ends as requested once there is room', async () => {
  fill('session.ended')
  const refused = await hub.post(`${session.path}/complete`, {})
  expect(refused.status).toBe(507)
  expect(await session.summaryNow()).toMatchObject({ status: 'active' })
  expect((await hub.post(`${session.path}/prompt`, { text: 'echo more' })).status).toBe(409)
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(507)

  free()
  const { data } = await session.feed.until('session.ended')
  expect(data).toMatchObject({ status: 'completed', reason: 'user_request' })
  expect(lastTypes(2)).toEqual(['agent.exited', 'session.ended'])
  expect((await hub.post(`${session.path}/resume`, {})).status).toBe(200)
  await session.run('echo back again')
  expect(session.feed.text()).toContain('back again')
})

test('a session that ends before its turn starts has an end, although the turn cannot have one', async () => {
  fill('turn.ended')
  await session.prompt('echo never')
  await hub.post(`${session.path}/complete`, {})
  free()
  const { data } = await session.feed.until('session.ended')
  expect(data).toMatchObject({ status: 'completed', reason: 'user_request' })
})

test('a turn whose end cannot be stored ends the session, and what waited behind it is kept', async () => {
  const { turnId } = await session.prompt('ask')
  const { data } = await session.feed.until('permission.requested')
  const waiting = await session.prompt('echo later')
  fill('turn.ended', 'agent.exited', 'session.ended')
  await untilRefused(() => session.answer(data.permissionId, 'allow_once'))
  await expect.poll(() => session.summaryNow()).toMatchObject({ status: 'active', notStored: true })

  free()
  const ended = await session.feed.until('session.ended')
  expect(ended.data).toMatchObject({ status: 'error', reason: 'storage_failed' })
  expect(ended.data.message).toContain('could not be stored, so the hub ended the agent')
  const { data: exited } = await session.feed.until('agent.exited')
  expect(exited).toMatchObject({ reason: 'stopped', cause: 'storage_failed' })
  const summary = await session.summaryNow()
  expect(summary).toMatchObject({ metadata: { reason: 'storage_failed' } })
  expect(summary).not.toHaveProperty('notStored')
  expect(lastTypes(3).toSorted()).toEqual(['agent.exited', 'session.ended', 'turn.ended'])
  const turn = await session.feed.until('turn.ended')
  expect(turn.data).toMatchObject({
    turnId,
    error: { code: 'storage_failed', message: ended.data.message },
  })
  await hub.post(`${session.path}/resume`, {})
  await session.feed.until('turn.ended', (end) => end.turnId === waiting.turnId)
  expect(session.feed.text()).toContain('later')
})

test('an update that cannot be stored ends the session with the hub’s reason, not with the agent’s exit', async () => {
  await session.feed.until('session.updated')
  fill('acp.update')
  await session.prompt('stubborn')
  const { data } = await session.feed.until('session.ended')
  free()
  expect(data).toMatchObject({ status: 'error', reason: 'storage_failed' })
  const { error } = (await session.feed.until('turn.ended')).data
  expect(error).toMatchObject({ code: 'storage_failed', message: data.message })
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  const errors = messages.filter(({ content }) => content.type === 'error')
  expect(errors.map(({ content }) => content)).toMatchObject([{ text: data.message }])
})

test('an answer that cannot be stored leaves its question open for another try', async () => {
  await session.prompt('ask')
  const { permissionId } = (await session.feed.until('permission.requested')).data
  fill('permission.resolved')
  expect((await session.answer(permissionId, 'allow_once')).status).toBe(507)
  const { permissions } = await hub.get<{ permissions: unknown[] }>(`${session.path}/permissions`)
  expect(permissions).toMatchObject([{ permissionId }])

  free()
  expect((await session.answer(permissionId, 'allow_once')).status).toBe(200)
  await session.feed.until('turn.ended')
})

test('a refused write says what is wrong: a full disk or a locked database', async () => {
  // First updates of the agent in the commit of a refused prompt would be refused with it, which ends the session.
  await session.run('echo ready')
  const messageOf = async (reason: string): Promise<string> => {
    refuse(reason, ['turn.queued'])
    const refused = await hub.post(`${session.path}/prompt`, { text: 'echo never' })
    free()
    return ((await refused.json()) as ErrorBody).error.message
  }
  expect(await messageOf('database or disk is full')).toContain('The disk is full. Free some space')
  expect(await messageOf('database is locked')).toContain('locked the database')
})

test('settings that cannot be stored do not count', async () => {
  await session.feed.until('session.updated')
  fill('session.updated')
  const settings = { permissions: { mode: 'auto' } }
  const refused = await hub.fetch(session.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  })
  expect(refused.status).toBe(507)
  free()
  await session.prompt('ask')
  const { permissionId } = (await session.feed.until('permission.requested')).data
  expect((await session.answer(permissionId, 'reject_once')).status).toBe(200)
})

test('an agent that dies over an open question while nothing can be stored takes no hub along', async () => {
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  fill('permission.resolved', 'turn.ended', 'agent.exited', 'session.ended')
  const { pid } = (await session.feed.until('agent.started')).data
  await untilRefused(() => process.kill(pid!, 'SIGKILL'))

  free()
  await session.feed.until('session.ended')
  expect(lastTypes(4).toSorted()).toEqual([
    'agent.exited',
    'permission.resolved',
    'session.ended',
    'turn.ended',
  ])
})

test('a hub that stops while nothing can be stored goes in time; the next one finds what is missing', async () => {
  fill('agent.exited', 'session.ended')
  await hub.hub.stop()
  free()
  await using next = await startTestHub({ folder: hub.folder })
  const feed = await next.follow(session.id)
  const { data } = await feed.until('session.ended')
  expect(data).toMatchObject({ status: 'error', reason: 'hub_crash' })
  expect(feed.types().slice(-2)).toEqual(['agent.exited', 'session.ended'])
})

/** Runs `act` and waits until the store has refused a write. */
async function untilRefused(work: () => Promise<unknown> | boolean): Promise<void> {
  const before = await refusals()
  await work()
  await expect.poll(refusals).toBeGreaterThan(before)
}

async function refusals(): Promise<number> {
  const metrics = await (await hub.fetch('/metrics')).text()
  return Number(/^quayside_commit_failures_total (\d+)/m.exec(metrics)?.[1])
}
