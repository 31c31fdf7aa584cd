// Hostile paths (20 in `npm test`, 1,000 in `npm run test:torture`) at every route that takes one: none shows or changes a file outside of
// the repository, and legal paths are served. confined-files-hostile.test.ts does the same for the files of agents.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfinedFiles } from '../../src/repos/files/confined-files.js'
import { CANARY, HostileTree } from '../confined-files-corpus.js'
import { FuzzJson } from '../fuzz-json.js'
import { random } from '../random.js'
import { startTestHub, type TestHub } from '../test-hub.js'
import { figure, isTorture } from './figure.js'

const PATHS = isTorture ? 1_000 : 20
const AT_ONCE = 8
const RUNS_GIT = /\/(diff|changes)\?/
/** The canary, and the beginning of a file that every machine has. */
const FOREIGN = new RegExp(`${CANARY}|root:[^:]*:0:`)

let tree: HostileTree
beforeEach(async () => {
  tree = await HostileTree.make()
  // Hard links look like any file; only writing to one is refused.
  for (const name of ['hard', 'dir/sub/hard']) rmSync(join(tree.root, name))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tree.root, stdio: 'ignore' })
  git('init', '--initial-branch=main', '--template=')
  git('add', 'file', 'dir/file')
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-m', 'first')
})
afterEach(() => tree[Symbol.asyncDispose]())

test(`${PATHS} hostile paths lead nowhere at any route`, { timeout: 600_000 }, async ({ task }) => {
  await using hub = await startTestHub({ root: tree.root, sharesAgent: true })
  const routes = await routesOf(hub)
  const before = outsideNow()
  const requests = requestsFor(routes, drawPaths())
  const count = requests.length
  expect(await escapes(hub, requests)).toEqual([])
  expect(outsideNow()).toEqual(before)
  // Refusing everything is no defence.
  const legal = await hub.fetch(`/api/repos/${routes.repoId}/file?path=dir/file`)
  expect(await legal.json()).toMatchObject({ kind: 'text', text: 'inside' })
  figure(task, { what: 'hostile paths × routes', count })
})

test('a hub that resolves a path by itself is found out', async () => {
  using read = vi.spyOn(ConfinedFiles.prototype, 'readBytes')
  read.mockImplementation(async (path) => {
    const bytes = await readFile(path)
    return { byteLength: bytes.length, bytes }
  })
  await using hub = await startTestHub({ root: tree.root, sharesAgent: true })
  const routes = await routesOf(hub)
  const paths = [`${tree.root}/../outside/canary`, `${tree.root}/links/up/../outside/canary`]
  expect((await escapes(hub, requestsFor(routes, paths))).join()).toContain('/file?path=')
})

/** The corpus, filled up with random walks. */
function drawPaths(): string[] {
  const dice = new FuzzJson(random())
  const corpus = tree.hostilePaths().map(({ path }) => path)
  const steps = [
    '..',
    '..',
    '.',
    'dir',
    'sub',
    'links',
    'in',
    'up',
    'file',
    '',
    '%2e%2e',
    '．．',
    '..\\',
  ]
  const walk = (): string => {
    const names = Array.from({ length: 1 + dice.below(12) }, () => dice.pick(steps))
    return [
      tree.root,
      ...names,
      dice.pick(['outside/canary', 'canary', 'etc/passwd', 'file\0']),
    ].join('/')
  }
  const walks = Array.from({ length: PATHS }, walk)
  const all = isTorture
    ? [...corpus, ...walks]
    : [...corpus.filter(() => dice.chance(0.06)), ...walks]
  return all.slice(0, PATHS)
}

type Routes = { readonly repoId: string; readonly list: readonly ((path: string) => Request)[] }
type Request = { readonly path: string; readonly method?: string; readonly body?: unknown }

async function routesOf(hub: TestHub): Promise<Routes> {
  const session = await hub.createSession('demo')
  await session.run('echo hello')
  const repo = `/api/repos/${session.summary.repoId}`
  const ended = await hub.createSession('demo')
  await hub.fetch(ended.path, { method: 'DELETE' })
  const inRepo = (path: string): string =>
    encodeURIComponent(path.startsWith(`${tree.root}/`) ? path.slice(tree.root.length + 1) : path)
  const list = [
    (path: string) => ({ path: `${repo}/file?path=${inRepo(path)}` }),
    (path: string) => ({ path: `${repo}/file?path=${encodeURIComponent(path)}` }),
    (path: string) => ({ path: `${repo}/diff?path=${inRepo(path)}` }),
    (path: string) => ({ path: `${repo}/files?q=${encodeURIComponent(path.slice(0, 200))}` }),
    (path: string) => ({ path: `${session.path}/changes?path=${inRepo(path)}` }),
    (path: string) => ({ path: `/api/browse?path=${encodeURIComponent(path)}` }),
    (path: string) => ({ path: '/api/repos', method: 'POST', body: { path } }),
    (path: string) => ({ path: ended.path, method: 'PATCH', body: { settings: { cwd: path } } }),
    (path: string) => ({ path: `/media/${encodeURIComponent(path)}` }),
    (path: string) => ({ path: `/assets/${inRepo(path)}` }),
  ]
  return { repoId: session.summary.repoId, list }
}

function requestsFor({ list }: Routes, paths: readonly string[]): Request[] {
  return paths.flatMap((path, at) => {
    const all = list.map((route) => route(path))
    // git is expensive: every tenth path is enough.
    return at % 10 === 0 ? all : all.filter((request) => !RUNS_GIT.test(request.path))
  })
}

/** Requests whose answer shows a foreign file, or is a fault of the hub. */
async function escapes(hub: TestHub, requests: Request[]): Promise<string[]> {
  const found: string[] = []
  const lane = async (): Promise<void> => {
    for (let request = requests.pop(); request; request = requests.pop()) {
      const { path, method = 'GET', body } = request
      const headers = { 'content-type': 'application/json' }
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
      const response = await hub.fetch(path, init)
      const text = await response.text()
      if (response.status >= 500 || FOREIGN.test(text))
        found.push(
          `${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text.slice(0, 200)}`,
        )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return found
}

function outsideNow(): string[] {
  return ['canary', 'linked', 'dir/canary']
    .map((name) => readFileSync(join(tree.outside, name), 'utf8'))
    .concat(readdirSync(tree.outside, { recursive: true }) as string[], readdirSync(tree.folder))
}
