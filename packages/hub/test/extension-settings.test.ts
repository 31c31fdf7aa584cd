// Settings of agents: validated by their schema, hub-wide and per session. Secrets are never returned.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorBody, ExtensionDetail, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExtensionsFolder, manifest } from './extensions-folder.js'
import { startHubChild } from './hub-child.js'
import { makeRepository, startTestHub, type TestHub, TOKEN } from './test-hub.js'

const DEMO = fileURLToPath(new URL('../../demo-agent/bundle/main.js', import.meta.url))
/** Writes its arguments and environment to stderr, then runs the demo agent. */
const TALKATIVE = `console.error('started', ...process.argv.slice(1), process.env.X_API_KEY, process.env.X_PROXY);import(${JSON.stringify(DEMO)})`

function writeTalkative(folder: ExtensionsFolder): ExtensionsFolder {
  const agent = {
    command: '${NODE}',
    args: ['-e', TALKATIVE, '--', ['--model', '${MODEL}'], '${LOUD}'],
    env: { X_PROXY: '${PROXY_KEY}' },
    inheritEnv: ['QUAYSIDE_DEMO_PACE'],
  }
  const auth = { env: [{ name: 'X_API_KEY', label: 'Key of X', url: 'https://example.com/keys' }] }
  return folder
    .register('talkative', 'broken')
    .write('talkative/manifest.json', manifest('talkative', { agent, auth }))
    .write('talkative/settings_schema.json', {
      version: '1',
      description: 'Settings of a test.',
      fields: [
        { id: 'cwd', type: 'path', label: 'Folder', default: '.', required: true, browse: true },
        { id: 'model', type: 'text', label: 'Model', default: 'm0' },
        { id: 'loud', type: 'checkbox', label: 'Loud', on: '--loud' },
        { id: 'proxyKey', type: 'secret', label: 'Proxy key' },
      ],
    })
    .write('broken/manifest.json', { id: 'broken' })
}

let extensions: ExtensionsFolder
let hub: TestHub
beforeAll(async () => {
  extensions = writeTalkative(new ExtensionsFolder())
  hub = await startTestHub({ env: { QUAYSIDE_EXTENSIONS: extensions.path } })
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  extensions[Symbol.dispose]()
})

async function create(settings: Record<string, unknown>): Promise<Response> {
  const { id: repoId } = await hub.firstRepo()
  return hub.post('/api/sessions', { repoId, extensionId: 'talkative', settings })
}

/** The stderr of a new session's agent at its start. */
async function startedWith(settings: Record<string, unknown>): Promise<string> {
  const response = await create(settings)
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as SessionSummary
  const feed = await hub.follow(id)
  await hub.post(`/api/sessions/${id}/prompt`, { text: 'crash' })
  const { data } = await feed.until('agent.exited')
  return /^started(.*)$/m.exec(data.stderrTail ?? '')![1]!.trim()
}

async function problemOf(response: Response): Promise<string> {
  expect(response.status).toBe(422)
  const { error } = (await response.json()) as ErrorBody
  expect(error.code).toBe('invalid_settings')
  return error.message
}

function put(settings: unknown, id = 'talkative'): Promise<Response> {
  return hub.fetch(`/api/extensions/${id}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings }),
  })
}

describe('settings of a session', () => {
  test('reach the agent as arguments; without them the default does', async () => {
    expect(await startedWith({})).toMatch(/^--model m0 /)
    expect(await startedWith({ model: 'm1', loud: true })).toMatch(/^--model m1 --loud /)
  })

  test('are refused when they do not fit, and nothing is created', async () => {
    const { total } = await hub.get<{ total: number }>('/api/sessions')
    expect(await problemOf(await create({ modle: 'm1' }))).toBe(
      'Settings of Agent talkative: There is no setting modle; known are permissions, cwd, workspace, base, mcpServers, model, loud.',
    )
    expect(await problemOf(await create({ model: 1, loud: 'yes' }))).toContain(
      'model is 1; expected is a text. loud is "yes"; expected is true or false.',
    )
    expect((await hub.get<{ total: number }>('/api/sessions')).total).toBe(total)
  })

  test('are changed one by one, checked again, and taken back with null', async () => {
    const { id } = (await (await create({ model: 'm1' })).json()) as SessionSummary
    const patch = (settings: unknown) =>
      hub.fetch(`/api/sessions/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ settings }),
      })
    expect(await problemOf(await patch({ loud: 3 }))).toContain('loud is 3')
    const feed = await hub.follow(id)
    expect((await patch({ loud: true, model: null })).status).toBe(200)
    const { data } = await feed.until('session.updated')
    expect(data.settings).toEqual({ loud: true })
  })

  test('that several people change at once are all kept', async () => {
    const { id: repoId } = await hub.firstRepo()
    const created = await hub.post('/api/sessions', { repoId, extensionId: 'demo' })
    const { id } = (await created.json()) as SessionSummary
    const patch = (settings: unknown) =>
      hub.fetch(`/api/sessions/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ settings }),
      })
    const rounds = ['script-small', 'script-large', 'script-small', 'script-large']
    for (const model of rounds) {
      const mode = model === 'script-small' ? 'ask' : 'code'
      const permissions = { mode: mode === 'ask' ? 'ask' : 'auto', rules: [] }
      const all = [{ model }, { mode }, { permissions }]
      const answers = await Promise.all(all.map(patch))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const { settings } = await hub.get<{ settings: unknown }>(`/api/sessions/${id}`)
      expect(settings).toEqual({ model, mode, permissions })
    }
  })

  test('a folder found by browsing can be the one of the session', async () => {
    const { path } = await hub.firstRepo()
    mkdirSync(join(path, 'docs'), { recursive: true })
    const browsed = `/api/browse?path=${encodeURIComponent(path)}`
    const { folders } = await hub.get<{ folders: { path: string }[] }>(browsed)
    const response = await create({ cwd: folders[0]!.path })
    expect(response.status).toBe(201)
  })
})

describe('hub-wide settings', () => {
  test('apply to sessions without their own, and are the default of the form', async () => {
    expect((await put({ model: 'm2' })).status).toBe(200)
    expect(await startedWith({})).toMatch(/^--model m2 /)
    expect(await startedWith({ model: 'm3' })).toMatch(/^--model m3 /)
    const form = await hub.get<{ fields: { id: string; default?: unknown }[] }>(
      '/api/extensions/talkative/settings_schema',
    )
    expect(form.fields.map(({ id, default: value }) => [id, value])).toEqual([
      ['cwd', '.'],
      ['model', 'm2'],
      ['loud', undefined],
      ['proxyKey', undefined],
    ])
    expect((await put({ model: null })).status).toBe(200)
    expect(await startedWith({})).toMatch(/^--model m0 /)
  })

  test('are refused when they do not fit', async () => {
    expect(await problemOf(await put({ loud: 'no' }))).toContain('expected is true or false')
    expect(await problemOf(await put({ cwd: '.' }))).toContain('cwd belongs to a session')
    expect(await problemOf(await put({ X_API_KEY: 'short' }))).toContain('at least 8 characters')
    expect((await put({}, 'nobody')).status).toBe(404)
    const broken = await put({}, 'broken')
    expect(broken.status).toBe(422)
    expect(((await broken.json()) as ErrorBody).error).toMatchObject({
      code: 'extension_unavailable',
    })
  })
})

test('people see what is broken, what is installed and what is signed in', async () => {
  const { extensions: all } = await hub.get<{ extensions: ExtensionDetail[] }>('/api/extensions')
  const find = (id: string) => all.find((extension) => extension.id === id)
  expect(find('broken')).toMatchObject({ state: 'broken', enabled: false })
  expect(find('broken')!.problem).toContain('broken/manifest.json: name: ')
  expect(find('talkative')).toMatchObject({ state: 'enabled', installed: true })
  const detail = () => hub.get<ExtensionDetail>('/api/extensions/talkative')
  const key = { name: 'X_API_KEY', label: 'Key of X', url: 'https://example.com/keys' }
  expect((await detail()).auth).toEqual({ env: [{ ...key, isSet: false }] })
  expect(await hub.get('/api/extensions/broken')).toMatchObject({ state: 'broken' })
  await put({ X_API_KEY: 'a-key-for-a-moment' })
  expect((await detail()).auth).toEqual({ env: [{ ...key, isSet: true }] })
  await put({ X_API_KEY: null })
  expect((await detail()).auth).toEqual({ env: [{ ...key, isSet: false }] })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('a secret reaches the agent and is never seen again: no answer, event, log, wire or file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-secrets-'))
  const dataDir = join(folder, 'data')
  makeRepository(join(folder, 'workspace', 'shop-api'))
  // As a user's extension in the data directory.
  using source = writeTalkative(new ExtensionsFolder())
  mkdirSync(join(dataDir, 'extensions'), { recursive: true, mode: 0o700 })
  for (const file of filesIn(source.path)) {
    const copy = join(dataDir, 'extensions', file.slice(source.path.length))
    mkdirSync(join(copy, '..'), { recursive: true })
    writeFileSync(copy, readFileSync(file))
  }
  const env = {
    QUAYSIDE_DATA_DIR: dataDir,
    QUAYSIDE_TOKEN: TOKEN,
    QUAYSIDE_WIRE_LOG: '1',
    QUAYSIDE_LOG_LEVEL: 'trace',
    QUAYSIDE_DEMO_PACE: '0',
  }
  const secrets = ['tadpole-umbrella-4711', 'lantern-zebra-0815']
  const child = await startHubChild(['--root', join(folder, 'workspace')], env)
  const stderr: string[] = []
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const text = await (await fetch(`${child.address}${path}`, init)).text()
    stderr.push(text)
    return JSON.parse(text)
  }
  try {
    const settings = { X_API_KEY: secrets[0], proxyKey: secrets[1], model: 'visible-model' }
    expect(await ask('PUT', '/api/extensions/talkative/settings', { settings })).toEqual({
      settings: { model: 'visible-model', X_API_KEY: { isSet: true }, proxyKey: { isSet: true } },
    })
    const { repos } = (await ask('POST', '/api/repos/scan', {})) as { repos: { id: string }[] }
    const input = { repoId: repos[0]!.id, extensionId: 'talkative' }
    const { id } = (await ask('POST', '/api/sessions', input)) as { id: string }
    const refused = { ...input, settings: { proxyKey: secrets[1] } }
    expect(await ask('POST', '/api/sessions', refused)).toMatchObject({
      error: { code: 'invalid_settings' },
    })
    await ask('POST', `/api/sessions/${id}/prompt`, { text: 'crash' })
    await sessionEnd(child.address, id)
    await ask('GET', `/api/sessions/${id}`)
    const { events } = (await ask('GET', `/api/sessions/${id}/events`)) as {
      events: { type: string; data: { stderrTail?: string } }[]
    }
    const exited = events.find(({ type }) => type === 'agent.exited')
    // The agent did receive the secrets; otherwise this test would prove nothing.
    expect(exited!.data.stderrTail).toContain('--model visible-model [redacted] [redacted]')
    for (const path of ['', '/settings', '/settings_schema'])
      await ask('GET', `/api/extensions/talkative${path}`)
    await ask('GET', '/api/extensions/debug/raw?limit=200')
  } finally {
    await child.stop('SIGTERM')
  }
  expect(child.output()).toContain('session is active')
  const files = filesIn(dataDir)
  expect(files.some((file) => file.includes('/wire/'))).toBe(true)
  const holders = files.filter((file) => holdsAny(readFileSync(file, 'latin1'), secrets))
  expect(holders).toEqual([join(dataDir, 'secrets.json')])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'extension-settings.json')).mode & 0o777).toBe(0o600)
  expect(holdsAny(child.output(), secrets)).toBe(false)
  expect(stderr.filter((text) => holdsAny(text, secrets))).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

function holdsAny(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret))
}

/** Reads the session's events until it has ended. */
async function sessionEnd(address: string, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream' }
  const response = await fetch(`${address}/api/sessions/${id}/events`, { headers })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('"session.ended"')) return
  }
}

test('a damaged file of settings stops the start with its name, and without what is in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-damaged-'))
  mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'data', 'secrets.json'), '{ "x": { "KEY": "half-a-secret')
  await expect(startTestHub({ folder })).rejects.toThrow(/^\S+secrets\.json is damaged\. [^"]*$/)
  rmSync(folder, { recursive: true, force: true })
})
