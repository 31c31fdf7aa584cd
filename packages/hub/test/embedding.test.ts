// The hub inside another program: message hooks, and its routes on a server that has other routes too.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createHub, type AgentMessage, type ClientMessage, type HubOptions } from 'quayside'
import type { Repo } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
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
