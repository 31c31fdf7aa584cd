// The status table of a session, line by line, over HTTP with a real agent child.
import type { Message, SessionDetail, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

const UNKNOWN = '01a00000-0000-7000-8000-000000000000'

describe('Store new session', () => {
  test('a created session is active, bound to its repository and stored with its times', async () => {
    const { id: repoId } = await hub.firstRepo()
    const response = await hub.post('/api/sessions', { repoId, title: 'My session' })
    expect(response.status).toBe(201)
    const created = (await response.json()) as SessionSummary
    expect(created).toMatchObject({ repoId, status: 'active', title: 'My session' })
    expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    expect(new Date(created.createdAt).toISOString()).toBe(created.createdAt)
  })
})

describe('Retrieve session with messages', () => {
  test('the detail holds the repository and all messages in order', async () => {
    const session = await hub.createSession()
    await session.run('echo one')
    await session.run('echo two')
    const detail = await hub.get<SessionDetail>(session.path)
    expect(detail.repo).toMatchObject({ name: 'shop-api' })
    expect(detail.messages.map(({ content }) => 'text' in content && content.text)).toEqual([
      'echo one',
      'one',
      'echo two',
      'two',
    ])
    const times = detail.messages.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted())
    expect((await hub.fetch(`/api/sessions/${UNKNOWN}`)).status).toBe(404)
  })
})

describe('Completed session', () => {
  test('complete ends it as completed; again, or deleted afterwards, changes nothing', async () => {
    const session = await hub.createSession()
    const done = await hub.post(`${session.path}/complete`, {})
    expect(await done.json()).toMatchObject({
      status: 'completed',
      metadata: { reason: 'user_request' },
    })
    expect((await hub.post(`${session.path}/prompt`, { text: 'echo no' })).status).toBe(409)
    const { updatedAt } = await session.summaryNow()
    for (const again of [
      await hub.post(`${session.path}/complete`, {}),
      await hub.fetch(session.path, { method: 'DELETE' }),
    ]) {
      expect(again.status).toBe(200)
      expect(await again.json()).toMatchObject({ status: 'completed', updatedAt })
    }
  })
})

describe('Cancelled session', () => {
  test('delete ends the agent, keeps the rows and leaves a system message with the reason', async () => {
    const session = await hub.createSession()
    await session.run('echo kept')
    await hub.fetch(session.path, { method: 'DELETE' })
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    expect(messages.at(-1)).toMatchObject({
      role: 'system',
      content: { type: 'status', details: { status: 'cancelled', reason: 'user_request' } },
    })
    expect(messages).toHaveLength(3)
    expect(await cancelsOf(session)).toHaveLength(1)
  })
})

/** The `session/cancel` messages that its agent was sent. */
async function cancelsOf({ hub, path }: TestSession): Promise<unknown[]> {
  const { frames } = await hub.get<{ frames: { frame: { method?: string } }[] }>(`${path}/wire`)
  return frames.filter(({ frame }) => frame.method === 'session/cancel')
}

describe('Error session', () => {
  test.each([
    ['in its turn', (session: TestSession) => session.prompt('crash')],
    ['while it is idle', (session: TestSession) => killAgent(session)],
  ])('a crash %s stores one system message with the details, also in exports', async (_, crash) => {
    const session = await hub.createSession('demo-alone')
    await session.run('echo hello')
    await crash(session)
    const { data } = await session.feed.until('session.ended')
    expect(data).toMatchObject({
      reason: 'agent_exited',
      details: { stderrTail: expect.any(String) },
    })
    const messages = await hub.get<Message[]>(`${session.path}/messages`)
    const errors = messages.filter(({ content }) => content.type === 'error')
    expect(errors).toMatchObject([{ role: 'system', content: { text: data.message } }])
    for (const format of ['md', 'html', 'jsonl']) {
      const url = `${session.path}/transcript?format=${format}`
      const transcript = await (await hub.fetch(url)).text()
      expect(transcript.match(/The agent (ended with|was ended|stopped)/g)).toHaveLength(1)
    }
  })
})

async function killAgent({ feed }: TestSession): Promise<void> {
  const { pid } = (await feed.until('agent.started')).data
  process.kill(pid!, 'SIGKILL')
}

describe('Enforce global session limit, limit concurrent processes', () => {
  test('50 parallel creates, limit 5: exactly 5 made, 45 × 429 with Retry-After: 60', async () => {
    await using small = await startTestHub({ env: { AGENT_MAX_SESSIONS: '5' } })
    const { id: repoId } = await small.firstRepo()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => small.post('/api/sessions', { repoId })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(refused).toHaveLength(45)
    expect(refused.every(({ headers }) => headers.get('retry-after') === '60')).toBe(true)
    expect(await refused[0]!.json()).toMatchObject({
      error: { code: 'session_limit', message: expect.stringContaining('limit') as string },
    })

    const { sessions } = await small.get<{ sessions: SessionSummary[] }>('/api/sessions')
    await small.fetch(`/api/sessions/${sessions[0]!.id}`, { method: 'DELETE' })
    expect((await small.post('/api/sessions', { repoId })).status).toBe(201)
  })
})

describe('Detect idle session, auto-terminate idle sessions', () => {
  /** Long enough for a prompt to arrive in time on a busy machine. */
  const LIMIT_MS = 2_000
  let sleepy: TestHub
  beforeAll(async () => {
    const AGENT_SESSION_IDLE_TIMEOUT = String(LIMIT_MS / 60_000)
    sleepy = await startTestHub({ sharesAgent: true, env: { AGENT_SESSION_IDLE_TIMEOUT } })
  })
  afterAll(() => sleepy[Symbol.asyncDispose]())

  /** A session that begins now and ends by idle timeout: everything else has waited for as long. */
  async function passLimit(): Promise<void> {
    const session = await sleepy.createSession()
    await session.feed.until('session.ended')
  }

  test('a session without activity is completed with reason idle_timeout', async () => {
    const session = await sleepy.createSession()
    const ended = await session.feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'completed', reason: 'idle_timeout' })
    expect(await session.summaryNow()).toMatchObject({
      status: 'completed',
      metadata: { reason: 'idle_timeout' },
    })
    expect(await cancelsOf(session)).toHaveLength(1)
  })

  test('a running turn and an open question are not idle', async () => {
    const session = await sleepy.createSession()
    await session.prompt('slow 60')
    await session.feed.until('turn.started')
    await session.prompt('ask')
    await passLimit()
    await sleepy.post(`${session.path}/cancel`, {})
    const asked = await session.feed.until('permission.requested')
    await passLimit()
    const { permissionId, options, turnId } = asked.data
    expect((await session.answer(permissionId, options[0]!.optionId)).status).toBe(200)
    const end = await session.feed.until('turn.ended', (data) => data.turnId === turnId)
    expect(end.data.stopReason).toBe('end_turn')
    await session.feed.until('session.ended')
  })

  test('the limit counts from the end of a turn, also of one that ended without a word', async () => {
    const session = await sleepy.createSession()
    await session.prompt('slow 60')
    await session.feed.until('turn.started')
    await passLimit()
    await sleepy.post(`${session.path}/cancel`, {})
    const turn = await session.feed.until('turn.ended')
    const { at, data } = await session.feed.until('session.ended')
    expect(data).toMatchObject({ status: 'completed', reason: 'idle_timeout' })
    // A timer may be late, but never early; the log rounds to milliseconds.
    expect(at - turn.at).toBeGreaterThanOrEqual(LIMIT_MS - 1)
  })

  test('Reset idle timer on activity: a prompt keeps a session active past its limit', async () => {
    const session = await sleepy.createSession()
    const { turnId } = await session.prompt('slow 1')
    const turn = await session.feed.until('turn.ended', (data) => data.turnId === turnId)
    const ended = await session.feed.until('session.ended')
    expect(ended.data.reason).toBe('idle_timeout')
    expect(ended.at - turn.at).toBeGreaterThanOrEqual(LIMIT_MS - 1)
  })
})

describe('Resume at the limit', () => {
  test('is 429 with Retry-After: 60, and works when a slot is free', async () => {
    await using small = await startTestHub({
      sharesAgent: true,
      env: { AGENT_MAX_SESSIONS: '1' },
    })
    const first = await small.createSession()
    await small.fetch(first.path, { method: 'DELETE' })
    const second = await small.createSession()
    const refused = await small.post(`${first.path}/resume`, {})
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await first.summaryNow()).toMatchObject({ status: 'cancelled' })
    await small.fetch(second.path, { method: 'DELETE' })
    expect((await small.post(`${first.path}/resume`, {})).status).toBe(200)
    await first.run('echo back')
  })
})

describe('Making room at the limit', () => {
  const limit = { sharesAgent: true, env: { AGENT_MAX_SESSIONS: '3' } }

  test('puts the longest idle session to sleep, never one that works or waits for a person', async () => {
    await using small = await startTestHub(limit)
    const { id: repoId } = await small.firstRepo()
    const [waiting, longest, idle] = [
      await small.createSession(),
      await small.createSession(),
      await small.createSession(),
    ]
    await waiting.prompt('ask')
    await waiting.feed.until('permission.requested')
    await idle.run('echo hello')
    const refused = await small.post('/api/sessions', { repoId })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error: { details: { canMakeRoom: true } } })

    expect((await small.post('/api/sessions', { repoId, makeRoom: true })).status).toBe(201)
    const slept = { status: 'completed', metadata: { reason: 'made_room' } }
    expect(await longest.summaryNow()).toMatchObject(slept)
    expect((await small.post(`${longest.path}/resume`, { makeRoom: true })).status).toBe(200)
    expect(await idle.summaryNow()).toMatchObject(slept)
    expect(await waiting.summaryNow()).toMatchObject({ status: 'active', activity: 'waiting' })
    await longest.run('echo awake again')
  })

  test('is refused while all of them work or wait', async () => {
    await using small = await startTestHub({ ...limit, env: { AGENT_MAX_SESSIONS: '1' } })
    const { id: repoId } = await small.firstRepo()
    const session = await small.createSession()
    await session.prompt('ask')
    await session.feed.until('permission.requested')
    const refused = await small.post('/api/sessions', { repoId, makeRoom: true })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error: { details: { canMakeRoom: false } } })
    expect(await session.summaryNow()).toMatchObject({ status: 'active', activity: 'waiting' })
  })
})

describe('Agent dies', () => {
  test.each([
    ['two-asks', 'permission.requested', 'permission.resolved'],
    ['question', 'question.asked', 'question.answered'],
  ] as const)(
    'in %s: the open turn has an end, what it asked is cancelled, and the session is in error',
    async (word, asked, answered) => {
      const session = await hub.createSession('demo-alone')
      const { pid } = (await session.feed.until('agent.started')).data
      const { turnId } = await session.prompt(word)
      await session.feed.until(asked)
      process.kill(pid!, 'SIGKILL')
      const ended = await session.feed.until('session.ended')
      expect(ended.data).toMatchObject({ status: 'error', reason: 'agent_exited' })
      const count = (type: string): number =>
        session.feed.types().filter((other) => other === type).length
      expect(count(answered)).toBe(count(asked))
      const resolved = await session.feed.until(answered)
      expect(resolved.data).toMatchObject({ reason: 'agent_exited' })
      const turn = await session.feed.until('turn.ended', (data) => data.turnId === turnId)
      expect(turn.data.error).toMatchObject({ code: 'agent_failed' })
      expect(session.feed.types().slice(-2)).toEqual(['agent.exited', 'session.ended'])
    },
  )
})

describe('A viewer who leaves', () => {
  test('cancels nothing: the permission stays open and the turn continues with its answer', async () => {
    const session = await hub.createSession()
    const { turnId } = await session.prompt('ask')
    const viewer = await hub.follow(session.id)
    const { permissionId, options } = (await viewer.until('permission.requested')).data
    viewer.close()
    session.feed.close()
    const { permissions } = await hub.get<{ permissions: unknown[] }>(`${session.path}/permissions`)
    expect(permissions).toMatchObject([{ permissionId }])
    expect((await session.answer(permissionId, options[0]!.optionId)).status).toBe(200)
    const feed = await hub.follow(session.id)
    const ended = await feed.until('turn.ended', (data) => data.turnId === turnId)
    expect(ended.data.stopReason).toBe('end_turn')
  })
})

describe('Reject session for invalid repository', () => {
  test('an unknown repository is 404 and nothing is spawned', async () => {
    const { total } = await hub.get<{ total: number }>('/api/sessions')
    expect((await hub.post('/api/sessions', { repoId: UNKNOWN })).status).toBe(404)
    expect(await hub.get('/api/sessions')).toMatchObject({ total })
  })
})
