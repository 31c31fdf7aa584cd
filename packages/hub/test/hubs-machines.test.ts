// Two machines with a volume of both: a person chooses the machine of a new session, and sees at one the commands and programs of the other.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HubPlace, PreviewPort, Repo, SessionList, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selected } from './acp-stage.js'
import { AcpTestClient, webSocketStream } from './acp-test-client.js'
import { CommandRun } from './command-run.js'
import { newPostgresDatabase } from './postgres-fixture.js'
import { EXTENSIONS, makeRepository, startTestHub, type TestHub, TOKEN } from './test-hub.js'

let shared: string
let studio: TestHub
let build: TestHub

beforeAll(async () => {
  const url = await newPostgresDatabase()
  shared = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-volume-')))
  makeRepository(join(shared, 'shop'))
  const start = (name: string) => {
    const own = { QUAYSIDE_DATABASE_URL: url, QUAYSIDE_NAME: name }
    const env = { ...own, QUAYSIDE_VOLUMES: `code=${shared}`, QUAYSIDE_EXTENSIONS: EXTENSIONS }
    return startTestHub({ env, sharesAgent: true })
  }
  studio = await start('studio')
  build = await start('build')
  // Otherwise a hub looks for others once a second.
  await studio.get('/api/hubs')
})
afterAll(async () => {
  await studio[Symbol.asyncDispose]()
  await build[Symbol.asyncDispose]()
  rmSync(shared, { recursive: true, force: true })
})

async function repoAt(hub: TestHub, name: string): Promise<Repo> {
  const { repos } = await hub.get<{ repos: Repo[] }>('/api/repos')
  return repos.find((repo) => repo.name === name && repo.hub?.state === 'here')!
}

async function placeAtBuild(id: string): Promise<HubPlace | undefined> {
  const { sessions } = await build.get<SessionList>('/api/sessions')
  return sessions.find((session) => session.id === id)?.hub
}

test('a new session in a repository that several machines have runs on the one that the person chooses', async () => {
  const machines = async () => (await repoAt(build, 'shop')).hubs?.map(({ name }) => name)
  await expect.poll(async () => (await machines())?.toSorted()).toEqual(['build', 'studio'])
  expect((await repoAt(build, 'shop-api')).hubs).toBeUndefined()
  const { id: repoId } = await repoAt(build, 'shop')
  const create = (input: object) => build.post('/api/sessions', { repoId, ...input })
  const created = await create({ hub: 'studio' })
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as SessionSummary
  expect(await placeAtBuild(id)).toMatchObject({ name: 'studio', state: 'elsewhere' })
  const { id: own } = (await (await create({ hub: 'build' })).json()) as SessionSummary
  expect(await placeAtBuild(own)).toMatchObject({ name: 'build', state: 'here' })
  const feed = await build.follow(own)
  const { result } = await feed.call('session/new', { repoId, hub: 'studio' })
  const { sessionId } = result as { sessionId: string }
  expect(await placeAtBuild(sessionId)).toMatchObject({ name: 'studio' })
})

test('a machine that is unknown or does not have the repository is refused', async () => {
  const { id: repoId } = await repoAt(studio, 'shop-api')
  expect((await build.post('/api/sessions', { repoId, hub: 'nowhere' })).status).toBe(404)
  const refused = await build.post('/api/sessions', { repoId, hub: 'build' })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('"build" does not have the repository') } },
  ])
})

test('quayside run --machine runs on that machine', async () => {
  const flags = ['--hub', build.hub.address, '--token', TOKEN, '--repo', 'shop', '--detach']
  const run = new CommandRun(['run', 'echo hello', '--machine', 'studio', ...flags])
  const { code, stdout } = await run.ended
  expect(code).toBe(0)
  expect(await placeAtBuild(stdout.trim())).toMatchObject({ name: 'studio' })
})

test('an ACP client of one hub gets the output of a command that runs at another one', async () => {
  const session = await studio.createSession('services')
  const client = await AcpTestClient.connect(webSocketStream(build.hub.address))
  try {
    client.onPermission = () => Promise.resolve(selected('allow_once'))
    await client.load(session.id, build.workspace)
    const shown = () =>
      client.updates(session.id).map(({ content }) => JSON.stringify(content ?? ''))
    const script = `const { existsSync } = require('node:fs')
      console.log('halfway')
      const look = setInterval(() => existsSync('go') && clearInterval(look), 20)`
    const { path } = await repoAt(studio, 'shop-api')
    writeFileSync(join(path, 'patient.cjs'), script)
    const prompted = client.prompt(session.id, 'run node patient.cjs')
    await client.until(() =>
      shown().some((text) => text.includes('cjs\\nhalfway') && !text.includes('[exit')),
    )
    writeFileSync(join(path, 'go'), '')
    await prompted
    await client.until(() => shown().some((text) => text.includes('halfway\\n[exit code 0]')))
  } finally {
    client.connection.close()
  }
})

test.runIf(process.platform === 'linux')(
  'a preview of a session elsewhere names the machine that shows it',
  async () => {
    const session = await studio.createSession()
    const program = `require('node:http').createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1')`
    const command = { command: process.execPath, args: ['-e', program] }
    await build.post('/api/terminals', { sessionId: session.id, ...command })
    const path = `${session.path}/previews`
    const ports = async () => (await build.get<{ ports: PreviewPort[] }>(path)).ports
    await expect.poll(ports).toHaveLength(1)
    const port = (await ports())[0]?.port
    const here = (await (await studio.post(path, { port })).json()) as { origin?: string }
    expect(here.origin, 'the page knows where it has the hub').toBeUndefined()
    const preview = (await (await build.post(path, { port })).json()) as {
      port: number
      path: string
      origin: string
    }
    expect(preview.origin).toBe(`http://127.0.0.1:${preview.port}`)
    const entry = await fetch(preview.origin + preview.path, { redirect: 'manual' })
    const [cookie = ''] = entry.headers.getSetCookie()
    const shown = await fetch(preview.origin, { headers: { cookie: cookie.split(';')[0]! } })
    expect(await shown.text()).toBe('hello')
  },
)
