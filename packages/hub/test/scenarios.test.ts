// The response shapes that clients rely on, one test for each scenario of the session API, by its name.
import type { Message, SessionDetail, SessionList, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../src/config/config.js'
import { startTestHub, type TestHub, type TestSession } from './test-hub.js'

let hub: TestHub
let session: TestSession
let messages: Message[]
beforeAll(async () => {
  hub = await startTestHub()
  session = await hub.createSession()
  await session.run('echo hello')
  await session.run('plan')
  await session.run('read README.md')
  messages = await hub.get<Message[]>(`${session.path}/messages`)
})
afterAll(() => hub[Symbol.asyncDispose]())

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('Store conversation messages: id, session, role, content as JSON and a timestamp', () => {
  for (const message of messages) {
    expect(message.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(message.sessionId).toBe(session.id)
    expect(['user', 'agent', 'system']).toContain(message.role)
    expect(typeof message.content).toBe('object')
    expect(message.timestamp).toMatch(ISO)
  }
})

test('Store user text prompt', () => {
  expect(messages[0]).toMatchObject({ role: 'user', content: { type: 'text', text: 'echo hello' } })
})

test('Store agent text response: partial is false when no more is expected', () => {
  expect(messages[1]).toMatchObject({
    role: 'agent',
    content: { type: 'text', text: 'hello', partial: false },
  })
})

test('Store agent plan: a system message with its steps', () => {
  const plan = messages.find(({ content }) => content.type === 'plan')
  expect(plan).toMatchObject({ role: 'system', content: { steps: expect.any(Array) as unknown[] } })
})

test('Store tool execution: a system message with tool, args and result', () => {
  const tool = messages.find(({ content }) => content.type === 'tool')
  expect(tool!.role).toBe('system')
  expect(Object.keys(tool!.content)).toEqual(expect.arrayContaining(['tool', 'args', 'result']))
})

test('Active session: it accepts prompts, and updatedAt is its last activity', async () => {
  const before = await session.summaryNow()
  await session.run('echo again')
  const after = await session.summaryNow()
  expect(after.status).toBe('active')
  expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
})

test('Initialize ACP client for new session, Create session for valid repository: initialize, then session/new in its folder, and the ids are kept together', async () => {
  const { path } = await hub.firstRepo()
  const { acpSessionId, pid } = (await session.feed.until('agent.started')).data
  expect(pid).toBeGreaterThan(1)
  type Wire = { session?: string; frame: { id?: number; method?: string; params?: unknown } }
  const { frames } = await hub.get<{ frames: Wire[] }>('/api/extensions/debug/raw?limit=200')
  const sent = frames.map(({ frame }) => frame).filter(({ method }) => method !== undefined)
  expect(sent.slice(0, 2)).toMatchObject([
    { method: 'initialize', params: { protocolVersion: 1 } },
    { method: 'session/new', params: { cwd: path } },
  ])
  const prompt = sent.find(({ method }) => method === 'session/prompt')
  expect(prompt).toMatchObject({ params: { sessionId: acpSessionId } })
  expect(await session.summaryNow()).toMatchObject({ id: session.id, status: 'active' })
})

test('Create session endpoint: 201 with id, repoId, status and createdAt', async () => {
  const { id: repoId } = await hub.firstRepo()
  const response = await hub.post('/api/sessions', { repoId })
  expect(response.status).toBe(201)
  const created = (await response.json()) as SessionSummary
  expect(created).toMatchObject({ repoId, status: 'active' })
  expect(created.createdAt).toMatch(ISO)
})

test('List sessions endpoint: filtered, with total, limit and offset, without messages', async () => {
  const path = `/api/sessions?repoId=${session.summary.repoId}&status=active&limit=10&offset=0`
  const list = await hub.get<SessionList>(path)
  expect(list).toMatchObject({ limit: 10, offset: 0, total: list.sessions.length })
  expect(list.sessions.map(({ id }) => id)).toContain(session.id)
  expect(list.sessions[0]).not.toHaveProperty('messages')
})

test('Get session details endpoint: the whole session, or 404', async () => {
  const detail = await hub.get<SessionDetail>(session.path)
  expect(detail.messages.length).toBeGreaterThanOrEqual(messages.length)
  expect(detail.repo.id).toBe(detail.repoId)
  expect((await hub.fetch('/api/sessions/unknown')).status).toBe(404)
})

test('Send prompt endpoint: 202 at once, the message is stored', async () => {
  const response = await hub.post(`${session.path}/prompt`, { text: 'echo stored' })
  expect(response.status).toBe(202)
  const { turnId } = (await response.json()) as { turnId: string }
  const stored = await hub.get<Message[]>(`${session.path}/messages`)
  expect(stored.some((message) => message.turnId === turnId && message.role === 'user')).toBe(true)
  await session.feed.until('turn.ended', (data) => data.turnId === turnId)
})

test('Get messages endpoint: an array, filtered by since', async () => {
  const { updatedAt } = await session.summaryNow()
  const since = encodeURIComponent(updatedAt)
  expect(await hub.get(`${session.path}/messages?since=${since}`)).toEqual([])
  expect(await hub.get(`${session.path}/messages?since=0`)).not.toEqual([])
})

test('Cancel session endpoint: 200 with the cancelled session', async () => {
  const other = await hub.createSession()
  const response = await hub.fetch(other.path, { method: 'DELETE' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ id: other.id, status: 'cancelled' })
})

test('Configurable idle timeout: minutes from AGENT_SESSION_IDLE_TIMEOUT, 30 by default', () => {
  const idle = (env: Record<string, string>) =>
    loadConfig({}, { QUAYSIDE_DATA_DIR: hub.folder, ...env }, '/').idleTimeoutMs
  expect(idle({})).toBe(30 * 60_000)
  expect(idle({ AGENT_SESSION_IDLE_TIMEOUT: '5' })).toBe(5 * 60_000)
  expect(() => idle({ AGENT_SESSION_IDLE_TIMEOUT: 'never' })).toThrow('AGENT_SESSION_IDLE_TIMEOUT')
})
