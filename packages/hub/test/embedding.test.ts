// The hub inside another program: message hooks, and its routes on a server that has other routes too.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createHub, type AgentMessage, type ClientMessage, type HubOptions } from 'quayside'
import { AgentChatClient } from '@quayside/client'
import type { ContentBlock, Repo } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { AcpTestClient, webSocketStream } from './acp-test-client.js'
import { TestFeed } from './test-feed.js'
import { makeRepository, TOKEN } from './test-hub.js'

async function embed(options: HubOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-embedded-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  const hub = await createHub({
    port: 0,
    roots: [join(folder, 'workspace')],
    dataDir: join(folder, 'data'),
    token: TOKEN,
    settings: { QUAYSIDE_LOG_LEVEL: 'silent', QUAYSIDE_DURABILITY: 'normal' },
    ...options,
  })
  onTestFinished(async () => {
    await hub.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${hub.address}${path}`, init)).json() as Promise<T>
  }
  const open = async () => {
    const { repos } = await post<{ repos: Repo[] }>('/api/repos/scan', {})
    const { id } = await post<{ id: string }>('/api/sessions', { repoId: repos[0]!.id })
    return { id, feed: await TestFeed.open(hub.address, id, 0) }
  }
  return { hub, post, open }
}

test('a program gets the messages of agents and clients', async () => {
  const { hub, post, open } = await embed()
  const fromAgents: AgentMessage[] = []
  const fromClients: ClientMessage[] = []
  hub.on('agent:message', (message) => fromAgents.push(message))
  hub.on('client:message', (message) => fromClients.push(message))
  const { id, feed } = await open()
  await post(`/api/sessions/${id}/prompt`, { text: 'echo hello' })
  await feed.until('turn.ended')
  expect(fromAgents[0]).toMatchObject({ extensionId: 'demo', message: { jsonrpc: '2.0' } })
  expect(fromAgents.map(({ message }) => message['method'])).toContain('session/update')
  expect(fromClients).toMatchObject([{ message: { method: 'session/follow' } }])
  feed.close()
})

test('middleware changes and drops messages before the hub sees them', async () => {
  const { post, open } = await embed({
    middleware: [
      {
        agentMessage: (message) =>
          JSON.parse(JSON.stringify(message).replaceAll('hello', 'goodbye')) as typeof message,
        clientMessage: (message) =>
          (message as { method?: string }).method === 'secret' ? undefined : message,
      },
    ],
  })
  const { id, feed } = await open()
  await post(`/api/sessions/${id}/prompt`, { text: 'echo hello' })
  await feed.until('turn.ended')
  expect(feed.text()).toContain('goodbye')
  expect(feed.text()).not.toContain('hello')
  const dropped = feed.call('secret', {})
  const answered = feed.call('session/unfollow', { sessionId: id })
  expect(await Promise.race([dropped, answered])).toMatchObject({ result: {} })
  feed.close()
})

test('middleware sees the prompts of every client, before they are stored', async () => {
  const redact = (block: ContentBlock): ContentBlock =>
    block.type === 'text' ? { ...block, text: block.text.replaceAll('secret', '***') } : block
  const textOf = (block: ContentBlock) => (block.type === 'text' ? block.text : block.type)
  const { hub, post, open } = await embed({
    middleware: [
      { prompt: (prompt) => prompt.map(redact) },
      { prompt: (prompt) => (prompt.map(textOf).includes('forbidden') ? undefined : prompt) },
    ],
  })
  const heard: string[] = []
  hub.on('client:prompt', ({ by, sessionId, prompt }) =>
    heard.push(`${by} ${sessionId === id} ${prompt.map(textOf).join(' ')}`),
  )
  const { id, feed } = await open()
  const path = `/api/sessions/${id}/prompt`

  await post(path, { text: 'echo secret over REST' })
  await feed.until('turn.ended')
  await feed.call('session/prompt', { sessionId: id, text: 'echo secret over WebSocket' })
  const client = new AgentChatClient({ url: hub.address, token: TOKEN, WebSocket })
  await (await client.openSession(id)).prompt('echo secret by the SDK')
  client.close()
  const editor = await AcpTestClient.connect(webSocketStream(hub.address))
  const blocks = [{ type: 'text', text: 'echo secret over ACP' }] as const
  await editor.agent.request('session/prompt', { sessionId: id, prompt: [...blocks] })

  // A queued prompt that is edited.
  await post(path, { text: 'ask', id: 'running' })
  const { permissionId } = (await feed.until('permission.requested')).data
  await post(path, { text: 'echo later', id: 'edited' })
  await feed.call('queue/edit', { sessionId: id, turnId: 'edited', text: 'echo secret, edited' })
  await post(`/api/sessions/${id}/permissions/${permissionId}`, { outcome: 'cancelled' })
  await feed.until('turn.ended', ({ turnId }) => turnId === 'edited')

  expect(await post(path, { text: 'forbidden' })).toMatchObject({
    error: { code: 'prompt_refused' },
  })
  await expect(
    editor.agent.request('session/prompt', {
      sessionId: id,
      prompt: [{ type: 'text', text: 'forbidden' }],
    }),
  ).rejects.toMatchObject({ code: -32_602, data: { code: 'prompt_refused' } })
  expect(heard).toEqual([
    'automation true echo *** over REST',
    'automation true echo *** over WebSocket',
    'automation true echo *** by the SDK',
    'automation true echo *** over ACP',
    'automation true ask',
    'automation true echo later',
    'automation true echo ***, edited',
  ])
  for (const words of ['over REST', 'over WebSocket', 'by the SDK', 'over ACP', ', edited'])
    expect(feed.text()).toContain(words)
  expect(JSON.stringify(feed.events)).not.toContain('secret')
  editor.connection.close()
  feed.close()
})

test('the server of another program serves both, and continues without the hub', async () => {
  // Like many apps, it answers every path, and its WebSocket server refuses every other one.
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/mine' ? 200 : 404
    response.end(request.url === '/mine' ? 'mine' : 'not mine')
  })
  const sockets = new WebSocketServer({ server, path: '/live' })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { hub, open } = await embed({ server })
  expect(hub.address).toBe(`http://127.0.0.1:${port}`)
  const mine = async (): Promise<string> => (await fetch(`${hub.address}/mine`)).text()
  expect(await mine()).toBe('mine')
  const { feed } = await open()
  await feed.until('agent.started')
  const live = async (): Promise<void> => {
    const socket = new WebSocket(`${hub.address}/live`)
    await once(socket, 'open')
    socket.close()
  }
  await live()
  await hub.stop()
  expect(await mine()).toBe('mine')
  await live()
  expect(await (await fetch(`${hub.address}/api/health`)).text()).toBe('not mine')
  sockets.close()
})

test('a wrong option is reported in one sentence', () => {
  expect(() => createHub({ port: 70_000 })).toThrow(/--port is "70000"/)
})
