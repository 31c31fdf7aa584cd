// `quayside acp` as editors start it, also with acpx, an independent ACP client.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROGRAMS } from '../src/places.js'
import { type AcpChild, AcpTestClient, startAcpChild } from './acp-test-client.js'
import { quayside } from './command-run.js'
import { type HubChild, startHubChild } from './hub-child.js'
import { makeRepository, TOKEN } from './test-hub.js'
import { testEnvironment } from './test-environment.js'

/** acpx starts several programs, one after the other. */
const ACPX_MS = 180_000
const DOCS = fileURLToPath(new URL('../../../docs/acp.md', import.meta.url))

let folder: string
let cwd: string
let env: Record<string, string>
const hubs = new Set<HubChild>()
const children = new Set<AcpChild>()

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-acp-')))
  cwd = join(folder, 'workspace', 'shop-api')
  makeRepository(cwd)
  env = {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    QUAYSIDE_DEMO_PACE: '0',
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
    GEMINI_PORT: '0',
  }
})
afterEach(async () => {
  for (const { process } of children) process.stdin?.end()
  await Promise.all([...children].map(ended))
  await Promise.all([...hubs].map((hub) => hub.stop('SIGTERM')))
  children.clear()
  hubs.clear()
  rmSync(folder, { recursive: true, force: true })
})

async function startHub(): Promise<HubChild> {
  const hub = await startHubChild([], env)
  hubs.add(hub)
  return hub
}

function startChild(
  args: readonly string[] = [],
  childEnv: Readonly<Record<string, string>> = env,
): AcpChild {
  const child = startAcpChild(childEnv, args)
  children.add(child)
  return child
}

async function ended({ process }: AcpChild): Promise<number | null> {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
  return process.exitCode
}

async function get<T>(hub: HubChild, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  return (await fetch(`${hub.address}${path}`, { headers })).json() as Promise<T>
}

test('after kill -9 of the hub a new one knows the session and continues it', async () => {
  const first = await startHub()
  const before = startChild()
  const client = await AcpTestClient.connect(before.stream)
  const sessionId = await client.newSession(cwd)
  await client.prompt(sessionId, 'echo before the crash')
  const lost = client.prompt(sessionId, 'slow 50').catch((error: Error) => error.message)
  let events: readonly SessionEvent[] = []
  // A queued prompt would be sent after the crash.
  await expect
    .poll(async () => {
      const path = `/api/sessions/${sessionId}/events`
      events = (await get<{ events: SessionEvent[] }>(first, path)).events
      return events.filter(({ type }) => type === 'turn.started')
    })
    .toHaveLength(2)
  hubs.delete(first)
  await first.stop('SIGKILL')

  expect(await ended(before)).toBe(7)
  expect(before.stderr()).toContain('closed the connection')
  expect(await lost).toContain('closed')

  const second = await startHub()
  const again = await AcpTestClient.connect(startChild().stream)
  await again.load(sessionId, cwd)
  const updates = events.flatMap((event) =>
    event.type === 'acp.update' ? [event.data.update] : [],
  )
  expect(again.updates(sessionId)).toEqual(expect.arrayContaining(updates))
  expect(again.text(sessionId, 'user_message_chunk')).toContain('echo before the crash')
  expect((await again.prompt(sessionId, 'echo after it')).stopReason).toBe('end_turn')
  expect(await get(second, `/api/sessions/${sessionId}`)).toMatchObject({ status: 'active' })
})

test('without a hub the command is one itself, as long as its client is there', async () => {
  const child = startChild()
  const client = await AcpTestClient.connect(child.stream)
  const sessionId = await client.newSession(cwd)
  expect((await client.prompt(sessionId, 'echo alone')).stopReason).toBe('end_turn')
  expect(child.stderr()).toContain('quayside start')

  // Clients that connect meanwhile use the same hub.
  const other = await AcpTestClient.connect(startChild().stream)
  await other.load(sessionId, cwd)
  expect(other.text(sessionId)).toBe('alone')

  child.process.stdin?.end()
  expect(await ended(child)).toBe(0)
  const pair = await quayside(['pair'], env)
  expect(pair.output).toContain('No hub is running')
})

test('two editors that start at once without a hub share one', async () => {
  const both = [startChild(), startChild()]
  const [one, two] = await Promise.all(both.map(({ stream }) => AcpTestClient.connect(stream)))
  const sessionId = await one!.newSession(cwd)
  await two!.load(sessionId, cwd)
  await two!.prompt(sessionId, 'echo together')
  await one!.until(() => one!.text(sessionId) === 'together')
  expect(both.filter((child) => child.stderr().includes('no hub was running'))).toHaveLength(1)
})

test('a hub elsewhere is named by its address and a token', async () => {
  const { address } = await startHub()
  const { QUAYSIDE_DATA_DIR: _, ...elsewhere } = env
  const remote = { ...elsewhere, QUAYSIDE_DATA_DIR: join(folder, 'other') }
  const client = await AcpTestClient.connect(startChild(['--hub', address], remote).stream)
  expect(await client.newSession(cwd)).toMatch(/^[0-9a-f-]{36}$/)

  const byUrl = { ...remote, QUAYSIDE_URL: address }
  for (const [how, code, words] of [
    [{ ...byUrl, QUAYSIDE_TOKEN: 'not-the-token-of-this-hub' }, 1, 'Sign in first'],
    [{ ...byUrl, QUAYSIDE_TOKEN: '' }, 2, 'Set QUAYSIDE_TOKEN'],
    [{ ...remote, QUAYSIDE_URL: 'http://127.0.0.1:1' }, 7, 'cannot be reached'],
  ] as const) {
    const refused = await quayside(['acp'], how)
    expect(refused).toMatchObject({ code })
    expect(refused.output).toContain(words)
  }
})

test(
  'acpx prompts, answers a permission, and resumes a session by its id',
  async () => {
    const hub = await startHub()
    const acpx = await findAcpx()

    expect(await acpx('--approve-all', 'exec', 'ask')).toContain('selected allow_once')
    const { sessions } = await get<{ sessions: { id: string }[] }>(hub, '/api/sessions')
    const [session] = sessions
    await acpx('sessions', 'new', '-s', 'again', '--resume-session', session?.id ?? '')
    expect(await acpx('--ttl', '1', 'prompt', '-s', 'again', 'recall')).toContain('1. ask')
    await acpx('sessions', 'close', 'again')

    // acpx used one session of the hub, which still exists.
    const known = await get<{ sessions: object[] }>(hub, '/api/sessions')
    expect(known.sessions).toMatchObject([{ id: session?.id, status: 'active', turnCount: 2 }])
  },
  ACPX_MS,
)

test('the example of the documentation works as it stands there', async () => {
  await startHub()
  const [, example] = /```js\n([\s\S]*?)```/.exec(readFileSync(DOCS, 'utf8')) ?? []
  // Inside the workspace, where the SDK can be resolved.
  const file = fileURLToPath(new URL(`.quayside-example-${process.pid}.mjs`, import.meta.url))
  writeFileSync(file, example ?? '')
  try {
    const output = await run(process.execPath, [file, cwd], { QUAYSIDE: PROGRAMS.quayside })
    expect(output).toContain('When you are ready for real work')
    expect(output).toContain('[end_turn]')
  } finally {
    rmSync(file)
  }
})

type Clients = { readonly installAcpx: () => Promise<[string, string]> }

async function findAcpx(): Promise<(...args: string[]) => Promise<string>> {
  const scripts = new URL('../../../scripts/tools/clients.mjs', import.meta.url).href
  const { installAcpx } = (await import(scripts)) as Clients
  const [program, cli] = await installAcpx()
  const home = join(folder, 'home')
  mkdirSync(home)
  const agent = `${process.execPath} ${PROGRAMS.quayside} acp`
  return (...args) => run(program, [cli, '--agent', agent, '--cwd', cwd, ...args], { HOME: home })
}

function run(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const whole = { ...testEnvironment(), ...env, ...more }
  return new Promise((resolve, reject) =>
    execFile(program, args, { env: whole, cwd: folder }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
      else resolve(stdout)
    }),
  )
}
