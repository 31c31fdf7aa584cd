import type { EventBody, SessionEvent } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { ScriptedHub, SESSION_ID, failure, note } from '../test/scripted-hub.js'

const TURN = '0198c0de-0000-7000-8000-000000000001'
const REPOS = [
  { id: 'r1', name: 'shop-api', path: '/src/shop-api' },
  { id: 'r2', name: 'twin', path: '/a/twin' },
  { id: 'r3', name: 'twin', path: '/b/twin' },
]

test('a repository is found by id, name or path', async () => {
  await using hub = await hubWithRepos()
  const client = hub.client()

  for (const repo of ['r1', 'shop-api', '/src/shop-api']) {
    const session = await client.newSession({ repo, agent: 'demo' })
    expect(session.id).toBe(SESSION_ID)
    expect(hub.bodies.at(-1)?.body).toEqual({ repoId: 'r1', extensionId: 'demo' })
  }
})

test('a name that two repositories share is refused with both paths', async () => {
  await using hub = await hubWithRepos()

  await expect(hub.client().newSession({ repo: 'twin' })).rejects.toMatchObject({
    code: 'repo_not_found',
    details: { paths: ['/a/twin', '/b/twin'] },
  })
})

test('an error body becomes a HubError', async () => {
  await using hub = await hubWithRepos()
  hub.routes.set('POST /api/sessions', () => failure(429, 'session_limit', { limit: 5 }))

  await expect(hub.client().newSession({ repo: 'r1' })).rejects.toMatchObject({
    name: 'HubError',
    code: 'session_limit',
    message: 'It is session_limit.',
    details: { limit: 5 },
  })
})

test('a page that is not from the hub is named by its status', async () => {
  await using hub = await new ScriptedHub().listen()
  hub.routes.set('GET /api/repos', () => ({ status: 502, body: 'Bad gateway' }))

  await expect(hub.client().repos.list()).rejects.toMatchObject({ details: { status: 502 } })
})

test('without a token the hub says to sign in', async () => {
  await using hub = await new ScriptedHub().listen()

  await expect(hub.client({ token: 'wrong' }).me()).rejects.toMatchObject({ code: 'unauthorized' })
})

test('filters of the session list become a query', async () => {
  await using hub = await new ScriptedHub().listen()
  const list = { sessions: [], total: 0, limit: 5, offset: 0 }
  hub.routes.set('GET /api/sessions?status=active%2Cerror&limit=5', () => ({ body: list }))

  expect(await hub.client().sessions.list({ status: ['active', 'error'], limit: 5 })).toEqual(list)
})

test('a turn can be iterated: its own events and nothing else', async () => {
  await using hub = await hubWithTurn()
  await using client = hub.client()
  const session = await client.openSession(SESSION_ID)
  const turn = session.prompt('hello', { id: TURN })
  const seen: SessionEvent[] = []
  for await (const event of turn) seen.push(event)

  expect(hub.bodies.at(-1)?.body).toEqual({ text: 'hello', id: TURN })
  expect(seen.map(({ type }) => type)).toEqual([
    'turn.queued',
    'turn.started',
    'acp.update',
    'acp.update',
    'permission.requested',
    'permission.resolved',
    'acp.update',
    'turn.ended',
  ])
})

test('a turn can be awaited: its text is what came after the last tool call', async () => {
  await using hub = await hubWithTurn()
  await using client = hub.client()
  const session = await client.openSession(SESSION_ID)

  const result = await session.prompt('hello')

  expect(result).toEqual({ turnId: TURN, stopReason: 'end_turn', text: 'All done.' })
})

test('a refused prompt rejects the turn and ends its iteration', async () => {
  await using hub = await hubWithTurn()
  hub.routes.set(`POST /api/sessions/${SESSION_ID}/prompt`, () =>
    failure(409, 'session_not_active'),
  )
  await using client = hub.client()
  const turn = (await client.openSession(SESSION_ID)).prompt('hello')

  await expect(turn).rejects.toMatchObject({ code: 'session_not_active' })
  await expect(turn[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'session_not_active',
  })
})

test('a failed turn rejects with what failed, after all its events', async () => {
  await using hub = await hubWithTurn([
    queued,
    {
      type: 'turn.ended',
      data: { turnId: TURN, error: { code: 'agent_failed', message: 'Gone.' } },
    },
  ])
  await using client = hub.client()
  const turn = (await client.openSession(SESSION_ID)).prompt('hello')
  const seen: string[] = []
  const reading = (async () => {
    for await (const { type } of turn) seen.push(type)
  })()

  await expect(reading).rejects.toMatchObject({ code: 'agent_failed', message: 'Gone.' })
  expect(seen).toEqual(['turn.queued', 'turn.ended'])
})

test('answers and cancels go to the session', async () => {
  await using hub = await hubWithTurn()
  const path = `/api/sessions/${SESSION_ID}`
  hub.routes.set(`POST ${path}/permissions/p1`, () => failure(409, 'permission_not_pending'))
  hub.routes.set(`POST ${path}/cancel`, () => ({ body: {} }))
  const session = await hub.client().openSession(SESSION_ID)

  await session.cancel()
  await expect(session.respond('p1', 'allow')).rejects.toMatchObject({
    code: 'permission_not_pending',
  })
  expect(hub.bodies.slice(-2)).toEqual([
    { path: `${path}/cancel`, body: {} },
    { path: `${path}/permissions/p1`, body: { optionId: 'allow' } },
  ])
})

const queued: EventBody = {
  type: 'turn.queued',
  data: { turnId: TURN, prompt: [{ type: 'text', text: 'hello' }] },
}

const wholeTurn: EventBody[] = [
  queued,
  { type: 'turn.started', data: { turnId: TURN } },
  says('I look first.'),
  update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'ls', kind: 'execute' }),
  {
    type: 'permission.requested',
    data: { permissionId: 'p1', turnId: TURN, toolCall: { toolCallId: 'c1' }, options: [] },
  },
  note('of the session, not of the turn'),
  {
    type: 'permission.resolved',
    data: { permissionId: 'p1', outcome: { outcome: 'cancelled' }, reason: 'answered' },
  },
  {
    type: 'permission.resolved',
    data: { permissionId: 'other', outcome: { outcome: 'cancelled' }, reason: 'answered' },
  },
  says('All done.'),
  { type: 'turn.ended', data: { turnId: TURN, stopReason: 'end_turn' } },
]

function says(text: string): EventBody {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
}

function update(fields: { sessionUpdate: string; [field: string]: unknown }): EventBody {
  return { type: 'acp.update', data: { turnId: TURN, update: fields } }
}

async function hubWithRepos(): Promise<ScriptedHub> {
  const hub = await new ScriptedHub().listen()
  hub.routes.set('GET /api/repos', () => ({ body: { repos: REPOS } }))
  hub.routes.set('POST /api/sessions', () => ({ status: 201, body: { id: SESSION_ID } }))
  return hub
}

/** A session with a past, in which a prompt brings `events`. */
async function hubWithTurn(events = wholeTurn): Promise<ScriptedHub> {
  const hub = await new ScriptedHub().listen()
  hub.append(note('before'))
  hub.routes.set(`GET /api/sessions/${SESSION_ID}`, () => ({ body: { id: SESSION_ID } }))
  hub.routes.set(`POST /api/sessions/${SESSION_ID}/prompt`, () => {
    hub.append(...events)
    return { status: 202, body: { turnId: TURN, seq: 2, queued: false } }
  })
  return hub
}
