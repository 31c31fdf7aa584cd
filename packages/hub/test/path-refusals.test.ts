// Paths that lead out of the workspace root or the repository are refused with 403, run nothing,
// and leave a line in the log that is marked as security.
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionList, SessionSummary } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHubId } from '../src/process/process-tag.js'
import { type HubChild, startHubChild } from './hub-child.js'
import { tagged } from './orphans-fixture.js'
import { makeRepository, TOKEN } from './test-hub.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-paths-')))
const data = join(folder, 'data')
const workspace = join(folder, 'workspace')
const outside = join(folder, 'workspace-evil', 'repo')
let hub: HubChild
let repos: Repo[]

beforeAll(async () => {
  makeRepository(join(workspace, 'kept'))
  makeRepository(join(workspace, 'moved'))
  makeRepository(outside)
  hub = await startHubChild([], {
    QUAYSIDE_DATA_DIR: data,
    QUAYSIDE_TOKEN: TOKEN,
    AGENT_WORKSPACE_ROOT: workspace,
    GEMINI_CLI_PATH: join(folder, 'no-gemini'),
  })
  repos = ((await (await call('POST', '/api/repos/scan', {})).json()) as { repos: Repo[] }).repos
})
afterAll(async () => {
  await hub.stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${hub.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

function repoId(name: string): string {
  return repos.find((repo) => repo.name === name)!.id
}

let refusals = 0
async function expectRefused(answer: Promise<Response>, path: string): Promise<void> {
  const response = await answer
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ error: { code: 'path_outside_root' } })
  refusals += 1
  await hub.untilLogged(refusals, (line) => line['security'] === true)
  expect(hub.output()).toContain(JSON.stringify({ path }).slice(1, -1))
  expect(tagged(openHubId(data)), 'no agent runs').toEqual([])
}

test('Reject session for invalid repository: an unknown one is 404, logged, and nothing runs', async () => {
  const unknown = '01a00000-0000-7000-8000-000000000000'
  expect((await call('POST', '/api/sessions', { repoId: unknown })).status).toBe(404)
  await hub.untilLogged(1, ({ repoId }) => repoId === unknown)
  expect(tagged(openHubId(data))).toEqual([])
})

test('Handle Gemini CLI not found: the path that was tried is logged, and nothing runs', async () => {
  const input = { repoId: repoId('kept'), extensionId: 'gemini' }
  expect((await call('POST', '/api/sessions', input)).status).toBe(422)
  await hub.untilLogged(1, ({ path }) => path === join(folder, 'no-gemini'))
  expect(tagged(openHubId(data))).toEqual([])
})

test('Reject session for unauthorized path, Validate repository on session creation: a link out of the root gets no session, no resuming, no looking', async () => {
  const id = repoId('moved')
  const created = await call('POST', '/api/sessions', { repoId: id })
  const session = (await created.json()) as SessionSummary
  await call('DELETE', `/api/sessions/${session.id}`)
  renameSync(join(workspace, 'moved'), join(folder, 'moved-away'))
  symlinkSync(outside, join(workspace, 'moved'))

  await expectRefused(call('POST', '/api/sessions', { repoId: id }), outside)
  await expectRefused(call('POST', `/api/sessions/${session.id}/resume`, {}), outside)
  await expectRefused(call('PATCH', `/api/sessions/${session.id}`, { settings: {} }), outside)
  for (const path of ['files', 'file?path=README.md', 'status', 'diff'])
    await expectRefused(call('GET', `/api/repos/${id}/${path}`), outside)
  await expectRefused(call('POST', `/api/repos/${id}/trust`, {}), outside)
  await expectRefused(call('GET', `/api/sessions/${session.id}/changes`), outside)
  const { total } = (await (await call('GET', '/api/sessions')).json()) as SessionList
  expect(total).toBe(1)
})

test.each(['/', '..', '../moved', '/etc', '../no-such-folder'])(
  'a session in %s instead of a folder of its repository',
  async (cwd) => {
    const input = { repoId: repoId('kept'), settings: { cwd } }
    await expectRefused(call('POST', '/api/sessions', input), cwd)
    const sessions = await call('GET', `/api/sessions?repoId=${input.repoId}`)
    expect(await sessions.json()).toMatchObject({ total: 0 })
  },
)

test.each([
  ['no-such-folder', 'does not exist'],
  ['README.md', 'is a file'],
])('a session in %s of its repository is wrong input, not an attack', async (cwd, why) => {
  const alarms = () => hub.output().split('"security":true').length
  const before = alarms()
  const input = { repoId: repoId('kept'), settings: { cwd } }
  const created = (await (
    await call('POST', '/api/sessions', { repoId: input.repoId })
  ).json()) as {
    id: string
  }
  const path = `/api/sessions/${created.id}`
  const answers = [
    await call('POST', '/api/sessions', input),
    await call('PATCH', path, { settings: input.settings }),
    // The same for a session that has ended.
    await call('DELETE', path).then(() => call('PATCH', path, { settings: input.settings })),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'invalid_settings',
        message: expect.stringContaining(`${cwd} ${why}`) as string,
      },
    })
  }
  await call('DELETE', `${path}?purge=true`)
  // The log is in order: after one real alarm, a false one would have been read.
  await expectRefused(call('POST', '/api/sessions', { ...input, settings: { cwd: '/' } }), '/')
  expect(alarms()).toBe(before + 1)
})

test('resuming an ended session in a folder outside its repository', async () => {
  const created = await call('POST', '/api/sessions', { repoId: repoId('kept') })
  const { id } = (await created.json()) as SessionSummary
  await call('DELETE', `/api/sessions/${id}`)
  await expectRefused(call('PATCH', `/api/sessions/${id}`, { settings: { cwd: '/usr' } }), '/usr')
})

test.each(['../moved', '/etc', '.git/config'])(
  'looking for changes at %s instead of a path of the repository',
  async (path) => {
    const query = `?path=${encodeURIComponent(path)}`
    await expectRefused(call('GET', `/api/repos/${repoId('kept')}/diff${query}`), path)
    const list = (await (await call('GET', '/api/sessions')).json()) as SessionList
    await expectRefused(call('GET', `/api/sessions/${list.sessions[0]!.id}/changes${query}`), path)
  },
)

test.each([outside, `${workspace}/../workspace-evil`, `${workspace}-evil`, '/', '/no/such/folder'])(
  'looking for folders outside of the root (%#)',
  async (path) => {
    await expectRefused(call('GET', `/api/browse?path=${encodeURIComponent(path)}`), path)
  },
)

test.each([outside, `${workspace}/../workspace-evil`, '/', '/no/such/folder'])(
  'adding a repository outside of the root (%#)',
  async (path) => {
    await expectRefused(call('POST', '/api/repos', { path }), path)
  },
)

test('a repository is added by a folder in it, also where a scan does not look, and stays known', async () => {
  makeRepository(join(workspace, '.hidden', 'by-path'))
  mkdirSync(join(workspace, '.hidden', 'by-path', 'src'))
  const path = join(workspace, '.hidden', 'by-path', 'src')
  const added = await call('POST', '/api/repos', { path })
  expect(await added.json()).toMatchObject({ name: 'by-path', missing: false })
  const names = async () => {
    const scanned = await call('POST', '/api/repos/scan', {})
    return ((await scanned.json()) as { repos: Repo[] }).repos.map(({ name }) => name)
  }
  expect(await names()).toContain('by-path')
  rmSync(join(workspace, '.hidden'), { recursive: true })
  expect(await names()).not.toContain('by-path')

  const plain = await call('POST', '/api/repos', { path: workspace })
  expect(plain.status).toBe(404)
  expect(await plain.text()).toContain('lies in no git repository')
  const gone = await call('POST', '/api/repos', { path })
  expect(await gone.text()).toContain('There is no folder')
  const relative = await call('POST', '/api/repos', { path: 'kept' })
  expect(await relative.text()).toContain('is not an absolute path')
})

test('folders inside of the root are shown; a link out of it is not', async () => {
  const folders = async (query: string) =>
    ((await (await call('GET', `/api/browse${query}`)).json()) as { folders: { name: string }[] })
      .folders
  expect(await folders('')).toEqual([{ name: workspace, path: workspace }])
  expect(await folders(`?path=${encodeURIComponent(workspace)}`)).toEqual([
    { name: 'kept', path: join(workspace, 'kept') },
  ])
  const file = encodeURIComponent(join(workspace, 'kept', 'README.md'))
  const refused = await call('GET', `/api/browse?path=${file}`)
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({ error: { code: 'not_found' } })
})
