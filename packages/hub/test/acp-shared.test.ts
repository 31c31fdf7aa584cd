// One session, many clients: ACP clients, a WebSocket feed and REST see the same, and the first answer counts.
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PromptRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { SessionEvent, SessionUpdate } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AcpTestClient, httpStream, webSocketStream } from './acp-test-client.js'
import { startTestHub, type TestHub, TOKEN } from './test-hub.js'

const EXTENSIONS = fileURLToPath(new URL('extensions', import.meta.url))
const ROUNDS = 50

let hub: TestHub
let cwd: string
const clients: AcpTestClient[] = []

beforeEach(async () => {
  hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: EXTENSIONS } })
  cwd = join(hub.workspace, 'shop-api')
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.connection.close()
  await hub[Symbol.asyncDispose]()
})

async function connect(
  stream = webSocketStream(hub.hub.address),
  capabilities = {},
): Promise<AcpTestClient> {
  const client = await AcpTestClient.connect(stream, capabilities)
  clients.push(client)
  return client
}

/** A session that two ACP clients and a WebSocket feed watch. */
async function openTogether() {
  const one = await connect()
  const sessionId = await one.newSession(cwd)
  const two = await connect(httpStream(hub.hub.address))
  await two.load(sessionId, cwd)
  return { sessionId, one, two, feed: await hub.follow(sessionId) }
}

/** What an ACP client is told of a log: its updates, and each prompt when its turn starts. */
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

type Answer = (response: RequestPermissionResponse) => void

/** Where the permissions of one client arrive and wait for the test to answer. */
class Desk {
  #arrived: Answer[] = []
  #wake: () => void = () => {}

  constructor(client: AcpTestClient, onWithdrawn: () => void) {
    client.onPermission = (_request, signal) => {
      signal.addEventListener('abort', onWithdrawn)
      return new Promise((answer) => {
        this.#arrived.push(answer)
        this.#wake()
      })
    }
  }

  async nextQuestion(): Promise<Answer> {
    for (;;) {
      const answer = this.#arrived.shift()
      if (answer) return answer
      await new Promise<void>((wake) => (this.#wake = wake))
    }
  }
}

function selected(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } }
}

test('two ACP clients and a WebSocket see the same, whoever writes', async () => {
  const { sessionId, one, two, feed } = await openTogether()

  await one.prompt(sessionId, 'tools')
  await two.prompt(sessionId, 'plan')
  const { turnId } = await (
    await hub.post(`/api/sessions/${sessionId}/prompt`, { text: 'echo from REST' })
  ).json()
  await feed.until('turn.ended', (data) => data.turnId === turnId)
  for (const client of [one, two])
    await client.until(() => client.text(sessionId).includes('from REST'))

  const story = storyOf(feed.events)
  const isPrompt = (update: SessionUpdate): boolean => update.sessionUpdate === 'user_message_chunk'
  expect(story.filter(isPrompt)).toHaveLength(3)
  // Nobody is told what it wrote itself.
  const told = (client: AcpTestClient): string => client.text(sessionId, 'user_message_chunk')
  expect([told(one), told(two)]).toEqual(['planecho from REST', 'toolsecho from REST'])
  for (const client of [one, two])
    expect(client.updates(sessionId).filter((update) => !isPrompt(update))).toEqual(
      story.filter((update) => !isPrompt(update)),
    )

  // Whoever loads it afterwards is told all of it, before the answer.
  const late = await connect()
  await late.load(sessionId, cwd)
  expect(late.updates(sessionId)).toEqual(story)
})

test('prompts of several clients wait for each other, and each gets the end of its own turn', async () => {
  const { sessionId, one, two } = await openTogether()
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

test('the first answer to a permission counts, from ACP or REST, and the others are taken back', async () => {
  const { sessionId, one, two, feed } = await openTogether()
  let withdrawn = 0
  const desks = [one, two].map((client) => new Desk(client, () => (withdrawn += 1)))
  const seen = new Set<string>()
  const wins = { rest: 0, acp: 0 }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const prompt = two.prompt(sessionId, 'ask')
    const { data } = await feed.until(
      'permission.requested',
      ({ permissionId }) => !seen.has(permissionId),
    )
    const { permissionId } = data
    const answers = await Promise.all(desks.map((desk) => desk.nextQuestion()))

    const resolving = feed.until('permission.resolved', (one) => one.permissionId === permissionId)
    // By turns REST is first, an ACP client is first, or all answer at once.
    const path = `/api/sessions/${sessionId}/permissions/${permissionId}`
    const answerByAcp = (): void => {
      answers[round % 2]?.(selected('reject_once'))
      answers[(round + 1) % 2]?.(selected('allow_always'))
    }
    if (round % 3 === 1) {
      answerByAcp()
      await resolving
    }
    const rest = hub.post(path, { optionId: 'allow_once' })
    if (round % 3 === 0) await rest
    if (round % 3 !== 1) answerByAcp()
    const { status } = await rest
    const { data: resolved } = await resolving
    seen.add(permissionId)
    const chosen = resolved.outcome.outcome === 'selected' ? resolved.outcome.optionId : 'none'
    expect(status).toBe(chosen === 'allow_once' ? 200 : 409)
    wins[chosen === 'allow_once' ? 'rest' : 'acp'] += 1
    expect((await prompt).stopReason).toBe('end_turn')
    expect(two.text(sessionId).endsWith(`selected ${chosen}`)).toBe(true)
  }
  const outcomes = feed.events.filter(({ type }) => type === 'permission.resolved')
  expect(outcomes).toHaveLength(ROUNDS)
  expect(Math.min(wins.rest, wins.acp)).toBeGreaterThanOrEqual(Math.floor(ROUNDS / 3))
  expect(withdrawn).toBeGreaterThan(0)
})

test('a permission answered elsewhere is taken back with $/cancel_request, and a late answer harms nothing', async () => {
  const { sessionId, one, two, feed } = await openTogether()
  let answerLate: Answer = () => {}
  one.onPermission = () => new Promise((resolve) => (answerLate = resolve))
  const prompt = two.prompt(sessionId, 'ask')
  const { data } = await feed.until('permission.requested')
  await one.until(() => one.received.some(({ method }) => method === 'session/request_permission'))

  await hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'reject_once',
  })
  await one.until(() => one.received.some(({ method }) => method === '$/cancel_request'))
  answerLate(selected('allow_once'))

  expect((await prompt).stopReason).toBe('end_turn')
  expect(two.text(sessionId)).toBe('selected reject_once')
  expect((await one.prompt(sessionId, 'echo fine')).stopReason).toBe('end_turn')
})

test('a permission that is open when a client comes is put to it, behind the answer that opens the session', async () => {
  const { sessionId, one } = await openTogether()
  const prompt = one.prompt(sessionId, 'ask')
  await one.until(() => one.received.some(({ method }) => method === 'session/request_permission'))

  const late = await connect()
  late.onPermission = async () => selected('allow_always')
  await late.load(sessionId, cwd)

  expect((await prompt).stopReason).toBe('end_turn')
  expect(one.text(sessionId)).toBe('selected allow_always')
  const order = late.received.map(({ method, id }) => method ?? `answer ${String(id)}`)
  expect(order.indexOf('session/request_permission')).toBeGreaterThan(order.indexOf('answer 1'))
})

test('a question goes to the clients that can show it', async () => {
  const { sessionId, one } = await openTogether()
  const able = await connect(webSocketStream(hub.hub.address), { elicitation: { form: {} } })
  able.onQuestion = async () => ({ action: 'decline' })
  await able.agent.request('session/resume', { sessionId, cwd })

  expect((await one.prompt(sessionId, 'question')).stopReason).toBe('end_turn')

  expect(one.text(sessionId)).toContain('decline')
  const asked = (client: AcpTestClient): number =>
    client.received.filter(({ method }) => method === 'elicitation/create').length
  expect([asked(one), asked(able)]).toEqual([0, 1])
})

test('a client that leaves cancels nothing', async () => {
  const { sessionId, one, two, feed } = await openTogether()
  const left = one.prompt(sessionId, 'ask').catch((error: Error) => error.message)
  const { data } = await feed.until('permission.requested')
  one.connection.close()
  expect(await left).toContain('closed')

  two.onPermission = async () => selected('allow_once')
  await hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'allow_once',
  })

  const end = await feed.until('turn.ended')
  expect(end.data.stopReason).toBe('end_turn')
  expect(await hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ status: 'active' })
})

test('closing a session ends it for this client only', async () => {
  const { sessionId, one, two, feed } = await openTogether()
  const own = one.prompt(sessionId, 'ask')
  const { data } = await feed.until('permission.requested')
  await one.agent.request('session/close', { sessionId })
  expect((await own).stopReason).toBe('cancelled')
  const before = one.updates(sessionId).length

  await hub.post(`/api/sessions/${sessionId}/permissions/${data.permissionId}`, {
    optionId: 'allow_once',
  })
  await two.prompt(sessionId, 'echo without you')

  expect(two.text(sessionId)).toContain('selected allow_once')
  expect(one.updates(sessionId)).toHaveLength(before)
})

test('cancel stops the prompts of the client, running or waiting, and those of nobody else', async () => {
  const { sessionId, one, two } = await openTogether()
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

test('whoever has no prompt of its own stops what runs', async () => {
  const { sessionId, one, two } = await openTogether()
  const running = one.prompt(sessionId, 'slow 50')
  await two.until(() => two.text(sessionId, 'user_message_chunk') === 'slow 50')
  await two.agent.notify('session/cancel', { sessionId })
  expect((await running).stopReason).toBe('cancelled')
})

test('$/cancel_request of a prompt stops its turn', async () => {
  const { sessionId, one } = await openTogether()
  const stop = new AbortController()
  const params: PromptRequest = { sessionId, prompt: [{ type: 'text', text: 'slow 50' }] }
  const running = one.agent.request('session/prompt', params, { cancellationSignal: stop.signal })
  stop.abort()
  expect((await running).stopReason).toBe('cancelled')
})

test('a session whose agent cannot load is replayed from the log', async () => {
  const one = await connect()
  const sessionId = await one.newSession(cwd, 'forgetful')
  await one.prompt(sessionId, 'echo first')
  await hub.fetch(`/api/sessions/${sessionId}`, { method: 'DELETE' })

  const late = await connect()
  await late.load(sessionId, cwd)

  expect(late.text(sessionId, 'user_message_chunk')).toBe('echo first')
  expect(late.text(sessionId)).toBe('first')
  // Looking starts nothing; writing does, with the conversation as text before it: so the demo agent gives its tour.
  late.onPermission = async () => selected('allow_once')
  expect(await hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ status: 'cancelled' })
  expect((await late.prompt(sessionId, 'echo again')).stopReason).toBe('end_turn')
})

test('a client that stops reading holds up nobody, and gets everything when it reads again', async () => {
  const { sessionId, one, feed } = await openTogether()
  const socket = new WebSocket(`${hub.hub.address.replace('http', 'ws')}/acp`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  await once(socket, 'open')
  const ask = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  ask(0, 'initialize', { protocolVersion: 1 })
  await once(socket, 'message')
  ask(1, 'session/resume', { sessionId, cwd })
  await once(socket, 'message')
  socket.pause()

  // More than may wait for one client.
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
