// Cancelling, parallel sessions, and how the process ends.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawnChild, startChild } from './agent-child.ts'
import { selected, startAgent } from './agent-client.ts'
import type { AgentClient } from './agent-client.ts'

let agent: AgentClient
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent[Symbol.asyncDispose]())

test.each(['Hello', 'ask', 'edit x.txt', 'run ls'])(
  '"%s" can be cancelled while a permission is open, even if the client never answers it',
  async (prompt) => {
    const session = await agent.newSession()
    const turn = session.startPrompt(prompt)
    await session.untilRequest('session/request_permission')
    session.cancel()
    expect(await turn).toEqual({ stopReason: 'cancelled' })
  },
)

test('a permission answered after the cancel does no harm', async () => {
  const session = await agent.newSession()
  const turn = session.startPrompt('ask')
  const permission = await session.untilRequest('session/request_permission')
  session.cancel()
  permission.answer({ outcome: { outcome: 'cancelled' } })
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  expect((await session.prompt('echo next')).text).toBe('next')
})

test.each(['slow 600', 'drip 100 60000'])('"%s" can be cancelled', async (prompt) => {
  const session = await agent.newSession()
  const turn = session.startPrompt(prompt)
  session.cancel()
  expect(await turn).toEqual({ stopReason: 'cancelled' })
})

test('a cancel in the same write as its prompt is not lost', async () => {
  const { id: sessionId } = await agent.newSession()
  const prompt = [{ type: 'text', text: 'slow 600' }]
  agent.write(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'p',
      method: 'session/prompt',
      params: { sessionId, prompt },
    }),
    JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } }),
  )
  const result = await agent.until((message) => (message.id === 'p' ? message.result : undefined))
  expect(result).toEqual({ stopReason: 'cancelled' })
})

test("a command of the agent's own ends with its cancelled turn", async () => {
  const session = await agent.newSession()
  const turn = session.startPrompt('run sleep 600')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer(selected('allow_once'))
  await agent.until(({ params }) => {
    const update = params?.['update'] as { status?: string } | undefined
    const isOurs = params?.['sessionId'] === session.id
    return isOurs && update?.status === 'in_progress' ? true : undefined
  })
  session.cancel()
  expect(await turn).toEqual({ stopReason: 'cancelled' })
})

test('a turn in one session does not block another', async () => {
  const [one, other] = [await agent.newSession(), await agent.newSession()]
  const long = one.startPrompt('slow 600')
  const flood = one.agent.newSession().then((third) => third.prompt('flood 2000 200'))
  expect((await other.prompt('echo quick')).text).toBe('quick')
  expect((await flood).updates.length).toBeGreaterThanOrEqual(2000)
  one.cancel()
  expect(await long).toEqual({ stopReason: 'cancelled' })
  expect((await other.prompt('recall')).text).toBe('I remember 1:\n1. echo quick')
})

test('a second prompt in the same session is refused while one runs', async () => {
  const session = await agent.newSession()
  const first = session.startPrompt('slow 600')
  await expect(session.startPrompt('echo too early')).rejects.toMatchObject({
    code: -32600,
    message: expect.stringContaining('a turn is already running in this session'),
    data: { sessionId: session.id },
  })
  session.cancel()
  expect(await first).toEqual({ stopReason: 'cancelled' })
  expect((await session.prompt('echo now')).text).toBe('now')
})

test('a prompt to an unknown session answers -32002', async () => {
  const prompt = [{ type: 'text', text: 'echo x' }]
  const asked = agent.request('session/prompt', { sessionId: 'nobody', prompt })
  await expect(asked).rejects.toMatchObject({ code: -32002, data: { sessionId: 'nobody' } })
})

test('the tour can be cancelled while it speaks', async () => {
  await using agent = await startAgent({ env: { QUAYSIDE_DEMO_PACE: '1000' } })
  const session = await agent.newSession()
  const turn = session.startPrompt('Hello')
  await session.untilUpdate('agent_thought_chunk')
  session.cancel()
  expect(await turn).toEqual({ stopReason: 'cancelled' })
})

test.concurrent('requests need not wait for the response to initialize', async () => {
  const { agent: client, ended } = spawnChild()
  const ready = client.request('initialize', { protocolVersion: 1 })
  const opened = client.request('session/new', { cwd: '/', mcpServers: [] })
  expect(await ready).toMatchObject({ protocolVersion: 1 })
  expect(await opened).toMatchObject({ sessionId: expect.any(String) })
  client.endInput()
  expect((await ended()).code).toBe(0)
})

test("a client's terminal is released when its turn is cancelled", async () => {
  await using agent = await startAgent({ capabilities: { terminal: true } })
  const session = await agent.newSession()
  const turn = session.startPrompt('run sleep 600')
  const permission = await session.untilRequest('session/request_permission')
  permission.answer(selected('allow_once'))
  ;(await session.untilRequest('terminal/create')).answer({ terminalId: 't' })
  await session.untilRequest('terminal/wait_for_exit')
  session.cancel()
  expect(await turn).toEqual({ stopReason: 'cancelled' })
  const release = await session.untilRequest('terminal/release')
  expect(release.params['terminalId']).toBe('t')
  release.answer({})
})

test.concurrent.each(['slow 600', 'hang', 'ask'])(
  'the end of stdin ends the process, also in "%s"',
  async (prompt) => {
    const { agent, ended } = await startChild()
    const session = await agent.newSession()
    session.startPrompt(prompt).catch(() => {})
    if (prompt === 'ask') await session.untilRequest('session/request_permission')
    agent.endInput()
    expect(await ended()).toEqual({ code: 0, stderr: '' })
    expect(agent.junkLines).toEqual([])
  },
)
