// One process for many sessions: they do not mix, one can end alone, and a crash ends all of them and no others.
import type { EventOf } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, findExtension, isRunning, listProcesses, POOLED } from './pool-fixture.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

/** More in `npm run test:torture`. */
const ROUNDS = 'QUAYSIDE_TORTURE_ROUNDS' in process.env ? 10 : 2

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({
    env: {
      QUAYSIDE_EXTENSIONS: POOLED,
      AGENT_MAX_SESSIONS: '100',
      AGENT_CANCEL_GRACE: '0.5',
    },
  })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function pidOf(session: TestSession): Promise<number> {
  return (await session.feed.until('agent.started')).data.pid!
}

test('all sessions of a shared extension work with the process that waited for them', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => hub.createSession('shared')))
  const pids = await Promise.all(sessions.map(pidOf))
  expect(new Set(pids).size).toBe(1)
  const [running] = await listProcesses(hub, 'shared')
  expect(running).toMatchObject({ pid: pids[0] })
  expect([...running!.sessionIds].toSorted()).toEqual(sessions.map(({ id }) => id).toSorted())
})

test('sessions that speak at the same time do not mix', async () => {
  const sessions = await Promise.all(Array.from({ length: 8 }, () => hub.createSession('shared')))
  await Promise.all(sessions.map((session, at) => session.run(`echo ${`only ${at} `.repeat(50)}`)))
  for (const [at, { feed }] of sessions.entries()) {
    const numbers = new Set(feed.text().match(/only \d/g))
    expect([...numbers]).toEqual([`only ${at}`])
  }
})

test('a permission is asked in the session it belongs to', async () => {
  const [one, other] = await Promise.all([hub.createSession('shared'), hub.createSession('shared')])
  await one.prompt('permission')
  const { permissionId, options } = (await one.feed.until('permission.requested')).data
  expect((await other.run('echo free')).data.stopReason).toBe('end_turn')
  expect(other.feed.types()).not.toContain('permission.requested')
  await one.answer(permissionId, options[0]!.optionId)
  await one.feed.until('turn.ended')
})

test('an agent that gives an id twice gets no second session, and the first keeps its updates', async () => {
  const session = await hub.createSession('same-id')
  const { id: repoId } = await hub.firstRepo()
  const refused = await hub.post('/api/sessions', { repoId, extensionId: 'same-id' })
  expect(refused.status).toBe(502)
  expect(await refused.json()).toMatchObject({ error: { code: 'agent_failed' } })
  await session.run('echo mine')
  expect(session.feed.text()).toBe('mine')
  await hub.post(`${session.path}/complete`, {})
  const next = await hub.createSession('same-id')
  await next.run('echo next')
  expect([session.feed.text(), next.feed.text()]).toEqual(['mine', 'next'])
})

test('a session that ends leaves the process to the others', async () => {
  const [one, other] = await Promise.all([hub.createSession('shared'), hub.createSession('shared')])
  const pid = await pidOf(one)
  await hub.fetch(one.path, { method: 'DELETE' })
  const exited = await one.feed.until('agent.exited')
  expect(exited.data).toEqual({ reason: 'stopped' })
  expect(isRunning(pid)).toBe(true)
  expect((await other.run('echo still here')).data.stopReason).toBe('end_turn')
  const [running] = await listProcesses(hub, 'shared')
  expect(running!.sessionIds).not.toContain(one.id)
})

test('a resumed session uses the same process and remembers', async () => {
  const session = await hub.createSession('shared')
  await session.run('echo remember me')
  await hub.post(`${session.path}/complete`, {})
  await session.feed.until('session.ended')
  await hub.post(`${session.path}/resume`, {})
  const started = session.feed.events.filter(
    (event): event is EventOf<'agent.started'> => event.type === 'agent.started',
  )
  expect(started.map(({ data }) => data.pid)).toEqual([await pidOf(session), await pidOf(session)])
  await session.run('recall')
  expect(session.feed.text()).toContain('remember me')
})

test('a crash ends all its sessions truthfully, and only those; the next session gets another one', async () => {
  const bystander = await hub.createSession('demo')
  const sessions = await Promise.all([hub.createSession('shared'), hub.createSession('shared')])
  const pid = await pidOf(sessions[0])
  await sessions[0].prompt('crash')
  for (const { feed } of sessions) {
    const ended = await feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'error', reason: 'agent_exited' })
    expect((await feed.until('agent.exited')).data).toMatchObject({
      reason: 'crashed',
      exitCode: 7,
    })
  }
  expect(await bystander.summaryNow()).toMatchObject({ status: 'active' })
  const next = await hub.createSession('shared')
  expect(await pidOf(next)).not.toBe(pid)
})

test('an unanswered cancel ends the process: the session continues, its neighbours are in error', async () => {
  const session = await hub.createSession('shared')
  const neighbour = await hub.createSession('shared')
  await session.run('echo remember me')
  const pid = await pidOf(session)
  const { turnId } = await session.prompt('hang')
  await session.feed.until('turn.started', (data) => data.turnId === turnId)
  const answer = await hub.post(`${session.path}/cancel`, {})
  expect(await answer.json()).toMatchObject({ status: 'active', activity: 'idle' })
  expect(isRunning(pid)).toBe(false)
  const { data: ended } = await neighbour.feed.until('session.ended')
  expect(ended).toMatchObject({ status: 'error', reason: 'agent_hung' })
  await session.run('recall')
  expect(session.feed.text()).toContain('remember me')
})

test('without sessions a process that is kept warm waits for the next, another one ends', async () => {
  await using quiet = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: POOLED } })
  const kept = await quiet.createSession('shared')
  const gone = await quiet.createSession('shared-cold')
  const [keptPid, gonePid] = [await pidOf(kept), await pidOf(gone)]
  await Promise.all([kept, gone].map(({ path }) => quiet.post(`${path}/complete`, {})))
  expect(isRunning(gonePid)).toBe(false)
  expect(isRunning(keptPid)).toBe(true)
  expect((await findExtension(quiet, 'shared')).warm).toMatchObject({ wanted: 1, ready: 1 })
  const next = await quiet.createSession('shared')
  expect(await pidOf(next)).toBe(keptPid)
})

test('a session that begins while the last one leaves gets a process that stays', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = await hub.createSession('shared-cold')
    const [, next] = await Promise.all([
      hub.post(`${last.path}/complete`, {}),
      hub.createSession('shared-cold'),
    ])
    expect((await next.run('echo here')).data.stopReason).toBe('end_turn')
    await hub.post(`${next.path}/complete`, {})
  }
  await eventually(async () => expect(await listProcesses(hub, 'shared-cold')).toEqual([]))
}, 240_000)
