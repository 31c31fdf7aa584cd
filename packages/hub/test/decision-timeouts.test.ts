// The time that a decision may take: how long people have, and what a session shows afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub()
})
afterAll(() => hub[Symbol.asyncDispose]())

test('Permission: a timeout answers cancelled and cancels the turn; the session stays active', async () => {
  await using impatient = await startTestHub({ env: { AGENT_PERMISSION_TIMEOUT: '0.2' } })
  const session = await impatient.createSession()
  await session.prompt('ask')
  const asked = await session.feed.until('permission.requested')
  expect(asked.data).toHaveProperty('expiresAt')
  const resolved = await session.feed.until('permission.resolved')
  expect(resolved.data).toMatchObject({ outcome: { outcome: 'cancelled' }, reason: 'timeout' })
  const ended = await session.feed.until('turn.ended')
  expect(ended.data).toMatchObject({ stopReason: 'cancelled', reason: 'decision_timeout' })
  const timedOut = { status: 'active', activity: 'idle', step: { type: 'timeout' } }
  expect(await session.summaryNow()).toMatchObject(timedOut)
})

test('a session that ended after a timeout is still known to have timed out, until the next turn', async () => {
  await using impatient = await startTestHub({ env: { AGENT_PERMISSION_TIMEOUT: '0.2' } })
  const session = await impatient.createSession()
  const path = `/api/sessions/${session.id}`
  await session.run('ask')
  await impatient.fetch(path, { method: 'DELETE' })
  expect(await session.summaryNow()).toMatchObject({ metadata: { timedOut: true } })
  expect((await impatient.post(`${path}/resume`, {})).status).toBe(200)
  await session.run('echo hello')
  expect(await session.summaryNow()).not.toHaveProperty('step')
  await impatient.fetch(path, { method: 'DELETE' })
  expect((await session.summaryNow()).metadata).not.toHaveProperty('timedOut')
})

test('a waiting permission is listed with the time it was asked and the time it expires', async () => {
  await using patient = await startTestHub({ env: { AGENT_PERMISSION_TIMEOUT: '0' } })
  const [session, unlimited] = [await hub.createSession(), await patient.createSession()]
  await Promise.all([session.prompt('ask'), unlimited.prompt('ask')])
  const { at, data } = await session.feed.until('permission.requested')
  const { expiresAt } = data
  const since = new Date(at).toISOString()
  expect(await session.summaryNow()).toMatchObject({
    step: { type: 'permission', since, expiresAt },
  })
  expect(Date.parse(expiresAt!) - at).toBeGreaterThan(23 * 60 * 60_000)
  expect((await unlimited.feed.until('permission.requested')).data).not.toHaveProperty('expiresAt')
})
