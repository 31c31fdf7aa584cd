// Cloning into a root folder: with real git, a repository on disk, and a server that never answers.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clone, ErrorBody, Repo } from '@quayside/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { cloneRepository, type CloneProgress } from '../src/repos/git/git-clone.js'
import { startHubChild } from './hub-child.js'
import { startTestHub, type TestHub, TOKEN } from './test-hub.js'

let hub: TestHub
let server: Server
const sockets: Socket[] = []

beforeAll(async () => {
  hub = await startTestHub()
  server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  for (const socket of sockets) socket.destroy()
  server.close()
})

const find = (id: string) => hub.get<Clone>(`/api/clones/${id}`)
/** A server that accepts connections and says nothing. */
const silent = () => `git://127.0.0.1:${(server.address() as AddressInfo).port}/silent`
const partials = () => readdirSync(hub.workspace).filter((name) => name.startsWith('.quayside'))

async function begin(url: string, more: object = {}): Promise<Clone> {
  const response = await hub.post('/api/clones', { url, ...more })
  expect(response.status).toBe(202)
  return (await response.json()) as Clone
}

async function ended(id: string): Promise<Clone> {
  await expect.poll(async () => (await find(id)).state).not.toBe('running')
  return find(id)
}

test('a repository is cloned into the root folder and listed, and no hook or template of the person runs', async () => {
  const home = mkdtempSync(join(tmpdir(), 'quayside-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const ran = join(home, 'ran')
  for (const hooks of ['template/hooks', 'hooks']) {
    mkdirSync(join(home, hooks), { recursive: true })
    writeFileSync(join(home, hooks, 'post-checkout'), `#!/bin/sh\ntouch "${ran}"\n`)
    chmodSync(join(home, hooks, 'post-checkout'), 0o755)
  }
  const config = `[init]\n\ttemplateDir = ${home}/template\n[core]\n\thooksPath = ${home}/hooks\n`
  writeFileSync(join(home, '.gitconfig'), config)
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())

  const source = join(hub.workspace, 'shop-api')
  // The traps work for a plain git.
  execFileSync('git', ['clone', '--quiet', source, join(home, 'plain')])
  expect(existsSync(ran)).toBe(true)
  rmSync(ran)
  const { id } = await begin(`file://${source}`, { name: 'copy' })
  const { state, repoId, path } = await ended(id)
  expect([state, path]).toEqual(['done', join(hub.workspace, 'copy')])
  const { repos } = await hub.get<{ repos: Repo[] }>('/api/repos')
  expect(repos.find((repo) => repo.id === repoId)).toMatchObject({ name: 'copy', path })
  const headOf = (folder: string) => execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'])
  expect(headOf(path)).toEqual(headOf(source))
  expect(existsSync(join(path, '.git', 'hooks', 'post-checkout'))).toBe(false)
  expect(existsSync(ran)).toBe(false)
  expect(partials()).toEqual([])
})

test('git’s progress is reported by phase and percent', async () => {
  const target = join(hub.folder, 'with-progress')
  const seen: CloneProgress[] = []
  await cloneRepository({
    url: `file://${join(hub.workspace, 'shop-api')}`,
    protocol: 'file',
    target,
    env: {},
    signal: AbortSignal.timeout(60_000),
    onProgress: (progress) => seen.push(progress),
  })
  expect(seen).toContainEqual({ phase: 'Receiving objects', percent: 100 })
})

test('a cancelled clone ends git and leaves no folder', async () => {
  const before = sockets.length
  const { id, state } = await begin(silent())
  expect(state).toBe('running')
  await expect.poll(() => sockets.length).toBe(before + 1)
  const closed = once(sockets[before]!.resume(), 'close')
  const response = await hub.fetch(`/api/clones/${id}`, { method: 'DELETE' })
  expect(await response.json()).toMatchObject({ id, state: 'cancelled' })
  await closed
  expect(partials()).toEqual([])
  expect(existsSync(join(hub.workspace, 'silent'))).toBe(false)
})

test('a hub that is killed takes git with it, and the next start removes the partial folder', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-clones-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'workspace')
  const data = join(folder, 'data')
  mkdirSync(root)
  const env = { QUAYSIDE_DATA_DIR: data, QUAYSIDE_TOKEN: TOKEN, AGENT_WORKSPACE_ROOT: root }
  const before = sockets.length
  const killed = await startHubChild([], env)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: silent() })
  await fetch(`${killed.address}/api/clones`, { method: 'POST', headers, body })
  await expect.poll(() => sockets.length).toBe(before + 1)
  const closed = once(sockets[before]!.resume(), 'close')
  await killed.stop('SIGKILL')
  await closed
  // As after the end of the whole machine, when git cannot remove its folder itself.
  const [record] = readdirSync(join(data, 'clones'))
  mkdirSync(join(root, `.quayside-clone-${record}`, '.git'), { recursive: true })
  // A record that names another folder is not followed.
  mkdirSync(join(folder, 'precious'))
  writeFileSync(join(data, 'clones', 'other'), join(folder, 'precious'))

  const next = await startHubChild([], env)
  onTestFinished(async () => void (await next.stop('SIGTERM')))
  await expect.poll(() => [...readdirSync(root), ...readdirSync(join(data, 'clones'))]).toEqual([])
  const answer = await fetch(`${next.address}/api/repos`, { headers })
  expect(await answer.json()).toEqual({ repos: [] })
  expect(existsSync(join(folder, 'precious'))).toBe(true)
})

test('a hub that stops cancels its clones', async () => {
  const before = sockets.length
  await using stopped = await startTestHub()
  await stopped.post('/api/clones', { url: silent() })
  await expect.poll(() => sockets.length).toBe(before + 1)
  await stopped.hub.stop()
  expect(readdirSync(stopped.workspace)).toEqual(['shop-api'])
})

test('a failure has git’s reason, and the folder is free again', async () => {
  const { id } = await begin(`file://${join(hub.workspace, 'not-there', '..')}`, { name: 'none' })
  expect(await ended(id)).toMatchObject({ state: 'failed', problem: expect.stringMatching(/git/) })
  expect(existsSync(join(hub.workspace, 'none'))).toBe(false)
  expect(partials()).toEqual([])
})

test.each([
  [{ url: 'ext::sh -c id' }, 'bad_request'],
  [{ url: '--upload-pack=id' }, 'bad_request'],
  [{ url: 'file:///etc' }, 'path_outside_root'],
  [{ url: 'https://example.com/shop-api.git' }, 'folder_taken'],
  [{ url: 'https://example.com/x', name: '../x' }, 'bad_request'],
  [{ url: 'https://example.com/' }, 'bad_request'],
])('%j is refused before git starts', async (request, code) => {
  const response = await hub.post('/api/clones', request)
  expect(((await response.json()) as ErrorBody).error.code).toBe(code)
  expect(partials()).toEqual([])
})

test('cloning needs the scope admin', async () => {
  const created = await hub.post('/api/tokens', { name: 'writer', scope: 'write' })
  const { token } = (await created.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: silent() })
  const response = await hub.fetch('/api/clones', { method: 'POST', headers, body })
  expect(response.status).toBe(403)
})
