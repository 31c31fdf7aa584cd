// The hub as an agent for ACP clients, over WebSocket, Streamable HTTP and stdio, with the SDK's client.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join, resolve } from 'node:path'
import type { NewSessionRequest } from '@agentclientprotocol/sdk'
import type { SessionEvent, SessionUpdate } from '@quayside/protocol'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AcpStage } from './acp-stage.js'
import { AcpTestClient, httpStream, startAcpChild, webSocketStream } from './acp-test-client.js'
import { makeRepository, type TestHub, TOKEN } from './test-hub.js'

const bearer = { authorization: `Bearer ${TOKEN}` }

const stage = AcpStage.forFile()
let hub: TestHub
let cwd: string
beforeAll(() => ({ hub, cwd } = stage))

async function countSessions(): Promise<number> {
  return (await hub.get<{ total: number }>('/api/sessions')).total
}

const connect: AcpStage['connect'] = (...args) => stage.connect(...args)

async function eventsOf(sessionId: string): Promise<SessionEvent[]> {
  const { events } = await hub.get<{ events: SessionEvent[] }>(
    `/api/sessions/${sessionId}/events?limit=500`,
  )
  return events
}

function updatesIn(events: readonly SessionEvent[]): SessionUpdate[] {
  return events.flatMap((event) => (event.type === 'acp.update' ? [event.data.update] : []))
}

const transports = {
  WebSocket: () => webSocketStream(hub.hub.address),
  'Streamable HTTP': () => httpStream(hub.hub.address),
  stdio: () => startAcpChild({ QUAYSIDE_DATA_DIR: join(hub.folder, 'data') }).stream,
}

test.each(Object.entries(transports))('a session over %s', async (_name, open) => {
  const client = await connect(open())
  const sessionId = await client.newSession(cwd)

  const { stopReason } = await client.prompt(sessionId, 'think one two')

  expect(stopReason).toBe('end_turn')
  // Everything of the turn precedes its response, unchanged from the log.
  const events = await eventsOf(sessionId)
  expect(client.updates(sessionId)).toEqual(updatesIn(events))
  expect(client.text(sessionId, 'agent_thought_chunk')).toContain('one')
})

test('a client forks a session and goes on in the fork', async () => {
  const client = await connect()
  const sessionId = await client.newSession(cwd)
  await client.prompt(sessionId, 'echo the word is quayside')
  const params = { sessionId, cwd, mcpServers: [] }
  const answer = await client.agent.request('session/fork' as string, params)
  const { sessionId: fork } = answer as { sessionId: string }
  expect(fork).not.toBe(sessionId)
  await client.prompt(fork, 'recall')
  expect(client.text(fork)).toContain('the word is quayside')
})

test('initialize returns the capabilities of the hub, once for each connection', async () => {
  const client = await connect()
  const answer = await client.agent.request('initialize' as string, { protocolVersion: 1 }).then(
    () => 'answered',
    (error: { code: number }) => error.code,
  )
  // A connection is initialised once.
  expect(answer).toBe(-32_600)
  expect(client.received[0]).toMatchObject({
    result: {
      protocolVersion: 1,
      agentInfo: { name: 'quayside' },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {} },
      },
      authMethods: [],
    },
  })
})

test('a session in a folder of a repository works in that folder, with the MCP servers of the client', async () => {
  const client = await connect()
  const folder = join(cwd, 'src')
  mkdirSync(folder)
  const notes = { name: 'notes', command: '/bin/notes', args: [], env: [] }
  const input: NewSessionRequest = { cwd: folder, mcpServers: [notes] }
  const { sessionId } = await client.agent.request('session/new', input)

  await client.prompt(sessionId, 'cwd')
  await client.prompt(sessionId, 'mcp')

  expect(client.text(sessionId)).toContain(`session ${folder}`)
  expect(client.text(sessionId)).toContain('["notes"]')
  const { sessions } = await client.agent.request('session/list', { cwd })
  expect(sessions[0]).toMatchObject({ sessionId, cwd: folder })
})

test('a repository that is new since the last scan is found', async () => {
  const client = await connect()
  await hub.firstRepo()
  makeRepository(join(hub.workspace, 'brand-new'))
  const sessionId = await client.newSession(join(hub.workspace, 'brand-new'))
  expect((await client.prompt(sessionId, 'echo hi')).stopReason).toBe('end_turn')
})

test.each([
  ['/', 'path_outside_root', '--root'],
  ['workspace', 'repo_not_found', 'git init'],
  ['workspace/no-such-folder', 'repo_not_found', 'no folder'],
  ['no-such-folder', 'path_outside_root', '--root'],
])(
  'a session in %s is refused with what to do, and nothing is created',
  async (at, code, words) => {
    const client = await connect()
    const before = await countSessions()
    const refused = client.newSession(resolve(hub.folder, at))
    await expect(refused).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(words) as string,
      data: { code },
    })
    expect(await countSessions()).toBe(before)
  },
)

test('the agent of new sessions is named by the address, or by the request', async () => {
  const client = await connect(webSocketStream(hub.hub.address, '/acp?agent=demo'))
  const sessionId = await client.newSession(cwd)
  expect(await hub.get(`/api/sessions/${sessionId}`)).toMatchObject({ extensionId: 'demo' })
  await expect(client.newSession(cwd, 'nobody')).rejects.toMatchObject({
    code: -32_602,
    data: { code: 'extension_not_found' },
  })
  const refused = AcpTestClient.connect(webSocketStream(hub.hub.address, '/acp?agent=nobody'))
  await expect(refused).rejects.toThrow('404')
})

test('modes and options are listed and can be set, and every client is notified', async () => {
  const [one, two] = [await connect(), await connect()]
  const opened = await one.agent.request('session/new', { cwd, mcpServers: [] })
  const { sessionId } = opened
  await two.agent.request('session/resume', { sessionId, cwd })
  const mode = opened.modes?.availableModes.find(({ id }) => id !== opened.modes?.currentModeId)
  const model = opened.configOptions?.find(({ id }) => id === 'model')
  const isChanged = (update: SessionUpdate): boolean =>
    /^(current_mode|config_option)_update$/.test(update.sessionUpdate)

  await one.agent.request('session/set_mode', { sessionId, modeId: mode?.id ?? '' })
  await two.until(() => two.updates(sessionId).some(isChanged))
  const { configOptions } = await two.agent.request('session/set_config_option', {
    sessionId,
    configId: 'model',
    value: lastValue(model),
  })

  expect(configOptions.find(({ id }) => id === 'model')?.currentValue).toBe(lastValue(model))
  const again = await connect()
  const now = await again.agent.request('session/resume', { sessionId, cwd })
  expect(now.modes?.currentModeId).toBe(mode?.id)
  expect(now.configOptions?.find(({ id }) => id === 'model')?.currentValue).toBe(lastValue(model))
})

test('wrong requests are answered with the reason, and the connection continues', async () => {
  const client = await connect()
  const sessionId = await client.newSession(cwd)
  const code = (method: string, params: unknown): Promise<unknown> =>
    client.agent.request(method, params).then(
      () => 'answered',
      (error: { code: number }) => error.code,
    )
  expect(await code('session/new', { mcpServers: [] })).toBe(-32_602)
  expect(await code('session/prompt', { sessionId, prompt: [] })).toBe(-32_602)
  expect(await code('session/prompt', { sessionId, prompt: [{ type: 'nothing' }] })).toBe(-32_602)
  expect(await code('session/load', { sessionId: 'none', cwd, mcpServers: [] })).toBe(-32_002)
  expect(await code('session/prompt', { sessionId: 'none', prompt: hello })).toBe(-32_002)
  expect(await code('session/set_mode', { sessionId, modeId: 'none' })).toBe(-32_602)
  expect(await code('session/set_model', { sessionId })).toBe(-32_602)
  expect(await code('session/list', { cursor: 'none' })).toBe(-32_602)
  expect(await code('session/nothing', {})).toBe(-32_601)
  expect(await code('fs/read_text_file', { sessionId, path: '/etc/hosts' })).toBe(-32_601)
  expect((await client.prompt(sessionId, 'echo still here')).stopReason).toBe('end_turn')
})

test('an error of the agent is the answer to its prompt', async () => {
  const client = await connect()
  const sessionId = await client.newSession(cwd, 'demo-alone')
  await expect(client.prompt(sessionId, 'fail -32011 out of tea')).rejects.toMatchObject({
    code: -32_011,
    message: expect.stringContaining('out of tea') as string,
    data: { code: 'agent_failed' },
  })
  await expect(client.prompt(sessionId, 'crash')).rejects.toMatchObject({ code: -32_603 })
  // A prompt resumes a session that has ended.
  expect((await client.prompt(sessionId, 'echo back')).stopReason).toBe('end_turn')
})

test('an agent that needs a sign-in, or is missing, is reported, and nothing is created', async () => {
  const client = await connect()
  const before = await countSessions()
  await expect(client.newSession(cwd, 'signed-out')).rejects.toMatchObject({
    code: -32_000,
    data: { code: 'agent_auth_required' },
  })
  await expect(client.newSession(cwd, 'missing')).rejects.toMatchObject({
    code: -32_603,
    data: { code: 'agent_not_installed' },
  })
  expect(await countSessions()).toBe(before)
})

test('a picture for an agent that accepts none, and a prompt to an archived session, are refused with the reason', async () => {
  const client = await connect()
  const sessionId = await client.newSession(cwd, 'text-only')
  const words = [{ type: 'text', text: 'echo hi' }] as const
  const picture = { type: 'image', mimeType: 'image/png', data: PNG } as const
  const sent = client.agent.request('session/prompt', { sessionId, prompt: [...words, picture] })
  await expect(sent).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining('accepts no images') as string,
    data: { code: 'content_not_supported' },
  })
  // The hub declares embedded files to its clients, so it sends them as text.
  const file = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'milk' } } as const
  await client.agent.request('session/prompt', { sessionId, prompt: [...words, file] })
  const prompts = (await eventsOf(sessionId)).flatMap((event) =>
    event.type === 'turn.queued' ? [event.data.prompt] : [],
  )
  expect(prompts).toEqual([[...words, { type: 'text', text: 'The file file:///a.txt:\n\nmilk' }]])
  const archive = (archived: boolean) =>
    hub.fetch(`/api/sessions/${sessionId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ archived }),
    })
  await archive(true)
  await expect(client.prompt(sessionId, 'echo hi')).rejects.toMatchObject({
    message: expect.stringContaining('Unarchive it first') as string,
    data: { code: 'session_archived' },
  })
  await archive(false)
  expect((await client.prompt(sessionId, 'echo hi')).stopReason).toBe('end_turn')
})

test('sessions are listed in pages, with where they work', async () => {
  const client = await connect()
  const made = [await client.newSession(cwd), await client.newSession(cwd)]
  const { sessions } = await client.agent.request('session/list', {})
  expect(sessions.slice(0, 2).map(({ sessionId }) => sessionId)).toEqual(made.toReversed())
  expect(await client.agent.request('session/list', { cwd: '/' })).toEqual({ sessions: [] })
  expect(sessions[0]).toMatchObject({ cwd, _meta: { quayside: { status: 'active' } } })
})

test('pictures come as pictures, and commands as what they printed', async () => {
  const client = await connect()
  client.onPermission = allow
  // Its agent is offered the hub's files and terminals.
  const sessionId = await client.newSession(cwd, 'services')
  await client.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'image' },
      { type: 'image', mimeType: 'image/png', data: PNG },
    ],
  })
  await client.prompt(sessionId, 'run echo from-the-terminal')

  const viewer = await connect()
  await viewer.load(sessionId, cwd)
  const images = viewer
    .updates(sessionId)
    .map(({ content }) => content as { type?: string; data?: string } | undefined)
    .filter((content) => content?.type === 'image')
  expect(images[0]?.data).toBe(PNG)
  expect(images.length).toBe(2)
  expect(images[1]?.data).toMatch(/^iVBOR/)
  const sent = JSON.stringify(viewer.updates(sessionId))
  expect(sent).not.toContain('"type":"terminal"')
  expect(sent).toContain('$ echo from-the-terminal\\nfrom-the-terminal\\n[exit code 0]')
})

test.each([
  ['without credentials', {}, 401],
  ['with a wrong token', { authorization: 'Bearer wrong-wrong-wrong-wrong' }, 401],
  ['from another site', { ...bearer, origin: 'http://evil.example' }, 403],
  ['for another host', { ...bearer, host: 'evil.example' }, 403],
])('a request %s is refused, and nothing is created', async (_who, headers, status) => {
  const { address } = hub.hub
  const before = await countSessions()
  const socket = new WebSocket(`${address.replace('http', 'ws')}/acp`, { headers })
  const [, upgrade] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: 1 },
  })
  const posted = await send(address, { headers, body })

  expect([upgrade.statusCode, posted.statusCode]).toEqual([status, status])
  expect(upgrade.headers['acp-connection-id'] ?? posted.headers['acp-connection-id']).toBe(
    undefined,
  )
  expect(await countSessions()).toBe(before)
})

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const hello = [{ type: 'text', text: 'hello' }]

async function allow() {
  return { outcome: { outcome: 'selected' as const, optionId: 'allow_once' } }
}

function lastValue(option: unknown): string {
  const { options } = option as { options: { value: string }[] }
  return options.at(-1)?.value ?? ''
}

/** With a Host header of its own, which `fetch` does not allow. */
async function send(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<IncomingMessage> {
  const sent = request(`${address}/acp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response
}
