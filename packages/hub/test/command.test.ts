// The `quayside` command as a child process: start, stop, a second hub, crashes, migrations.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionDetail, SessionSummary } from '@quayside/protocol'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { findLockHolder } from '../src/store/data-lock.js'
import { Screen } from './command-child.js'
import { quayside } from './command-run.js'
import { startHubChild, type HubChild } from './hub-child.js'
import { TestFeed } from './test-feed.js'
import { makeRepository, TOKEN } from './test-hub.js'

let folder: string
let env: Record<string, string>
const running = new Set<HubChild>()

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-command-')))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  env = {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
  }
})
afterEach(async () => {
  for (const hub of running) if (hub.process.exitCode === null) hub.process.kill('SIGKILL')
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

async function start(args: readonly string[] = []): Promise<HubChild> {
  const hub = await startHubChild(args, env)
  running.add(hub)
  return hub
}

async function call<T>(hub: Pick<HubChild, 'address'>, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${hub.address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json() as Promise<T>
}

async function createSession(hub: Pick<HubChild, 'address'>): Promise<SessionSummary> {
  const { repos } = await call<{ repos: Repo[] }>(hub, '/api/repos/scan', {})
  return call<SessionSummary>(hub, '/api/sessions', { repoId: repos[0]!.id })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('start prints an address whose code signs in, and pair prints another', async () => {
  const hub = await start()
  const pair = await quayside(['pair'], env)
  expect(pair.output).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=\S+\n$/)
  for (const address of [hub.signInAddress, pair.output.trim()]) {
    const code = new URL(address).hash.replace('#code=', '')
    const response = await fetch(`${hub.address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    expect(response.status).toBe(204)
  }
})

test('a second hub on the same data directory is refused, and names the first', async () => {
  const hub = await start()
  const second = await quayside(['start', '--port', '0'], env)
  expect(second.code).toBe(1)
  expect(second.output).toContain(`process ${hub.process.pid}`)
  expect(second.output).toContain(hub.address)
  expect(second.output).toContain('QUAYSIDE_DATA_DIR')
  const migrate = await quayside(['db', 'migrate'], env)
  expect(migrate.code).toBe(1)
})

test('a port in use, a wrong setting and an unknown command each get one clear line', async () => {
  const hub = await start()
  const other = { ...env, QUAYSIDE_DATA_DIR: join(folder, 'other') }
  const port = await quayside(['start', '--port', new URL(hub.address).port], other)
  expect(port).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Port \d+ is in use/) as string,
  })
  const wrong = await quayside(['start'], { ...other, AGENT_MAX_SESSIONS: 'many' })
  expect(wrong).toMatchObject({ code: 1 })
  expect(wrong.output.trim().split('\n')).toHaveLength(1)
  const root = join(folder, 'no-such')
  expect(await quayside(['start'], { ...other, AGENT_WORKSPACE_ROOT: root })).toEqual({
    code: 1,
    output: `quayside: The root folder ${root} does not exist. Set another with --root or AGENT_WORKSPACE_ROOT.\n`,
  })
  expect(await quayside(['dance'], other)).toMatchObject({
    code: 2,
    output: expect.stringContaining('unknown command "dance"') as string,
  })
})

test('a wrong setting of an agent stops the start and names itself', async () => {
  mkdirSync(env['QUAYSIDE_DATA_DIR']!)
  const file = join(env['QUAYSIDE_DATA_DIR']!, 'config.json')
  writeFileSync(file, JSON.stringify({ GEMINI_APPROVAL_MODE: 'always' }))
  expect(await quayside(['start', '--port', '0'], env)).toEqual({
    code: 1,
    output:
      'quayside: GEMINI_APPROVAL_MODE is "always"; allowed is one of default, auto_edit, plan, yolo.\n',
  })
})

test.each([[], ['--daemon']])('a data directory that is a file is named %s', async (...flags) => {
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'notes')
  const { code, output } = await quayside(['start', ...flags], { ...env, QUAYSIDE_DATA_DIR: file })
  expect(code).toBe(1)
  expect(output).toBe(
    `quayside: The data directory ${file} is not a folder. Choose another one with QUAYSIDE_DATA_DIR.\n`,
  )
})

test('help and version answer', async () => {
  expect((await quayside(['--version'], env)).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  const help = await quayside(['--help'], env)
  for (const command of ['start', 'pair', 'db']) expect(help.output).toContain(command)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'Clean up on server shutdown: %s cancels the sessions, ends their agents and exits 0',
  async (signal) => {
    const hub = await start()
    const session = await createSession(hub)
    const feed = await TestFeed.open(hub.address, session.id, 0)
    await call(hub, `/api/sessions/${session.id}/prompt`, { text: 'slow 60' })
    await feed.until('turn.started')
    const { pid } = (await feed.until('agent.started')).data
    expect(await hub.stop(signal)).toEqual({ code: 0, signal: null })
    expect(isRunning(pid!)).toBe(false)

    const again = await start()
    const detail = await call<SessionDetail>(again, `/api/sessions/${session.id}`)
    const metadata = { reason: 'server_shutdown', interrupted: true }
    expect(detail).toMatchObject({ status: 'cancelled', metadata })
  },
)

test('Clean up on server shutdown: a closed terminal is a shutdown, not a crash', async () => {
  const screen = new Screen(['start', '--port', '0'], { env })
  await screen.until('#code=')
  const { address, pid } = findLockHolder(env['QUAYSIDE_DATA_DIR']!)!
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')))
  const session = await createSession({ address: address! })
  screen.close()
  expect(await screen.ended).toBe(0)

  const again = await start()
  const detail = await call<SessionDetail>(again, `/api/sessions/${session.id}`)
  expect(detail).toMatchObject({ status: 'cancelled', metadata: { reason: 'server_shutdown' } })
  expect(detail.metadata).not.toHaveProperty('interrupted')
})

test('Clean up on server shutdown: an agent that will not end is forced, in time to store its end', async () => {
  env['AGENT_CANCEL_GRACE'] = '600'
  const hub = await start()
  const session = await createSession(hub)
  const feed = await TestFeed.open(hub.address, session.id, 0)
  await call(hub, `/api/sessions/${session.id}/prompt`, { text: 'stubborn' })
  await feed.until('turn.started')
  const { pid } = (await feed.until('agent.started')).data
  expect(await hub.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(isRunning(pid!)).toBe(false)

  const again = await start()
  const detail = await call<SessionDetail>(again, `/api/sessions/${session.id}`)
  expect(detail).toMatchObject({ status: 'cancelled', metadata: { reason: 'server_shutdown' } })
})

test('after kill -9 every event that a client saw is there, and the session reports what happened', async () => {
  const hub = await start()
  const session = await createSession(hub)
  const feed = await TestFeed.open(hub.address, session.id, 0)
  await call(hub, `/api/sessions/${session.id}/prompt`, { text: 'drip 100000 1' })
  await feed.until('acp.update', ({ update }) => JSON.stringify(update).includes('drop 20'))
  await hub.stop('SIGKILL')
  const seen = [...feed.events]

  const again = await start()
  const detail = await call<SessionDetail>(again, `/api/sessions/${session.id}`)
  expect(detail).toMatchObject({ status: 'error', metadata: { reason: 'hub_crash' } })
  expect(detail.messages.filter(({ content }) => 'partial' in content && content.partial)).toEqual(
    [],
  )
  const replay = await TestFeed.open(again.address, session.id, 0)
  await replay.until('session.ended')
  expect(replay.events.slice(0, seen.length)).toEqual(seen)
  expect(replay.types().slice(-3)).toEqual(['turn.ended', 'agent.exited', 'session.ended'])
  await createSession(again)
})

test('db migrate and db rollback work and report what they did', async () => {
  expect(await quayside(['db', 'migrate'], env)).toEqual({
    code: 0,
    output: expect.stringMatching(/^applied: 0001_init, /) as string,
  })
  expect(await quayside(['db', 'migrate'], env)).toEqual({ code: 0, output: 'nothing to do\n' })
  expect(await quayside(['db', 'rollback'], env)).toEqual({
    code: 0,
    output: expect.stringMatching(/^rolled back: 0\d{3}_\w+\n$/) as string,
  })
  await start()
})
