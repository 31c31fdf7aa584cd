// Requests and connections that are made to harm: each is answered or closed, and everybody else is served.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { SessionList } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { AcpStage } from './acp-stage.js'
import { makeRepository, TOKEN } from './test-hub.js'

const stage = AcpStage.forFile()

/** Nested as deeply as `levels`; built as text, because a value of that depth cannot be serialised. */
function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`
}

const json = { 'content-type': 'application/json' }
const refusal = { code: 'bad_request', message: expect.stringContaining('64 levels') as string }

function settings(levels: number): string {
  return `{"mcpServers":[{"name":"x","command":"x","args":[],"env":[],"z":${nested(levels)}}]}`
}

test('input nested too deeply is refused over REST, the WebSocket and ACP, and holds no session', async () => {
  const { hub, cwd } = stage
  const bystander = await hub.createSession()
  const { id: repoId } = await hub.firstRepo()
  const idsOf = async () => {
    const { sessions } = await hub.get<SessionList>('/api/sessions')
    return sessions.map(({ id }) => id)
  }
  const before = await idsOf()

  const body = `{"repoId":"${repoId}","settings":${settings(5_000)}}`
  const answer = await hub.fetch('/api/sessions', { method: 'POST', headers: json, body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: refusal })

  const deepSettings = JSON.parse(settings(500)) as object
  const input = { repoId, settings: deepSettings }
  const overSocket = await bystander.feed.call('session/new', input)
  expect(overSocket.error).toMatchObject({ message: refusal.message, data: { code: refusal.code } })

  const client = await stage.connect()
  const overAcp = client.agent.request('session/new', {
    cwd,
    mcpServers: [],
    _meta: { quayside: { settings: deepSettings } },
  })
  await expect(overAcp).rejects.toMatchObject({ message: refusal.message })

  const prompt = `{"prompt":[{"type":"text","text":"x","_meta":{"z":${nested(9_000)}}}]}`
  const prompted = await hub.fetch(`${bystander.path}/prompt`, {
    method: 'POST',
    headers: json,
    body: prompt,
  })
  expect(prompted.status).toBe(400)
  expect(await idsOf()).toEqual(before)
  expect((await bystander.run('echo still here')).data.stopReason).toBe('end_turn')
})

test('the answer to a body with sixty thousand faults stays small', async () => {
  const { hub } = stage
  const faults = Array.from({ length: 60_000 }, (_, at) => [`n${at}`, 0] as const)
  const answer = await hub.post('/api/sessions', Object.fromEntries(faults))
  expect(answer.status).toBe(400)
  expect((await answer.text()).length).toBeLessThan(10_000)
})

test.each([
  ['an id of 300 letters', 'a'.repeat(300), { command: 'x' }],
  ['a NUL in an argument', 'own', { command: 'x', args: ['a\0b'] }],
  ['a NUL in the program', 'own', { command: 'x\0y' }],
  ['a NUL in a variable', 'own', { command: 'x', env: { A: 'a\0b' } }],
])('an agent with %s is refused', async (_, id, agent) => {
  const answer = await stage.hub.fetch(`/api/extensions/${id}`, {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ name: 'Own', args: [], env: {}, secrets: {}, ...agent }),
  })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_extension' } })
})

test('connections that do not sign in are closed, the oldest first; one that has signed in stays', async () => {
  const { hub } = stage
  const { port } = new URL(hub.hub.address)
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const signedIn = await open()
  const ask = async (): Promise<string> => {
    signedIn.write(
      `GET /api/repos HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    )
    const [data] = (await once(signedIn, 'data')) as [Buffer]
    return data.toString('utf8').split('\r\n')[0]!
  }
  expect(await ask()).toBe('HTTP/1.1 200 OK')

  const oldest = await open()
  const closed = once(oldest.resume(), 'close')
  const others: Socket[] = []
  for (let at = 0; at < 100; at += 1) others.push(await open())
  await closed
  expect(await ask()).toBe('HTTP/1.1 200 OK')
  expect((await hub.fetch('/api/repos')).status).toBe(200)
  for (const socket of [signedIn, ...others]) socket.destroy()
})

test('a proxy that keeps a connection for a minute does not find it closed', async () => {
  const { headers } = await stage.hub.fetch('/api/repos')
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

const HEADERS = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n'
const BODY = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'

test.runIf('QUAYSIDE_TORTURE_ROUNDS' in process.env).each([
  ['headers do', `GET /api/health ${HEADERS}`, 'X: y\r\n'],
  ['body does', `POST /api/login ${HEADERS}${BODY}`, ' '],
  ['refused body does', `POST /api/sessions ${HEADERS}${BODY}`, ' '],
])('a request whose %s not end is closed within ten seconds', async (_, begin, more) => {
  const { port } = new URL(stage.hub.hub.address)
  const socket = connect(Number(port), '127.0.0.1')
  const startedAt = performance.now()
  socket.write(begin)
  const drip = setInterval(() => socket.write(more), 500)
  await once(
    socket.resume().on('error', () => {}),
    'close',
  )
  clearInterval(drip)
  // Two more for a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(12_000)
})

test('a pipe in place of a .gitignore is named at once, in a folder after three seconds, and stops no other repository', async () => {
  const { hub } = stage
  const roots = ['top', 'inner'].map((name) => join(hub.workspace, name))
  for (const root of roots) makeRepository(root)
  mkdirSync(join(roots[1]!, 'src'))
  execFileSync('mkfifo', [join(roots[0]!, '.gitignore'), join(roots[1]!, 'src/.gitignore')])
  const { repos } = (await (await hub.post('/api/repos/scan', {})).json()) as {
    repos: { id: string; name: string }[]
  }
  const idOf = (name: string): string => repos.find((repo) => repo.name === name)!.id
  const statusOf = (name: string) => hub.fetch(`/api/repos/${idOf(name)}/status`)

  const blocked = Array.from({ length: 10 }, () => statusOf('inner'))
  let isBlocked = true
  void blocked[0]!.then(() => (isBlocked = false))
  expect((await statusOf('shop-api')).status).toBe(200)
  expect(isBlocked, 'the other repository is answered first').toBe(true)
  const top = await statusOf('top')
  expect(top.status).toBe(502)
  expect(await top.json()).toMatchObject({
    error: { code: 'git_failed', message: expect.stringContaining('Remove .gitignore') as string },
  })
  expect(isBlocked).toBe(true)
  const [first] = await Promise.all(blocked)
  expect(await first!.json()).toMatchObject({
    error: { message: expect.stringContaining('Remove src/.gitignore') as string },
  })
})

test('other users of the machine cannot read anything in a data directory that they can enter', async () => {
  const { hub } = stage
  const data = join(hub.folder, 'data')
  chmodSync(data, 0o755)
  writeFileSync(join(hub.workspace, 'shop-api', '.env.local'), 'SECRET=1')
  await (await hub.createSession()).run('echo hello')
  const open = readdirSync(data).filter((name) => (statSync(join(data, name)).mode & 0o077) !== 0)
  expect(open).toEqual([])
})
