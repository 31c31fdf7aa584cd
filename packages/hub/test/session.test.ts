// One real session from command to event: REST, SSE and WebSocket on a real hub with the demo agent.
import type { EventPage, Message, PendingPermission, SessionEvent } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from './test-feed.js'
import { startTestHub, type TestHub } from './test-hub.js'

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ sharesAgent: true, env: { AGENT_MAX_SESSIONS: '50' } })
})
afterAll(() => hub[Symbol.asyncDispose]())

test('the scan finds the repository with its branch', async () => {
  expect(await hub.firstRepo()).toMatchObject({ name: 'shop-api', branch: 'main', missing: false })
})

test('Send prompt to active session, receive text response chunk: streamed and stored', async () => {
  const session = await hub.createSession()
  expect(session.summary).toMatchObject({ status: 'active', extensionId: 'demo' })

  await session.run('echo hello there')

  // Other events are the agent's commands and the snapshot of the work tree.
  const types = session.feed.types()
  expect(types.slice(0, 2)).toEqual(['session.created', 'agent.started'])
  expect(types.filter((type) => type.startsWith('turn.'))).toEqual([
    'turn.queued',
    'turn.started',
    'turn.ended',
  ])
  expect(types.slice(types.indexOf('turn.started'), -1)).toContain('acp.update')
  expect(session.feed.text()).toBe('hello there')
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  expect(messages.map(({ role, content }) => ({ role, content }))).toEqual([
    { role: 'user', content: { type: 'text', text: 'echo hello there' } },
    { role: 'agent', content: { type: 'text', text: 'hello there', partial: false } },
  ])
})

test('SSE pipeline: thoughts, plans, tools and answers come as in the page of events and the WebSocket', async () => {
  const session = await hub.createSession()
  for (const word of ['think a while', 'plan', 'tools', 'stream 200']) await session.run(word)

  const { events, lastSeq } = await hub.get<EventPage>(`${session.path}/events`)
  expect(events).toEqual(session.feed.events)
  expect(lastSeq).toBe(events.length)
  expect(await readEventStream(session.path, lastSeq)).toEqual(events)
  const resumed = await readEventStream(session.path, lastSeq, { 'last-event-id': '3' })
  expect(resumed).toEqual(events.slice(3))
})

test('Receive agent plan: stored as a system message with its steps', async () => {
  const session = await hub.createSession()
  await session.run('plan')
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  const plans = messages.filter(({ content }) => content.type === 'plan')
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatchObject({ role: 'system' })
  const { steps } = plans[0]!.content as unknown as { steps: { content: string; status: string }[] }
  expect(steps.length).toBeGreaterThan(1)
  expect(steps.every(({ status }) => status === 'completed')).toBe(true)
})

test('Receive tool execution notification: stored with name, arguments and result', async () => {
  const session = await hub.createSession()
  await session.run('read README.md')
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  const tool = messages.find(({ content }) => content.type === 'tool')
  expect(tool).toMatchObject({ role: 'system', content: { status: 'completed', kind: 'read' } })
  expect(tool!.content).toHaveProperty('tool')
  expect(tool!.content).toHaveProperty('args')
  expect(JSON.stringify((tool!.content as { result: unknown }).result)).toContain('A small shop.')
})

test('messages can be asked for since a time or an event', async () => {
  const session = await hub.createSession()
  await session.run('echo first')
  const { lastSeq } = await session.summaryNow()
  const { at } = session.feed.events.at(-1)!
  await session.run('echo second')

  const since = await hub.get<Message[]>(`${session.path}/messages?since=seq:${lastSeq}`)
  expect(since.map(({ content }) => 'text' in content && content.text)).toEqual([
    'echo second',
    'second',
  ])
  const later = await hub.get<Message[]>(
    `${session.path}/messages?since=${encodeURIComponent(new Date(at).toISOString())}`,
  )
  expect(later.length).toBeGreaterThanOrEqual(2)
  expect((await hub.fetch(`${session.path}/messages?since=yesterday`)).status).toBe(400)
})

test('a message that still streams is one row and reads as far as it has come', async () => {
  const session = await hub.createSession()
  await session.prompt('drip 1000 5')
  await session.feed.until(
    'acp.update',
    ({ update }) => update.sessionUpdate === 'agent_message_chunk',
  )
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  expect(messages).toHaveLength(2)
  expect(messages[1]!.content).toMatchObject({ type: 'text', partial: true })
  const cancelled = await hub.post(`${session.path}/cancel`, {})
  expect(await cancelled.json()).toMatchObject({ status: 'active', activity: 'idle' })
  const end = await session.feed.until('turn.ended')
  expect(end.data.stopReason).toBe('cancelled')
  const after = await hub.get<Message[]>(`${session.path}/messages`)
  expect(after[1]!.content).toMatchObject({ text: session.feed.text(), partial: false })
})

test('the same prompt id, many times at once, is one turn', async () => {
  const session = await hub.createSession()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      n % 2 === 0
        ? session.prompt('echo once', 'my-id')
        : session.feed
            .call('session/prompt', { sessionId: session.id, text: 'echo once', id: 'my-id' })
            .then(({ result }) => result),
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await session.feed.until('turn.ended')
  await session.run('echo twice')
  expect(session.feed.types().filter((type) => type === 'turn.queued')).toHaveLength(2)
})

test('prompts wait for each other in order', async () => {
  const session = await hub.createSession()
  const first = await session.prompt('slow 0.2')
  await session.feed.until('turn.started')
  const second = await session.prompt('echo second')
  expect([first.queued, second.queued]).toEqual([false, true])
  await session.feed.until('turn.ended', (data) => data.turnId === second.turnId)
  const turns = session.feed.events.filter(({ type }) => type.startsWith('turn.'))
  expect(turns.map(({ type }) => type)).toEqual([
    'turn.queued',
    'turn.started',
    'turn.queued',
    'turn.ended',
    'turn.started',
    'turn.ended',
  ])
})

test('a permission is answered once, and the second answer learns who was first', async () => {
  const session = await hub.createSession()
  await session.prompt('ask')
  const asked = await session.feed.until('permission.requested')
  expect((await session.summaryNow()).activity).toBe('waiting')
  const { permissions } = await hub.get<{ permissions: PendingPermission[] }>(
    `${session.path}/permissions`,
  )
  expect(permissions.map(({ permissionId }) => permissionId)).toEqual([asked.data.permissionId])
  const [option] = asked.data.options

  expect((await session.answer(asked.data.permissionId, 'no-such')).status).toBe(422)
  expect((await session.answer(asked.data.permissionId, option!.optionId)).status).toBe(200)
  const second = await session.answer(asked.data.permissionId, option!.optionId)
  expect(second.status).toBe(409)
  expect(await second.json()).toMatchObject({
    error: { code: 'permission_not_pending', details: { by: 'automation' } },
  })
  await session.feed.until('turn.ended')
  expect(session.feed.text()).toContain(option!.optionId)
})

test('cancelling while a permission is open answers it and ends the turn', async () => {
  const session = await hub.createSession()
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  await hub.post(`${session.path}/cancel`, {})
  const resolved = await session.feed.until('permission.resolved')
  expect(resolved.data).toMatchObject({
    outcome: { outcome: 'cancelled' },
    reason: 'turn_cancelled',
  })
  expect((await session.feed.until('turn.ended')).data.stopReason).toBe('cancelled')
  await session.run('echo still here')
})

test('Cancel active session, reject prompt for inactive session: rows stay, 409 with the status', async () => {
  const session = await hub.createSession()
  await session.prompt('slow 60')
  await session.feed.until('turn.started')
  const response = await hub.fetch(session.path, { method: 'DELETE' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    status: 'cancelled',
    metadata: { reason: 'user_request' },
  })
  const refused = await hub.post(`${session.path}/prompt`, { text: 'echo no' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    error: { code: 'session_not_active', details: { status: 'cancelled' } },
  })
  expect((await hub.get<Message[]>(`${session.path}/messages`)).length).toBeGreaterThan(0)
})

test.each(['crash', 'exit0'])(
  'an agent that leaves in mid-turn (%s) ends its session in error',
  async (word) => {
    const session = await hub.createSession('demo-alone')
    await session.prompt(word)
    const ended = await session.feed.until('session.ended')
    expect(ended.data).toMatchObject({ status: 'error', reason: 'agent_exited' })
    const turn = await session.feed.until('turn.ended')
    expect(turn.data.error).toMatchObject({ code: 'agent_failed' })
    const exited = await session.feed.until('agent.exited')
    expect(exited.data).toMatchObject({ reason: 'crashed', exitCode: word === 'crash' ? 7 : 0 })
    expect(await session.summaryNow()).toMatchObject({ status: 'error' })
  },
)

test.each([
  ['junk', 'odd lines between its messages'],
  ['batch', 'updates in a batch'],
  ['early-update', 'updates in one write with the answer'],
])('an agent that writes %s (%s) is understood', async (word) => {
  const session = await hub.createSession()
  const end = await session.run(word)
  expect(end.data.stopReason).toBe('end_turn')
  expect(session.feed.text().length).toBeGreaterThan(0)
})

test('the tour thinks, plans, reads, asks before it edits, runs a command and answers', async () => {
  const session = await hub.createSession()
  await session.prompt('Show me around, please')
  const asked = await session.feed.until('permission.requested')
  const allow = asked.data.options.find(({ kind }) => kind === 'allow_once')
  await session.answer(asked.data.permissionId, allow!.optionId)
  await session.feed.until('turn.ended')
  const messages = await hub.get<Message[]>(`${session.path}/messages`)
  const types = messages.map(({ content }) => content.type)
  for (const type of ['text', 'thought', 'plan', 'tool', 'permission'])
    expect(types).toContain(type)
  const answer = messages.findLast(
    ({ role, content }) => role === 'agent' && content.type === 'text',
  )
  expect(answer!.content).toMatchObject({ text: expect.stringContaining('|') as string })
})

test('bad input gets a clear message and the right code', async () => {
  const { id: repoId } = await hub.firstRepo()
  const unknown = '01a00000-0000-7000-8000-000000000000'
  const status = async (path: string, body: unknown) => (await hub.post(path, body)).status
  expect(await status('/api/sessions', { repoId: unknown })).toBe(404)
  expect(await status('/api/sessions', { repoId: 'not-an-id' })).toBe(404)
  expect(await status('/api/sessions', {})).toBe(400)
  expect(await status('/api/sessions', { repoId, extensionId: 'no-such-agent' })).toBe(404)
  expect(await status('/api/sessions', { repoId, colour: 'red' })).toBe(400)
  expect(await status(`/api/sessions/${unknown}/prompt`, { text: 'x' })).toBe(404)
  expect((await hub.fetch(`/api/sessions/${unknown}`)).status).toBe(404)
  expect((await hub.fetch('/api/nothing')).status).toBe(404)
  const session = await hub.createSession()
  expect(await status(`${session.path}/prompt`, { text: '  ' })).toBe(400)
  const form = await hub.fetch(`${session.path}/prompt`, { method: 'POST', body: 'text=x' })
  expect(form.status).toBe(415)
  const huge = await hub.post(`${session.path}/prompt`, { text: 'x'.repeat(2_000_000) })
  expect(huge.status).toBe(413)
})

test('bad WebSocket frames get JSON-RPC errors and the socket lives on', async () => {
  const socket = await openSocket(hub.hub.address)
  const ask = (frame: string) =>
    new Promise<unknown>((resolve) => {
      socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
      socket.send(frame)
    })
  expect(await ask('not json')).toMatchObject({ id: null, error: { code: -32700 } })
  expect(await ask('{"id":1}')).toMatchObject({ id: null, error: { code: -32600 } })
  expect(await ask('{"jsonrpc":"2.0","id":1,"method":"__proto__"}')).toMatchObject({
    id: 1,
    error: { code: -32601 },
  })
  expect(await ask('{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{}}')).toMatchObject(
    {
      id: 2,
      error: { code: -32602, data: { code: 'bad_request' } },
    },
  )
  socket.terminate()
})

test('an event stream ends with the reason when the session is removed, and when its cursor is beyond the log', async () => {
  const session = await hub.createSession()
  await session.run('echo ready')
  const { lastSeq } = await session.summaryNow()
  const headers = { accept: 'text/event-stream' }
  const stream = async (after: number): Promise<string> =>
    (await hub.fetch(`${session.path}/events?after=${after}`, { headers })).text()
  const reset = { sessionId: session.id, after: lastSeq + 1, lastSeq }
  expect(await stream(lastSeq + 1)).toContain(
    `id: 0\nevent: reset\ndata: ${JSON.stringify(reset)}\n\n`,
  )

  const followed = stream(0)
  await hub.fetch(`${session.path}?purge=true`, { method: 'DELETE' })

  const text = await followed
  expect(text).toContain('"type":"session.ended"')
  expect(text.endsWith(`event: removed\ndata: {"sessionId":"${session.id}"}\n\n`)).toBe(true)
})

async function readEventStream(
  path: string,
  until: number,
  headers: Record<string, string> = {},
): Promise<SessionEvent[]> {
  const gone = new AbortController()
  const response = await hub.fetch(`${path}/events`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: gone.signal,
  })
  const events: SessionEvent[] = []
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data) events.push(JSON.parse(data) as SessionEvent)
    }
    if (events.at(-1)?.seq === until) break
  }
  gone.abort()
  return events
}
