// Probes start real agents, working and broken ones, and report the state of each.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import type { Extension } from '@quayside/protocol'
import type { Probe } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeFaultyAgents } from './faulty-agents.js'
import { quayside } from './command-run.js'
import { TempFolder } from './store-fixture.js'
import { startTestHub, type TestHub } from './test-hub.js'

const folder = new TempFolder()
const agents = writeFaultyAgents(folder, {
  plain: { QUAYSIDE_DEMO_CAPS: 'load' },
  'signed-out': { QUAYSIDE_DEMO_AUTH: '1' },
  reporting: { QUAYSIDE_DEMO_AUTH: 'status' },
  unconfigured: { QUAYSIDE_DEMO_AUTH: 'config' },
  legacy: { QUAYSIDE_DEMO_MODELS: 'legacy' },
  misspelt: { QUAYSIDE_DEMO_MODELS: 'modern' },
  protocol: { QUAYSIDE_DEMO_FAULTS: 'protocol' },
  nameless: { QUAYSIDE_DEMO_FAULTS: 'nameless' },
  'outlive-stdin': { QUAYSIDE_DEMO_FAULTS: 'outlive-stdin' },
  downloaded: {},
  offline: {},
  missing: {},
  mute: {},
  chatty: {},
})
replaceAgent('missing', { command: 'no-such-agent-here' }, 'npm i -g missing')
replaceAgent('mute', { command: '${NODE}', args: ['-e', 'setInterval(() => {}, 1000)'] })
replaceAgent('chatty', {
  command: '${NODE}',
  args: ['-e', 'console.log("Welcome!"); process.exit(3)'],
})

changeManifest('unconfigured', { auth: { errors: ['Failed to resolve provider'] } })

const gate = folder.file('gate')
const downloads = folder.file('downloads')
/** Waits for the gate, and notes that it has run. */
const downloadScript = `
  const fs = require('fs')
  const wait = setInterval(() => {
    if (!fs.existsSync(${JSON.stringify(gate)})) return
    fs.appendFileSync(${JSON.stringify(downloads)}, 'once ')
    clearInterval(wait)
  }, 20)`
changeAgent('downloaded', { download: ['-e', downloadScript] })
changeAgent('offline', {
  download: ['-e', 'console.error("no route to the registry"); process.exit(1)'],
})

function changeAgent(id: string, changes: object): void {
  const file = folder.file(`agents/${id}/manifest.json`)
  const { agent } = JSON.parse(readFileSync(file, 'utf8')) as { agent: object }
  changeManifest(id, { agent: { ...agent, ...changes } })
}

function changeManifest(id: string, changes: object): void {
  const file = `agents/${id}/manifest.json`
  const manifest = JSON.parse(readFileSync(folder.file(file), 'utf8')) as object
  folder.write(file, JSON.stringify({ ...manifest, ...changes }))
}

function replaceAgent(id: string, agent: unknown, install?: string): void {
  const manifest = { id, name: id, type: 'acp', agent, ...(install && { install }) }
  folder.write(`agents/${id}/manifest.json`, JSON.stringify(manifest))
}

let hub: TestHub
beforeAll(async () => {
  hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: agents, AGENT_START_TIMEOUT: '10' } })
  // The folder for the probes' own folders.
  mkdirSync(folder.file('tmp'))
  vi.stubEnv('TMPDIR', folder.file('tmp'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await hub[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function probe(id: string): Promise<Probe> {
  const response = await hub.post(`/api/extensions/${id}/probe`, {})
  expect(response.status).toBe(200)
  return response.json() as Promise<Probe>
}

test('a working agent is reported with its name, abilities and start-up time', async () => {
  const found = await probe('plain')
  expect(found).toMatchObject({
    extensionId: 'plain',
    state: 'ready',
    problems: [],
    command: process.execPath,
    version: '0.1.0',
    agentInfo: { name: 'quayside-demo-agent' },
    protocolVersion: 1,
    signInMethods: [],
    abilities: ['loads earlier sessions', 'takes pictures', 'takes files inside of prompts'],
    capabilities: { loadSession: true },
    modes: { currentModeId: 'ask' },
  })
  expect(found.configOptions?.map(({ id }) => id)).toEqual(['mode', 'model'])
  for (const ms of [found.initializeMs, found.newSessionMs])
    expect(Number.isInteger(ms), String(ms)).toBe(true)
  expect((await probe('legacy')).models).toMatchObject({ currentModelId: 'script-small' })
})

test('an agent that needs a sign-in is reported with its methods', async () => {
  const found = await probe('signed-out')
  expect(found.initializeMs).toBeGreaterThan(0)
  expect(found).not.toHaveProperty('newSessionMs')
  expect(found).toMatchObject({
    state: 'needs_sign_in',
    problem: expect.stringContaining('Sign in to the agent first') as string,
    version: '0.1.0',
    signInMethods: [
      { id: 'demo-login', how: 'agent' },
      { id: 'demo-terminal', how: 'terminal' },
    ],
  })
})

test('an agent that opens sessions and reports that nobody is signed in is not ready', async () => {
  const found = await probe('reporting')
  expect(found).toMatchObject({
    state: 'needs_sign_in',
    problem: 'Sign in to the agent first: Not logged in.',
    modes: { currentModeId: 'ask' },
  })
  expect(found.newSessionMs).toBeGreaterThanOrEqual(0)
})

test('an agent that lacks its configuration needs a sign-in, by the errors of its manifest', async () => {
  expect(await probe('unconfigured')).toMatchObject({
    state: 'needs_sign_in',
    problem: expect.stringContaining('Failed to resolve provider') as string,
  })
  const { id: repoId } = await hub.firstRepo()
  const refused = await hub.post('/api/sessions', { repoId, extensionId: 'unconfigured' })
  expect(await refused.json()).toMatchObject({ error: { code: 'agent_auth_required' } })
})

test('a session shows that its agent is signed out, and signed in again', async () => {
  const session = await hub.createSession('reporting')
  const changes = () =>
    session.feed.events.flatMap(({ type, data }) => (type === 'agent.auth_changed' ? [data] : []))
  await session.feed.until('agent.auth_changed')
  const isSignedOut = async () => {
    const { state } = await hub.get<{ state: { agent: object } }>(`${session.path}/timeline`)
    return state.agent
  }
  expect(await isSignedOut()).toMatchObject({ isSignedOut: true })
  await session.run('auth-status api_key')
  await session.run('auth-status api_key')
  expect(await isSignedOut()).toMatchObject({ isSignedOut: false })
  await session.run('auth-status none')
  expect(changes()).toEqual([
    { signedIn: false, label: 'Not logged in' },
    { signedIn: true, label: 'Signed in by api_key' },
    { signedIn: false, label: 'Not logged in' },
  ])
  const transcript = await (await hub.fetch(`${session.path}/transcript?format=md`)).text()
  expect(transcript).toContain('The agent is not signed in (Not logged in). Sign in with')
  await hub.fetch(session.path, { method: 'DELETE' })
})

test('an agent is downloaded before its first start, visibly and once', async () => {
  const isDownloading = async () => {
    const { downloadingSince } = await hub.get<Extension>('/api/extensions/downloaded')
    return downloadingSince !== undefined
  }
  const probing = probe('downloaded')
  await expect.poll(isDownloading).toBe(true)
  folder.write('gate', '')
  expect(await probing).toMatchObject({ state: 'ready' })
  expect(await isDownloading()).toBe(false)
  await probe('downloaded')
  expect(readFileSync(downloads, 'utf8')).toBe('once ')
})

test('a download that fails is the problem that is reported', async () => {
  const { state, problem } = await probe('offline')
  expect(state).toBe('broken')
  expect(problem).toMatch(/could not be downloaded.*no route to the registry/)
})

test('a missing agent is reported with the searched program and how to install it', async () => {
  expect(await probe('missing')).toMatchObject({
    state: 'not_installed',
    command: 'no-such-agent-here',
    install: 'npm i -g missing',
    problem: expect.stringContaining('not on the PATH') as string,
  })
})

test('an agent that dies, or never answers, is reported as broken with the reason', async () => {
  const [misspelt, mute, chatty] = await Promise.all([
    probe('misspelt'),
    probe('mute'),
    probe('chatty'),
  ])
  expect(misspelt).toMatchObject({ state: 'broken', problems: [] })
  expect(misspelt.problem).toContain('"modern" is not one of options, legacy')
  expect(mute).toMatchObject({
    state: 'broken',
    problem: 'It did not answer initialize within 10 s.',
  })
  expect(chatty.problem).toContain('exit code 3')
  expect(chatty.problems).toEqual([
    'wrote output to stdout that is not JSON-RPC (lines: 1), such as: Welcome!',
  ])
})

test('an agent of another protocol version is refused, and the probe reports the same', async () => {
  const { problem, ...found } = await probe('protocol')
  expect(found).toMatchObject({ state: 'broken', problems: ['speaks protocol version 2, not 1'] })
  expect(problem).toContain('version 2 of the Agent Client Protocol')
  const { id: repoId } = await hub.firstRepo()
  const refused = await hub.post('/api/sessions', { repoId, extensionId: 'protocol' })
  expect(refused.status).toBe(502)
  expect(await refused.json()).toMatchObject({ error: { code: 'agent_failed', message: problem } })
})

test('the problems of a working agent are reported', async () => {
  const [nameless, stays] = await Promise.all([probe('nameless'), probe('outlive-stdin')])
  expect(nameless).toMatchObject({ state: 'ready', protocolVersion: 1 })
  expect(nameless.problems).toEqual(['its agentInfo lacks a name or a version'])
  expect(stays.problems).toEqual([
    'did not exit within 5 s after its stdin was closed; the hub had to send SIGTERM',
  ])
})

test('a second request during a probe gets its result, and nothing stays', async () => {
  const found = await Promise.all(['plain', 'plain', 'plain', 'legacy', 'plain'].map(probe))
  const plain = found.filter(({ extensionId }) => extensionId === 'plain')
  expect(new Set(plain.map((one) => JSON.stringify(one))).size).toBe(1)

  expect(readdirSync(folder.file('tmp'))).toEqual([])
  const metrics = await (await hub.fetch('/metrics')).text()
  expect(metrics).toMatch(/^quayside_agent_processes 0$/m)
})

test('the list of agents shows what the last probe found', async () => {
  const { probedAt } = await probe('signed-out')
  const { extensions } = await hub.get<{ extensions: Extension[] }>('/api/extensions')
  const last = (id: string) => extensions.find((one) => one.id === id)?.lastProbe
  expect(last('signed-out')).toMatchObject({ state: 'needs_sign_in', version: '0.1.0', probedAt })
  expect(last('gemini')).toBeUndefined()
})

test('an unknown extension is not found', async () => {
  expect((await hub.post('/api/extensions/nobody/probe', {})).status).toBe(404)
})

test('a hub that stops while a probe runs takes the agent with it', async () => {
  const pidFile = folder.file('mute.pid')
  const program = `fs.writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`
  replaceAgent('mute', { command: '${NODE}', args: ['-e', program] })
  await using other = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: agents } })
  const probing = other.post('/api/extensions/mute/probe', {}).catch(() => 'cut off')
  const readPid = () => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8'))
  await expect.poll(readPid).toBeGreaterThan(0)
  const pid = Number(readPid())

  await other.hub.stop()

  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await probing
})

test('the command prints the same as text or as JSON, and has an exit code', async () => {
  const env = { QUAYSIDE_DATA_DIR: folder.file('data'), QUAYSIDE_EXTENSIONS: agents }
  const one = await quayside(['agents', 'probe', 'plain', '--json'], env)
  expect(one.code).toBe(0)
  expect(JSON.parse(one.output)).toMatchObject({ extensionId: 'plain', state: 'ready' })
  const text = await quayside(['agents', 'probe', 'signed-out'], env)
  expect(text.code).toBe(5)
  expect(text.output).toMatch(/^signed-out 0\.1\.0: needs sign-in\n {2}problem .*\n/)
  const list = await quayside(['agents', '--json'], env)
  const { agents: rows } = JSON.parse(list.output) as { agents: Record<string, unknown>[] }
  expect(rows.find(({ id }) => id === 'missing')).toMatchObject({ isInstalled: false })
  expect(rows.find(({ id }) => id === 'demo')).toMatchObject({ isInstalled: true })
  // The data directory is not needed and not created.
  expect(readdirSync(folder.path)).not.toContain('data')
})
