// Previews of local ports: only those of the session's own processes, on an origin of their own, without the hub's credentials.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PreviewPort } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { TerminalHub } from './terminal-fixture.js'
import { TOKEN } from './test-hub.js'

/** Answers with the headers that it got, sets cookies, and echoes on WebSockets. */
const PROGRAM = `
const { createServer } = require('node:http')
const { WebSocketServer } = require(${JSON.stringify(import.meta.resolve('ws').replace('file://', '').replace('wrapper.mjs', 'index.js'))})
const server = createServer((request, response) => {
  response.setHeader('set-cookie', ['theme=dark', 'quayside_1=stolen', '__Host-quayside_1=stolen'])
  response.setHeader('x-frame-options', 'DENY')
  response.end(JSON.stringify({ url: request.url, ...request.headers }))
})
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send('echo ' + data)))
server.listen(0, '127.0.0.1')
`

const onLinux = test.runIf(process.platform === 'linux')

async function start(people: TerminalHub) {
  const session = await people.hub.createSession('demo')
  const path = `/api/sessions/${session.id}/previews`
  const ports = async () => (await people.hub.get<{ ports: PreviewPort[] }>(path)).ports
  return { hub: people.hub, session, path, ports }
}

async function open(hub: TerminalHub['hub'], path: string, port: number): Promise<URL> {
  const answer = await hub.post(path, { port })
  expect(answer.status).toBe(201)
  const preview = (await answer.json()) as { port: number; path: string }
  return new URL(preview.path, `http://127.0.0.1:${preview.port}`)
}

/** Redeems the address once, like a browser. */
async function cookieOf(address: URL): Promise<string> {
  const entry = await fetch(address, { redirect: 'manual' })
  expect(entry.status).toBe(303)
  const [cookie = ''] = entry.headers.getSetCookie()
  expect(cookie).toMatch(/^quayside_preview_\d+=\S+; HttpOnly; SameSite=Strict; Path=\/$/)
  return cookie.split(';')[0]!
}

onLinux(
  'a program in a terminal of the session is shown without the credentials of the hub',
  async () => {
    await using people = await TerminalHub.start()
    const { hub, session, path, ports } = await start(people)
    expect(await ports()).toEqual([])
    const command = { command: process.execPath, args: ['-e', PROGRAM] }
    await people.create({ sessionId: session.id, ...command })
    await expect.poll(ports).toEqual([{ port: expect.any(Number), program: expect.any(String) }])
    const [{ port } = { port: 0 }] = await ports()

    const address = await open(hub, path, port)
    expect((await fetch(new URL('/', address))).status).toBe(403)
    const own = await cookieOf(address)
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(403)

    const hubCookie = 'quayside_4444=secret; __Host-quayside_4444=secret'
    const headers = { cookie: `a=1; ${hubCookie}; ${own}`, authorization: `Bearer ${TOKEN}` }
    const answer = await fetch(new URL('/page?x=1', address), { headers })
    const seen = (await answer.json()) as IncomingHttpHeaders & { url: string }
    expect(seen).toMatchObject({ url: '/page?x=1', host: `localhost:${port}`, cookie: 'a=1' })
    expect(seen.authorization).toBeUndefined()
    expect(answer.headers.getSetCookie()).toEqual(['theme=dark'])
    expect(answer.headers.get('x-frame-options')).toBeNull()

    const foreign = { ...headers, origin: 'http://127.0.0.1:9' }
    expect((await fetch(address.origin, { headers: foreign })).status).toBe(403)
    const socket = new WebSocket(address.origin.replace('http', 'ws'), { headers: { cookie: own } })
    await once(socket, 'open')
    socket.send('hello')
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(data.toString()).toBe('echo hello')
    socket.close()
    const refused = new WebSocket(address.origin.replace('http', 'ws'))
    const [, { statusCode }] = (await once(refused, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ]
    expect(statusCode).toBe(403)
  },
)

onLinux('a program that the agent runs is offered too, in its own session only', async () => {
  await using people = await TerminalHub.start()
  const { hub, session, ports } = await start(people)
  const other = await hub.createSession('demo')
  const server = "require('node:http').createServer().listen(0, '127.0.0.1')"
  writeFileSync(join(hub.workspace, 'shop-api', 'server.js'), server)
  await session.prompt(`run ${process.execPath} server.js`)
  const { permissionId, options } = (await session.feed.until('permission.requested')).data
  await session.answer(permissionId, options[0]!.optionId)
  await expect.poll(ports).toHaveLength(1)
  const { ports: others } = await hub.get<{ ports: PreviewPort[] }>(`${other.path}/previews`)
  expect(others).toEqual([])
})

onLinux('the port of another program is not shown, and a reader opens none', async () => {
  await using people = await TerminalHub.start()
  const { hub, session, path } = await start(people)
  const other: Server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  expect((await hub.post(path, { port })).status).toBe(404)
  expect((await hub.post(path, { port: Number(new URL(hub.hub.address).port) })).status).toBe(404)
  expect((await hub.post(`/api/sessions/${session.id}/previews`, { port: 0 })).status).toBe(400)
  const { token } = (await (
    await hub.post('/api/tokens', { name: 'r', scope: 'read' })
  ).json()) as {
    token: string
  }
  const headers = { authorization: `Bearer ${token}` }
  expect((await hub.fetch(path, { headers })).status).toBe(403)
})
