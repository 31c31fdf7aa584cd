// One session with many clients: ACP clients, a WebSocket feed and REST see the same.
import { once } from 'node:events'
import type { PromptRequest } from '@agentclientprotocol/sdk'
import type { SessionEvent, SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AcpStage, selected } from './acp-stage.js'
import type { AcpTestClient } from './acp-test-client.js'
import { TOKEN } from './test-hub.js'

const stage = AcpStage.forFile()

/** The updates of a log for an ACP client, with each prompt at the start of its turn. */
function storyOf(events: readonly SessionEvent[]): SessionUpdate[] {
  const prompts = new Map<string, readonly object[]>()
  return events.flatMap((event): SessionUpdate[] => {
    if (event.type === 'turn.queued') prompts.set(event.data.turnId, event.data.prompt)
    if (event.type === 'acp.update') return [event.data.update]
    if (event.type !== 'turn.started') return []
    const { turnId: messageId } = event.data
    return (prompts.get(messageId) ?? []).map((content) => ({
      sessionUpdate: 'user_message_chunk',
      content,
      messageId,
    }))
  })
}

test('two ACP clients and a WebSocket see the same, whichever client prompts', async () => {
  const { sessionId, one, two, feed } = await stage.openTogether()

  await one.prompt(sessionId, 'tools')
  await two.prompt(sessionId, 'plan')
  const { turnId } = await (
    await stage.hub.post(`/api/sessions/${sessionId}/prompt`, { text: 'echo from REST' })
  ).json()
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  for (const client of [one, two])
    await client.until(() => client.text(sessionId).includes('from REST'))

  const story = storyOf(feed.events)
  const isPrompt = (update: SessionUpdate): boolean => update.sessionUpdate === 'user_message_chunk'
  expect(story.filter(isPrompt)).toHaveLength(3)
  // No client is sent its own prompt.
  const promptsOf = (client: AcpTestClient): string => client.text(sessionId, 'user_message_chunk')
  expect([promptsOf(one), promptsOf(two)]).toEqual(['planecho from REST', 'toolsecho from REST'])
  for (const client of [one, two])
    expect(client.updates(sessionId).filter((update) => !isPrompt(update))).toEqual(
      story.filter((update) => !isPrompt(update)),
    )

  // A client that loads the session later gets everything before the response.
  const late = await stage.connect()
  await late.load(sessionId, stage.cwd)
  expect(late.updates(sessionId)).toEqual(story)
})

test('prompts of several clients wait for each other, and each gets the end of its own turn', async () => {
  const { sessionId, one, two } = await stage.openTogether()
  const ends = [
    one.prompt(sessionId, 'stop max_tokens'),
    two.prompt(sessionId, 'stop refusal'),
    one.prompt(sessionId, 'echo done'),
  ]
  expect((await Promise.all(ends)).map(({ stopReason }) => stopReason)).toEqual([
    'max_tokens',
    'refusal',
    'end_turn',
  ])
})

test('a client that leaves cancels nothing', async () => {
  const { sessionId, one, two, feed } = await stage.openTogether()
  const left = one.prompt(sessionId, 'ask').catch((error: Error) => error.message)
  const { data } = await feed.until('permission.requested')
  one.connection.close()
  expect(await left).toContain('closed')

  two.onPermission = async () => selected('allow_once')
  await stage.hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'allow_once',
  })

  const end = await feed.until('turn.ended')
  expect(end.data.stopReason).toBe('end_turn')
  expect(await stage.hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ status: 'active' })
})

test('closing a session ends it for this client only', async () => {
  const { sessionId, one, two, feed } = await stage.openTogether()
  const own = one.prompt(sessionId, 'ask')
  const { data } = await feed.until('permission.requested')
  await one.agent.request('session/close', { sessionId })
  expect((await own).stopReason).toBe('cancelled')
  const before = one.updates(sessionId).length

  await stage.hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'allow_once',
  })
  await two.prompt(sessionId, 'echo without you')

  expect(two.text(sessionId)).toContain('selected allow_once')
  expect(one.updates(sessionId)).toHaveLength(before)
})

test('a removed session is reported, its prompt ends, and it is not found any more', async () => {
  const { sessionId, feed } = await stage.openTogether()
  const client = await stage.connect(undefined, { session: { notices: {} } })
  await client.load(sessionId, stage.cwd)
  const own = client.prompt(sessionId, 'slow 60')
  await feed.until('turn.started')

  await stage.hub.fetch(`/api/sessions/${sessionId}?purge=true`, { method: 'DELETE' })

  const notices = () =>
    client.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'notice')
  await client.until(() => notices().some(({ title }) => title === 'This session was removed.'))
  expect((await own).stopReason).toBe('cancelled')
  await expect(client.prompt(sessionId, 'echo again')).rejects.toMatchObject({
    message: expect.stringContaining('No such session'),
  })
})

test('cancel stops the prompts of the client, running or queued, and no others', async () => {
  const { sessionId, one, two } = await stage.openTogether()
  const running = one.prompt(sessionId, 'ask')
  await two.until(() => two.received.some(({ method }) => method === 'session/request_permission'))
  const waiting = two.prompt(sessionId, 'echo never')
  await two.agent.notify('session/cancel', { sessionId })
  expect((await waiting).stopReason).toBe('cancelled')

  const next = two.prompt(sessionId, 'echo next')
  await one.agent.notify('session/cancel', { sessionId })
  expect((await running).stopReason).toBe('cancelled')
  expect((await next).stopReason).toBe('end_turn')
  expect(two.text(sessionId)).not.toContain('never')
})

test('a cancel right behind its prompt stops it, also when the session has to come back first', async () => {
  const one = await stage.connect()
  const sessionId = await one.newSession(stage.cwd)
  for (const before of [
    () => undefined,
    () => stage.hub.post(`/api/sessions/${sessionId}/complete`, {}),
  ]) {
    await before()
    const prompt = one.prompt(sessionId, 'slow 50')
    await one.agent.notify('session/cancel', { sessionId })
    expect((await prompt).stopReason).toBe('cancelled')
  }
})

test('a client without a prompt of its own stops the running turn', async () => {
  const { sessionId, one, two } = await stage.openTogether()
  const running = one.prompt(sessionId, 'slow 50')
  await two.until(() => two.text(sessionId, 'user_message_chunk') === 'slow 50')
  await two.agent.notify('session/cancel', { sessionId })
  expect((await running).stopReason).toBe('cancelled')
})

test('$/cancel_request of a prompt stops its turn', async () => {
  const { sessionId, one } = await stage.openTogether()
  const stop = new AbortController()
  const params: PromptRequest = { sessionId, prompt: [{ type: 'text', text: 'slow 50' }] }
  const running = one.agent.request('session/prompt', params, { cancellationSignal: stop.signal })
  stop.abort()
  expect((await running).stopReason).toBe('cancelled')
})

test('a session whose agent cannot load is replayed from the log', async () => {
  const one = await stage.connect()
  const sessionId = await one.newSession(stage.cwd, 'forgetful')
  await one.prompt(sessionId, 'echo first')
  await stage.hub.fetch(`/api/sessions/${sessionId}`, { method: 'DELETE' })

  const late = await stage.connect()
  await late.load(sessionId, stage.cwd)

  expect(late.text(sessionId, 'user_message_chunk')).toBe('echo first')
  expect(late.text(sessionId)).toBe('first')
  // Opening the session starts no agent; a prompt does, preceded by the conversation as text, so that the demo agent gives its tour.
  late.onPermission = async () => selected('allow_once')
  expect(await stage.hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ status: 'cancelled' })
  expect((await late.prompt(sessionId, 'echo again')).stopReason).toBe('end_turn')
})

test('a client that stops reading blocks no other client, and gets everything when it reads again', async () => {
  const { sessionId, one, feed } = await stage.openTogether()
  const socket = new WebSocket(`${stage.hub.hub.address.replace('http', 'ws')}/acp`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  await once(socket, 'open')
  const ask = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  ask(0, 'initialize', { protocolVersion: 1 })
  await once(socket, 'message')
  ask(1, 'session/resume', { sessionId, cwd: stage.cwd })
  await once(socket, 'message')
  socket.pause()

  // More than the hub buffers for one client.
  await one.prompt(sessionId, 'flood 500 50000')
  await feed.until('turn.ended')
  const whole = feed.text()
  expect(one.text(sessionId)).toBe(whole)

  let text = ''
  socket.on('message', (data: Buffer) => {
    const { params } = JSON.parse(data.toString()) as { params?: { update?: SessionUpdate } }
    const update = params?.update
    if (update?.sessionUpdate === 'agent_message_chunk')
      text += (update['content'] as { text: string }).text
    if (text.length >= whole.length) socket.close()
  })
  socket.resume()
  await once(socket, 'close')
  expect(text).toBe(whole)
})

test.each(['nulls', 'unknown', 'junk', 'deep 50', 'interleave', 'late', 'tools', 'data-uri'])(
  'an unusual update of an agent (%s) reaches clients unchanged from the log',
  async (word) => {
    const { sessionId, one, feed } = await stage.openTogether()
    expect((await one.prompt(sessionId, word)).stopReason).toBe('end_turn')
    expect((await one.prompt(sessionId, 'echo still here')).stopReason).toBe('end_turn')
    const late = await stage.connect()
    await late.load(sessionId, stage.cwd)
    expect(late.updates(sessionId)).toEqual(storyOf(feed.events))
  },
)
