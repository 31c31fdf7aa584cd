import { afterEach, expect, test, vi } from 'vitest'
import type { ChatEvent } from './session/chat-events.js'
import { AgentChatClient } from './client.js'
import { newTurnId } from './session/turn-id.js'
import { ScriptedHub } from './testing/scripted-hub.js'

afterEach(() => void vi.unstubAllGlobals())

test('a repository is found by id, name or path', async () => {
  const hub = new ScriptedHub()
  const client = hub.client()

  for (const repo of ['repo-1', 'shop-api', '/src/shop-api']) {
    await client.newSession({ repo, agent: 'demo', settings: { cwd: 'src' } })
    expect(hub.requests.at(-1)?.body).toEqual({
      repoId: 'repo-1',
      extensionId: 'demo',
      settings: { cwd: 'src' },
    })
  }
})

test('a file of the repository is mentioned by its path, also when it waits in the queue', async () => {
  const hub = new ScriptedHub()
  const { id } = hub.addSession()
  hub.routes.set(`PATCH /api/sessions/${id}/queue/t1`, () => ({ body: { queue: [] } }))
  const session = await hub.client().openSession(id)
  const uri = 'file:///src/shop-api/docs/two%20words%23.md'
  const link = { type: 'resource_link', uri, name: 'docs/two words#.md' }
  const file = { type: 'file', path: 'docs/two words#.md' } as const

  await session.prompt(['Explain', file, { ...file, range: [3, 9] }]).accepted
  expect(hub.requests.at(-1)?.body).toMatchObject({
    prompt: [
      { type: 'text', text: 'Explain' },
      link,
      { type: 'text', text: 'docs/two words#.md:3-9' },
      link,
    ],
  })

  await session.queue.edit('t1', file)
  expect(hub.requests.at(-1)?.body).toEqual({ prompt: [link] })
})

test('a session with a work tree of its own is sent the file there', async () => {
  const hub = new ScriptedHub()
  const { id, summary } = hub.addSession()
  const workspace = { kind: 'worktree', path: '/data/worktrees/one/shop-api' }
  const body = { ...summary, workspace, repo: hub.repos[0], messages: [], settings: {} }
  hub.routes.set(`GET /api/sessions/${id}?messages=0`, () => ({ body }))
  const session = await hub.client().openSession(id)

  await session.prompt({ type: 'file', path: 'new.ts' }).accepted
  const uri = 'file:///data/worktrees/one/shop-api/new.ts'
  expect(hub.requests.at(-1)?.body).toMatchObject({ prompt: [{ uri, name: 'new.ts' }] })
})

test('a name that two repositories share is refused with both paths', async () => {
  const hub = new ScriptedHub()
  const twin = { name: 'twin', missing: false, createdAt: '2026-01-01T00:00:00.000Z' }
  hub.repos.push({ ...twin, id: 'a', path: '/a/twin' }, { ...twin, id: 'b', path: '/b/twin' })

  await expect(hub.client().newSession({ repo: 'twin' })).rejects.toMatchObject({
    code: 'repo_not_found',
    details: { paths: ['/a/twin', '/b/twin'] },
  })
})

test('an error body becomes a ClientError', async () => {
  const hub = new ScriptedHub()
  const error = { code: 'session_limit', message: 'Too many.', details: { limit: 5 } }
  hub.routes.set('POST /api/sessions', () => ({ status: 429, body: { error } }))

  await expect(hub.client().newSession({ repo: 'shop-api' })).rejects.toMatchObject({
    name: 'ClientError',
    ...error,
  })
})

test('a page that is not from the hub is named by its status', async () => {
  const hub = new ScriptedHub()
  hub.routes.set('GET /api/repos', () => ({ status: 502, body: 'Bad gateway' }))

  await expect(hub.client().repos.list()).rejects.toMatchObject({ details: { status: 502 } })
})

test('who is not signed in learns it', async () => {
  const hub = new ScriptedHub()
  hub.isSignedIn = false

  await expect(hub.client().me()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(hub.client().connect()).rejects.toMatchObject({ code: 'unauthorized' })
})

test('filters of the session list become a query', async () => {
  const hub = new ScriptedHub()

  const filter = { extensionId: 'demo', status: ['active', 'error'], archived: 'any' } as const
  await hub.client().sessions.list({ ...filter, limit: 5 })

  const { path } = hub.requests.at(-1)!
  expect(path).toBe('/api/sessions?extensionId=demo&status=active%2Cerror&archived=any&limit=5')
})

test('a picture is uploaded as its bytes, with its type', async () => {
  const hub = new ScriptedHub()
  const sent: RequestInit[] = []
  const client = hub.client({
    fetch: async (_url, init) => {
      sent.push(init ?? {})
      return Response.json({ id: 'm1', url: '/media/m1' }, { status: 201 })
    },
  })
  const bytes = new Uint8Array([137, 80, 78, 71])

  await client.upload(bytes, { mimeType: 'image/png' })
  await client.upload(new Blob([bytes], { type: 'image/webp' }))

  expect(sent[0]).toMatchObject({ method: 'POST', body: bytes })
  expect(sent.map(({ headers }) => new Headers(headers).get('content-type'))).toEqual([
    'image/png',
    'image/webp',
  ])
})

test('an aborted command says so and keeps the reason', async () => {
  const hub = new ScriptedHub()
  const abort = new AbortController()
  const client = hub.client({
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('by fetch')))
        abort.abort('changed my mind')
      }),
  })

  const listing = client.repos.list({ signal: abort.signal })

  await expect(listing).rejects.toMatchObject({ code: 'aborted', cause: 'changed my mind' })
})

test('a command that gets no answer says that nobody knows what became of it', async () => {
  const hub = new ScriptedHub()
  const session = await hub.client().openSession(hub.addSession().id)
  hub.isUp = false

  await expect(session.complete()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('not known whether'),
  })
})

test('listeners hear what happens from now on, and one that throws does not keep it from the others', async () => {
  const hub = new ScriptedHub()
  const scripted = hub.addSession()
  scripted.append(say('before'))
  await using client = hub.client()
  const session = await client.openSession(scripted.id)
  const seen: string[] = []
  const thrown = new Promise((resolve) => {
    const { queueMicrotask } = globalThis
    vi.stubGlobal('queueMicrotask', (task: () => void) =>
      queueMicrotask(() => {
        try {
          task()
        } catch (error) {
          resolve(error)
        }
      }),
    )
  })
  session.on('text_delta', () => {
    throw new Error('by a listener')
  })
  const off = session.on('text_delta', ({ delta }) => seen.push(delta))
  const told = new Promise<ChatEvent>((resolve) => session.on('notice', resolve))
  await hub.followed(1)

  scripted.append(say('after'))
  expect(await thrown).toMatchObject({ message: 'by a listener' })
  off()
  scripted.append(say('unheard'), note('last'))

  expect(await told).toMatchObject({ type: 'notice', message: 'last', seq: 5 })
  expect(seen).toEqual(['after'])
})

test('a listener added later hears what was missed', async () => {
  const hub = new ScriptedHub()
  const scripted = hub.addSession()
  await using client = hub.client()
  const session = await client.openSession(scripted.id)
  const first = new Promise<ChatEvent>((resolve) => session.on('notice', resolve))
  await hub.followed(1)
  scripted.append(note('1'))
  expect(await first).toMatchObject({ message: '1' })
  session.detach()
  scripted.append(note('2'))

  const second = new Promise<ChatEvent>((resolve) => session.on('notice', resolve))

  expect(await second).toMatchObject({ message: '2' })
})

test('listeners are told when following is over', async () => {
  const hub = new ScriptedHub()
  const scripted = hub.addSession()
  await using client = hub.client()
  const session = await client.openSession(scripted.id)
  const failed = new Promise<ChatEvent>((resolve) => session.on('error', resolve))
  await hub.followed(1)

  hub.isSignedIn = false
  hub.drop()

  expect(await failed).toMatchObject({ type: 'error', error: { code: 'unauthorized' } })
})

test('a permission is answered by id, by kind, or with none of its options', async () => {
  const hub = new ScriptedHub()
  const answers: unknown[] = []
  hub.agent = async (turn) => {
    for (const toolCallId of ['a', 'b', 'c']) answers.push(await turn.ask({ toolCallId }))
  }
  await using client = hub.client()
  const session = await client.newSession({ repo: 'shop-api' })
  const replies = ['reject', { kind: 'allow_once' }, { outcome: 'cancelled' }] as const
  const turn = session.prompt('go')
  let asked = 0
  for await (const event of turn) {
    if (event.type !== 'permission_request') continue
    const wrong = session.respond(event.permissionId, { kind: 'allow_always' })
    await expect(wrong).rejects.toMatchObject({
      code: 'unknown_option',
      details: { kinds: ['allow_once', 'reject_once'] },
    })
    await session.respond(event.permissionId, replies[asked++]!)
    const late = session.respond(event.permissionId, { kind: 'allow_once' })
    await expect(late).rejects.toMatchObject({ code: 'permission_not_pending' })
  }

  expect(answers).toEqual([
    { outcome: 'selected', optionId: 'reject' },
    { outcome: 'selected', optionId: 'allow' },
    { outcome: 'cancelled' },
  ])
})

test('the WebSocket of the platform is used, with the token as a subprotocol', async () => {
  const hub = new ScriptedHub()
  const opened: unknown[][] = []
  vi.stubGlobal('WebSocket', function open(...parameters: unknown[]) {
    opened.push(parameters)
    return new hub.WebSocket(hub.url, { headers: {} })
  })
  const { url, fetch } = hub
  for (const options of [
    { url, fetch },
    { url, fetch, token: '(a token)=' },
  ]) {
    await using client = new AgentChatClient(options)
    await client.connect()
  }

  expect(opened).toEqual([
    ['ws://hub.test/ws', []],
    ['ws://hub.test/ws', ['quayside', 'quayside.bearer.%28a%20token%29%3D']],
  ])
})

test('where there is no WebSocket the error says where to get one', async () => {
  vi.stubGlobal('WebSocket', undefined)

  await expect(new AgentChatClient('http://hub.test').connect()).rejects.toThrow(
    'Pass that of `ws`',
  )
})

test('where there is no WebSocket no agent starts and no prompt is sent', async () => {
  vi.stubGlobal('WebSocket', undefined)
  const hub = new ScriptedHub()
  const { id } = hub.addSession()
  await using client = new AgentChatClient({ url: hub.url, fetch: hub.fetch })
  const missing = { name: 'ClientError', code: 'no_websocket' }

  await expect(client.newSession({ repo: 'shop-api' })).rejects.toMatchObject(missing)
  const session = await client.openSession(id)
  await expect(session.prompt('Go on')).rejects.toMatchObject(missing)

  expect(hub.requests.map(({ method }) => method)).not.toContain('POST')
})

test('every prompt gets an id of its own, in the order of time', () => {
  const ids = Array.from({ length: 1_000 }, newTurnId)

  expect(new Set(ids).size).toBe(1_000)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

function say(text: string) {
  const content = { type: 'text', text }
  return {
    type: 'acp.update',
    data: { update: { sessionUpdate: 'agent_message_chunk', content } },
  } as const
}

function note(message: string) {
  return { type: 'notice', data: { severity: 'info', code: 'note', message } } as const
}

test('a sign-in of an agent is asked for until the person at the browser is done', async () => {
  const hub = new ScriptedHub()
  const answers = [false, false, true]
  hub.routes.set('POST /api/extensions/gemini/authenticate', () => ({
    status: 202,
    body: { authenticated: answers.shift() },
  }))

  expect(await hub.client().agents.authenticate('gemini', 'browser')).toEqual({
    authenticated: true,
  })
  expect(answers).toEqual([])
})
