// The prompt queue: durable, in order, editable, and idempotent by client-made ids.
import type { EventPage, Message } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

/** 200 in `npm run test:torture`. */
const ROUNDS = Number(process.env['QUAYSIDE_TORTURE_ROUNDS'] ?? 10)

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

type Queue = { queue: { turnId: string; prompt: { text: string }[] }[] }

function change(session: TestSession, turnId: string, body: unknown): Promise<Response> {
  return hub.fetch(`${session.path}/queue/${turnId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function queueOf(session: TestSession): Promise<string[]> {
  const { queue } = await hub.get<Queue>(`${session.path}/queue`)
  return queue.map(({ prompt }) => prompt[0]!.text)
}

async function busySession(): Promise<{ session: TestSession; ids: string[] }> {
  const session = await hub.createSession()
  await session.prompt('slow 60')
  const ids: string[] = []
  for (const text of ['echo a', 'echo b', 'echo c']) ids.push((await session.prompt(text)).turnId)
  return { session, ids }
}

test('queued prompts can be edited, moved and removed, and run in the new order', async () => {
  const { session, ids } = await busySession()
  const [a, b, c] = ids as [string, string, string]
  expect(await queueOf(session)).toEqual(['echo a', 'echo b', 'echo c'])
  expect((await change(session, b, { text: 'echo B' })).status).toBe(200)
  expect((await change(session, c, { before: a })).status).toBe(200)
  expect(await queueOf(session)).toEqual(['echo c', 'echo a', 'echo B'])
  expect((await hub.fetch(`${session.path}/queue/${a}`, { method: 'DELETE' })).status).toBe(200)
  expect(await queueOf(session)).toEqual(['echo c', 'echo B'])

  await hub.post(`${session.path}/cancel`, {})
  await session.feed.until('turn.ended', ({ turnId }) => turnId === b)
  expect(session.feed.text()).toBe('cB')
  const removed = await session.feed.until('turn.ended', ({ turnId }) => turnId === a)
  expect(removed.data.error).toMatchObject({ code: 'removed' })
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  expect(JSON.stringify(messages)).toContain('echo B')
  const ofRemoved = messages.filter(({ turnId }) => turnId === a)
  expect(ofRemoved.map(({ content }) => content)).toEqual([
    { type: 'text', text: 'echo a' },
    { type: 'status', text: removed.data.error?.message },
  ])
  const transcript = await (await hub.fetch(`${session.path}/transcript?format=md`)).text()
  expect(transcript).toContain('echo B')
  expect(transcript).not.toMatch(/The turn failed|echo a/)
})

test('send now goes first and cancels what runs', async () => {
  const { session, ids } = await busySession()
  expect((await change(session, ids[2]!, { now: true })).status).toBe(200)
  await session.feed.until('turn.ended', ({ turnId }) => turnId === ids[1])
  expect(session.feed.text()).toBe('cab')
})

test('stopping the work holds back what waits, until one of it is sent; then the rest follows', async () => {
  const { session, ids } = await busySession()
  const stopped = await hub.post(`${session.path}/cancel`, { pausesQueue: true })
  expect(await stopped.json()).toMatchObject({ activity: 'idle' })
  const ended = await session.feed.until('turn.ended')
  expect(ended.data).toMatchObject({ stopReason: 'cancelled', by: 'automation', pausesQueue: true })
  await session.prompt('echo d')
  expect(await queueOf(session)).toEqual(['echo a', 'echo b', 'echo c', 'echo d'])

  expect((await change(session, ids[1]!, { now: true })).status).toBe(200)
  await session.feed.until('turn.ended', ({ turnId }) => turnId === ids[2])
  await expect.poll(() => session.feed.text()).toBe('bacd')
})

test('with nothing to hold back, a prompt after a stop starts at once', async () => {
  const session = await hub.createSession()
  await session.prompt('slow 60')
  await session.feed.until('turn.started')
  await hub.post(`${session.path}/cancel`, { pausesQueue: true })
  const end = await session.run('echo on')
  expect(end.data.stopReason).toBe('end_turn')
})

test('queued prompts of an ended session never begin, and end before the session', async () => {
  const { session, ids } = await busySession()
  await session.feed.until('turn.started')
  expect((await hub.fetch(session.path, { method: 'DELETE' })).status).toBe(200)
  const ended = await session.feed.until('session.ended')
  const { events } = await hub.get<EventPage>(`${session.path}/events`)
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1)
  for (const turnId of ids) {
    const end = events.find(({ type, data }) => type === 'turn.ended' && data.turnId === turnId)
    expect(end?.seq).toBeLessThan(ended.seq)
  }
})

test('a prompt that was sent or removed can no longer be changed', async () => {
  const { session, ids } = await busySession()
  await hub.fetch(`${session.path}/queue/${ids[0]}`, { method: 'DELETE' })
  expect((await change(session, ids[0]!, { text: 'x' })).status).toBe(409)
  expect((await change(session, ids[1]!, {})).status).toBe(400)
  expect((await change(session, ids[1]!, { before: ids[0]! })).status).toBe(409)
  await hub.fetch(`${session.path}/queue`, { method: 'DELETE' })
  expect(await queueOf(session)).toEqual([])
})

test('a prompt that never was is not found', async () => {
  const { session, ids } = await busySession()
  const remove = await hub.fetch(`${session.path}/queue/unknown`, { method: 'DELETE' })
  expect(remove.status).toBe(404)
  expect(await remove.json()).toMatchObject({ error: { code: 'turn_not_found' } })
  expect((await change(session, 'unknown', { now: true })).status).toBe(404)
  expect((await change(session, ids[0]!, { before: 'unknown' })).status).toBe(404)
})

test('the seventeenth waiting prompt is refused', async () => {
  const session = await hub.createSession()
  await session.prompt('slow 60')
  await session.feed.until('turn.started')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => hub.post(`${session.path}/prompt`, { text: `echo ${n}` })),
  )
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(16)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
})

test('the same id a hundred times over REST and WebSocket at once is one turn', async () => {
  const session = await hub.createSession()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0
        ? session.prompt('echo once', 'client-made')
        : session.feed
            .call('session/prompt', { sessionId: session.id, text: 'echo once', id: 'client-made' })
            .then(({ result }) => result),
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await session.feed.until('turn.ended')
  const { events } = await hub.get<EventPage>(`${session.path}/events`)
  expect(events.filter(({ type }) => type === 'turn.queued')).toHaveLength(1)
})

test('the same id with another content is refused over REST and WebSocket, and stays one turn', async () => {
  const session = await hub.createSession()
  const image = { type: 'image', mimeType: 'image/png', data: PIXEL }
  const [first, other] = await Promise.all([
    hub.post(`${session.path}/prompt`, { prompt: [image], id: 'mine' }),
    hub.post(`${session.path}/prompt`, { text: 'echo other', id: 'mine' }),
  ])
  expect([first.status, other.status]).toEqual([202, 409])
  expect(await other.json()).toMatchObject({
    error: { code: 'turn_id_taken', details: { turnId: 'mine' } },
  })
  const params = { sessionId: session.id, text: 'echo other', id: 'mine' }
  const { error } = await session.feed.call('session/prompt', params)
  expect(error).toMatchObject({ data: { code: 'turn_id_taken' } })
  const again = await hub.post(`${session.path}/prompt`, { prompt: [image], id: 'mine' })
  expect([again.status, await again.json()]).toEqual([202, await first.json()])
  await session.feed.until('turn.started')
  expect(session.feed.types().filter((type) => type === 'turn.queued')).toHaveLength(1)
})

test('queued prompts outlive a crash of the agent, and a known id stays one turn after resuming', async () => {
  const session = await hub.createSession('demo-alone')
  await session.prompt('crash', 'first')
  const { turnId } = await session.prompt('echo after the crash', 'second')
  await session.feed.until('session.ended')
  expect(session.feed.text()).not.toContain('after the crash')
  expect(await queueOf(session)).toEqual(['echo after the crash'])
  await hub.post(`${session.path}/resume`, {})
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  expect(session.feed.text()).toContain('after the crash')
  const { seq } = await session.prompt('echo after the crash', 'second')
  const other = await hub.post(`${session.path}/prompt`, { text: 'echo other', id: 'second' })
  expect(other.status).toBe(409)
  expect(seq).toBe(
    session.feed.events.find(
      ({ type, data }) => type === 'turn.queued' && 'turnId' in data && data.turnId === 'second',
    )!.seq,
  )
  expect(session.feed.types().filter((type) => type === 'turn.queued')).toHaveLength(2)
})

test('a permission answered twice at once over REST and WebSocket has one outcome, and it is the one that got 200', async () => {
  const session = await hub.createSession()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { turnId } = await session.prompt('ask')
    const asked = await session.feed.until('permission.requested', (data) => data.turnId === turnId)
    const { permissionId, options } = asked.data
    const wishes = [options[0]!.optionId, options[2]!.optionId]
    const statuses = await Promise.all([
      session.answer(permissionId, wishes[0]!).then(({ status }) => status),
      session.feed
        .call('permission/answer', { sessionId: session.id, permissionId, optionId: wishes[1] })
        .then(({ error }) => (error ? 409 : 200)),
    ])
    expect(statuses.toSorted()).toEqual([200, 409])
    const resolved = await session.feed.until(
      'permission.resolved',
      (data) => data.permissionId === permissionId,
    )
    expect(resolved.data.outcome).toEqual({
      outcome: 'selected',
      optionId: wishes[statuses.indexOf(200)],
    })
    await session.feed.until('turn.ended', (data) => data.turnId === turnId)
  }
}, 240_000)

test('a cancel that names its turn stops no other', async () => {
  const session = await hub.createSession()
  const { turnId } = await session.prompt('slow 60')
  await session.feed.until('turn.started', (data) => data.turnId === turnId)
  const other = await hub.post(`${session.path}/cancel`, { turnId: 'another-turn' })
  expect(await other.json()).toMatchObject({ activity: 'working' })
  const mine = await hub.post(`${session.path}/cancel`, { turnId })
  expect(await mine.json()).toMatchObject({ activity: 'idle' })
})
